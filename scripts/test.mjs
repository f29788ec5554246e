// npm test: every check in order, the quick ones first. npm test -- <arguments> runs vitest alone with these.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsoleWhenStale } from './build-console-when-stale.mjs';
import { installWhenStale } from './install-when-stale.mjs';
import { binFolder, projectEnvironment, root } from './project.mjs';
import { runChild } from './run-child.mjs';

/** Whatever has walls; the console and the SDK are workspaces of their own. */
const WALLED = ['src', 'console', 'sdk'].filter((folder) => existsSync(join(root, folder)));

const CHECKS = [
  { name: 'Lint', command: ['biome', 'check', '.'] },
  { name: 'Types', command: ['tsc', '--noEmit'] },
  // Written for browsers, so with other libraries; and its tests, which speak of both.
  { name: 'Types of the console', command: ['tsc', '--noEmit', '-p', 'console/tsconfig.json'] },
  { name: 'Types of its tests', command: ['tsc', '--noEmit', '-p', 'console/tsconfig.node.json'] },
  { name: 'Walls', command: ['depcruise', '--config', '.dependency-cruiser.cjs', ...WALLED] },
];

async function test(args) {
  const failed = await installWhenStale();
  if (failed) return failed;
  // Once, before several test files want it at the same time.
  if (args.length === 0) await buildConsoleWhenStale();
  const tests = { name: 'Tests', command: ['vitest', 'run', ...args] };
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
