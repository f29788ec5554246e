import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeProgram, root } from './project.mjs';

const markerFile = join(root, 'node_modules', '.installed-for');

/**
 * Whether node_modules is missing, differs from the lockfile or was installed on another platform. For the scope `serve` only the packages count
 * that serving and building the console need, for `all` those of the tests too.
 */
export function isStale(scope = 'all') {
  const marked = readText(markerFile);
  if (marked !== fingerprint('all') && (scope === 'all' || marked !== fingerprint('serve'))) {
    if (!matchesLockfile(scope)) return true;
    // npm ci or npm install was run by hand with the same result.
    if (nodeWorks()) markInstalled(scope);
  }
  return !nodeWorks();
}

/** Whether packages were installed that only tests need; also when they are those of an earlier lockfile. */
export function hasTools() {
  const wanted = readPackages(join(root, 'package-lock.json')) ?? {};
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json')) ?? {};
  return Object.keys(installed).some((path) => wanted[path]?.dev === true);
}

/** Whether what is installed can stay and lacks packages only. */
export function canBeAddedTo() {
  return matchesLockfile('serve') && nodeWorks();
}

export function markInstalled(scope) {
  writeFileSync(markerFile, fingerprint(scope));
}

export function nodeWorks() {
  return spawnSync(nodeProgram, ['--version'], { stdio: 'ignore' }).status === 0;
}

function fingerprint(scope) {
  const lockfile = readText(join(root, 'package-lock.json')) ?? '';
  return createHash('sha256').update(`${scope}\n${process.platform}\n${process.arch}\n${lockfile}`).digest('hex');
}

/** npm writes .package-lock.json last, so it is missing after an interrupted install. */
function matchesLockfile(scope) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || (scope === 'serve' && entry.dev === true)) return true;
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
