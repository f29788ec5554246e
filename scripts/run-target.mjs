import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installWhenStale } from './install-when-stale.mjs';
import { binFolder, nodeProgram, projectEnvironment, root } from './project.mjs';
import { runChild } from './run-child.mjs';

/** Installs when needed, then runs a file of this project, or a tool that npm installed, on the Node the project brings along. */
export async function runTarget(target, args) {
  const failed = await installWhenStale();
  if (failed) return failed;
  const file = resolve(root, target);
  const options = { env: projectEnvironment() };
  if (existsSync(file)) return await runChild(nodeProgram, [file, ...args], options);
  return await runChild(join(binFolder, target), args, { ...options, shell: process.platform === 'win32' });
}
