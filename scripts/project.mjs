// Where things are. Plain JavaScript, like everything in this folder: it runs on the Node of the host, before anything is installed.
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const binFolder = join(root, 'node_modules', '.bin');

const onWindows = process.platform === 'win32';

/** The Node that `npm ci` brings along. On Windows the entry in .bin is a shim that only a shell can start. */
export const nodeProgram = onWindows ? join(root, 'node_modules', 'node', 'bin', 'node.exe') : join(binFolder, 'node');

/**
 * Programs with a `#!/usr/bin/env node` line find our Node first. What Node has compiled it keeps: a start of the program
 * takes 1.2 s of a core instead of 2.1, most of it TypeScript that is stripped of its types again and again.
 */
export function projectEnvironment() {
  return {
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
    ...process.env,
    PATH: [binFolder, process.env.PATH].filter(Boolean).join(delimiter),
  };
}
