import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeProgram, root } from './project.mjs';

const markerFile = join(root, 'node_modules', '.installed-for');

/** Whether node_modules is missing, differs from the lockfile or was installed on another platform. */
export function isStale() {
  if (readText(markerFile) !== fingerprint()) {
    if (!matchesLockfile()) return true;
    // npm ci or npm install was run by hand with the same result.
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

/** npm writes .package-lock.json last, so it is missing after an interrupted install. */
function matchesLockfile() {
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
  // Detecting the C library is slow, so packages for a specific one may be absent. Optional packages without a platform are
  // dependencies of a package for another platform, for example of the wasm32 build of a parser.
  if (libc !== undefined || (os === undefined && cpu === undefined)) return false;
  return allows(os, process.platform) && allows(cpu, process.arch);
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
