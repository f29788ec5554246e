// npm test: every check, then the tests. npm test -- <arguments> runs vitest alone with these arguments.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { buildConsoleWhenStale } from './build-console-when-stale.mjs';
import { changedFolders } from './changed-folders.mjs';
import { installWhenStale } from './install-when-stale.mjs';
import { binFolder, projectEnvironment, root } from './project.mjs';
import { runChild } from './run-child.mjs';

/** Folders with import rules; the console and the SDK are workspaces. */
const SOURCES = ['src', 'console', 'sdk'].filter((folder) => existsSync(join(root, folder)));

/**
 * What checks keep for the next run: of 50 CPU seconds, types, import rules and unused code take 10 when nothing changed. `npm ci` removes it.
 */
const CACHE = 'node_modules/.cache/checks';

/** One checker each: the checks run next to each other, and several checkers repeat work (21 CPU seconds with four, 17 with one). */
const checkTypes = (name, ...options) => {
  const kept = [
    '--incremental',
    '--tsBuildInfoFile',
    `${CACHE}/${name.toLowerCase().replaceAll(' ', '-')}.tsbuildinfo`,
  ];
  return { name, command: ['tsc', '--noEmit', '--checkers', '1', ...kept, ...options] };
};

const IMPORTS_KEPT = ['--cache', `${CACHE}/imports`, '--cache-strategy', 'content'];

/** The longest first, so that none runs alone at the end. */
const CHECKS = [
  checkTypes('Types'),
  { name: 'Lint', command: ['biome', 'check', '.'] },
  { name: 'Import rules', command: ['depcruise', '--config', '.dependency-cruiser.cjs', ...IMPORTS_KEPT, ...SOURCES] },
  // The console is compiled with the types of browsers, its tests with those of Node as well.
  checkTypes('Types of the console tests', '-p', 'console/tsconfig.node.json'),
  { name: 'Unused code', command: ['knip', '--no-progress', '--cache', '--cache-location', `${CACHE}/unused`] },
  checkTypes('Types of the console', '-p', 'console/tsconfig.json'),
  // Reads the list of tracked files from git, which a downloaded archive does not have.
  ...(existsSync(join(root, '.git')) ? [{ name: 'Words', command: ['node', 'scripts/check-words.mjs'] }] : []),
];

/** `--changed`, without a path filter of the caller. */
function isOnlyChanged(args) {
  const paths = args.filter((arg, at) => arg.includes('/') && !arg.startsWith('-') && args[at - 1] !== '--changed');
  return paths.length === 0 && args.some((arg) => /^--changed(=|$)/.test(arg));
}

/** Runs a tool of the project and prints how long it took. With `isBuffered`, its output is printed when it has ended. */
async function run({ name, command }, { isBuffered = false } = {}) {
  const start = performance.now();
  const [tool, ...args] = command;
  const output = [`${name}: ${command.join(' ')}\n`];
  if (!isBuffered) process.stdout.write(output.join(''));
  const code = await runChild(join(binFolder, tool), args, {
    cwd: root,
    env: projectEnvironment(),
    shell: process.platform === 'win32',
    ...(isBuffered && { stdio: ['ignore', 'pipe', 'pipe'], onOutput: (chunk) => output.push(chunk) }),
  });
  if (isBuffered) process.stdout.write(output.join(''));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${name}: ${code === 0 ? 'passed' : `failed with code ${code}`} in ${seconds} s\n`);
  return code;
}

/** One check per core: most of them use a single core. After a failure no further check is started. */
async function runChecks() {
  const waiting = [...CHECKS];
  let failed = 0;
  async function runNext() {
    const check = failed === 0 ? waiting.shift() : undefined;
    if (check === undefined) return;
    const code = await run(check, { isBuffered: true });
    failed ||= code;
    await runNext();
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runNext));
  return failed;
}

async function test(args) {
  const failed = await installWhenStale();
  if (failed) return failed;
  if (args.length === 0) {
    const failedCheck = await runChecks();
    if (failedCheck) return failedCheck;
    // Before the tests, several of which would otherwise build it at the same time.
    await buildConsoleWhenStale();
  }
  // In front: vitest takes a word after --changed for a commit.
  const folders = isOnlyChanged(args) ? changedFolders(args) : [];
  return await run({ name: 'Tests', command: ['vitest', 'run', ...folders, ...args] });
}

process.exitCode = await test(process.argv.slice(2));
