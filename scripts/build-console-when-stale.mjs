// Builds the console when its sources are not those that the last build was made of. Plain JavaScript, as everything here.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeProgram, projectEnvironment, root } from './project.mjs';
import { runChild } from './run-child.mjs';

const consoleFolder = join(root, 'console');
const built = join(consoleFolder, 'dist');
const marker = 'built-from.txt';

/** What a build depends on. The lockfile stands for every package in it. */
const SOURCES = [
  'console/index.html',
  'console/package.json',
  'console/tsconfig.json',
  'console/vite.config.ts',
  'console/build',
  'console/public',
  'console/src',
  'sdk/src',
  'package-lock.json',
];

/** Resolves to whether there is a console to serve; what went wrong is already printed. */
export async function buildConsoleWhenStale() {
  if (!existsSync(join(consoleFolder, 'vite.config.ts'))) return false;
  const sources = fingerprint();
  if (readText(join(built, marker)) === sources) return true;
  console.error('Building the console: a few seconds, and only when it changed');
  // Beside its place and then into it, so that a service that starts meanwhile never finds half of one.
  const fresh = `${built}.${process.pid}`;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const code = await runChild(nodeProgram, [vite, 'build', consoleFolder, '--logLevel', 'error'], {
    env: { ...projectEnvironment(), CONSOLE_OUT_DIR: fresh, NODE_ENV: 'production' },
  });
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    console.error(`The console could not be built (code ${code})`);
    return existsSync(join(built, 'index.html'));
  }
  writeFileSync(join(fresh, marker), sources);
  putInPlace(fresh);
  return true;
}

function putInPlace(fresh) {
  const former = `${fresh}.former`;
  try {
    if (existsSync(built)) renameSync(built, former);
    renameSync(fresh, built);
  } catch (error) {
    // Another process has built the same at the same time, and was quicker.
    if (!existsSync(join(built, 'index.html'))) throw error;
  }
  rmSync(fresh, { recursive: true, force: true });
  rmSync(former, { recursive: true, force: true });
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesOf(join(root, source))) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** By the alphabet, tests left out: they are in no build. */
function filesOf(path) {
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return entries
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => filesOf(join(path, entry.name)))
    .filter((file) => !/\.test\.tsx?$/.test(file));
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
