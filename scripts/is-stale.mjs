import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeProgram, root } from './project.mjs';

const markerFile = join(root, 'node_modules', '.installed-for');

/** Whether node_modules has to be installed again: not there, not what the lockfile says, or from another machine. */
export function isStale() {
  if (readText(markerFile) !== fingerprint()) {
    if (!holdsWhatTheLockfileSays()) return true;
    // Someone ran npm ci or npm install by hand; that serves as well as our own.
    if (nodeWorks()) markInstalled();
  }
  return !nodeWorks();
}

export function markInstalled() {
  writeFileSync(markerFile, fingerprint());
}

export function nodeWorks() {
  return spawnSync(nodeProgram, ['--version'], { stdio: 'ignore' }).status === 0;
}

function fingerprint() {
  const lockfile = readText(join(root, 'package-lock.json')) ?? '';
  return createHash('sha256').update(`${process.platform}\n${process.arch}\n${lockfile}`).digest('hex');
}

/** npm writes down what it put into node_modules, as the last thing it does: an interrupted install has no such record. */
function holdsWhatTheLockfileSays() {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = installed[path];
    if (!found) return entry.optional === true && !belongsHere(entry);
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function belongsHere({ os, cpu, libc }) {
  // Which C library this is would take long to find out, so packages for one of them may be absent.
  return libc === undefined && allows(os, process.platform) && allows(cpu, process.arch);
}

function allows(list, value) {
  if (!list) return true;
  return list.includes(value) || (list.some((item) => item.startsWith('!')) && !list.includes(`!${value}`));
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
