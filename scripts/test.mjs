// npm test: every check in order, the quick ones first. npm test -- <arguments> runs vitest alone with these arguments.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsoleWhenStale } from './build-console-when-stale.mjs';
import { changedFolders } from './changed-folders.mjs';
import { installWhenStale } from './install-when-stale.mjs';
import { binFolder, projectEnvironment, root } from './project.mjs';
import { runChild } from './run-child.mjs';

/** Folders with import rules; the console and the SDK are workspaces. */
const SOURCES = ['src', 'console', 'sdk'].filter((folder) => existsSync(join(root, folder)));

const CHECKS = [
  { name: 'Lint', command: ['biome', 'check', '.'] },
  { name: 'Types', command: ['tsc', '--noEmit'] },
  // The console is compiled with the types of browsers, its tests with those of Node as well.
  { name: 'Types of the console', command: ['tsc', '--noEmit', '-p', 'console/tsconfig.json'] },
  { name: 'Types of its tests', command: ['tsc', '--noEmit', '-p', 'console/tsconfig.node.json'] },
  { name: 'Unused code', command: ['knip', '--no-progress'] },
  { name: 'Import rules', command: ['depcruise', '--config', '.dependency-cruiser.cjs', ...SOURCES] },
  // Reads the list of tracked files from git, which a downloaded archive does not have.
  ...(existsSync(join(root, '.git')) ? [{ name: 'Words', command: ['node', 'scripts/check-words.mjs'] }] : []),
];

/** `--changed` without a path of the caller's own. */
function isOnlyChanged(args) {
  return (
    args.some((arg) => /^--changed(=|$)/.test(arg)) && !args.some((arg) => arg.includes('/') && !arg.startsWith('-'))
  );
}

async function test(args) {
  const failed = await installWhenStale();
  if (failed) return failed;
  // Before the tests, several of which would otherwise build it at the same time.
  if (args.length === 0) await buildConsoleWhenStale();
  const folders = isOnlyChanged(args) ? changedFolders(args) : [];
  const tests = { name: 'Tests', command: ['vitest', 'run', ...args, ...folders] };
  for (const { name, command } of args.length > 0 ? [tests] : [...CHECKS, tests]) {
    console.log(`${name}: ${command.join(' ')}`);
    const start = performance.now();
    const [tool, ...toolArgs] = command;
    const code = await runChild(join(binFolder, tool), toolArgs, {
      cwd: root,
      env: projectEnvironment(),
      shell: process.platform === 'win32',
    });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${name}: ${code === 0 ? 'passed' : `failed with code ${code}`} in ${seconds} s\n`);
    if (code !== 0) return code;
  }
  return 0;
}

process.exitCode = await test(process.argv.slice(2));
