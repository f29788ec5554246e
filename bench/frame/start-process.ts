import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CleanUp } from './clean-up.ts';
import type { Usage } from './leash.ts';

export type BenchProcess = {
  child: ChildProcess;
  pid: number;
  /** Resolves when it is gone, with how it went. */
  ended: Promise<string>;
  readUsage(): Promise<Usage>;
};

export type ProcessOptions = { args?: string[]; nodeOptions?: string[]; env?: Record<string, string> };

const LEASH = new URL('./leash.ts', import.meta.url).href;
const KILL_AFTER_MS = 12_000;

/**
 * A file of this project in a process of its own. It has a session of its own as well: Ctrl-C reaches the run alone, which
 * then stops the others in the right order.
 */
export async function startProcess(file: URL, cleanUp: CleanUp, options: ProcessOptions = {}): Promise<BenchProcess> {
  const { args = [], nodeOptions = [], env = {} } = options;
  const child = spawn(process.execPath, [...nodeOptions, '--import', LEASH, fileURLToPath(file), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    child.once('error', (error) => resolve(error.message));
  });
  cleanUp.add(async () => {
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    await ended;
    clearTimeout(killer);
  });
  await once(child, 'spawn');
  return { child, pid: child.pid ?? 0, ended, readUsage: () => readUsage(child, ended) };
}

function readUsage(child: ChildProcess, ended: Promise<string>): Promise<Usage> {
  return new Promise((resolve, reject) => {
    child.on('message', function onMessage(message: { usage?: Usage }) {
      if (message.usage === undefined) return;
      child.off('message', onMessage);
      resolve(message.usage);
    });
    ended.then((how) => reject(new Error(`A process of the run ended: ${how}`)));
    child.send('usage');
  });
}

/** Resolves with the first thing `read` finds in a message or a line; a process that ends before that is an error. */
export function waitUntilReady<T>(
  { child, ended }: BenchProcess,
  what: string,
  read: (said: { line?: string; message?: unknown }) => T | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const offer = (said: { line?: string; message?: unknown }) => {
      const found = read(said);
      if (found !== undefined) resolve(found);
    };
    let unfinished = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (unfinished + text).split('\n');
      unfinished = lines.pop() ?? '';
      for (const line of lines) offer({ line });
    });
    child.on('message', (message) => offer({ message }));
    ended.then((how) => reject(new Error(`${what} ended: ${how}`)));
  });
}
