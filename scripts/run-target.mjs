import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installWhenStale } from './install-when-stale.mjs';
import { binFolder, nodeProgram, projectEnvironment, root } from './project.mjs';
import { runChild } from './run-child.mjs';

/** Needs no packages of the tests. */
const PROGRAM = 'src/main.ts';

/**
 * Installs when needed, then runs a file of this project, or a tool that npm installed, on the Node the project brings along.
 * With `awaited`, a file of this project gets a message when that promise has settled: see `CONSOLE_BUILD` in src/cli.
 */
export async function runTarget(target, args, { awaited } = {}) {
  const file = resolve(root, target);
  const failed = await installWhenStale(target === PROGRAM ? 'serve' : 'all');
  if (failed) return failed;
  const options = { env: projectEnvironment() };
  if (existsSync(file))
    return await runChild(nodeProgram, [file, ...args], awaited ? announcing(awaited, options) : options);
  return await runChild(join(binFolder, target), args, { ...options, shell: process.platform === 'win32' });
}

function announcing(awaited, { env }) {
  return {
    env: { ...env, CONSOLE_BUILD: 'pending' },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    onStart(child) {
      const settled = () => child.connected && child.send('settled', () => child.connected && child.disconnect());
      awaited.then(settled, settled);
    },
  };
}
