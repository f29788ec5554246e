import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { patienceMs } from '../../../../test/harness/patience.ts';
import type { Account } from '../account.ts';
import { type Connection, startEmbeddedPostgres } from '../index.ts';
import { readPostmasterFile } from '../postmaster-file.ts';
import { isAlive, isPostmasterOf } from '../process-state.ts';

export const FAST = { fsync: 'off' };

export const quietLog = { info: () => {}, warn: () => {} };

export type HolderLine =
  | { event: 'ready'; pid: number; adopted: boolean; connection: Connection }
  | { event: 'failed'; message: string }
  | { event: 'warning'; message: string };

/** A real second process that starts the server of a data folder, as the service would. */
export type Holder = {
  child: ChildProcess;
  pid: number;
  first: Promise<HolderLine>;
  end(signal: NodeJS.Signals): Promise<void>;
};

const folders: string[] = [];
const children: ChildProcess[] = [];

export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dukkan-test-')));
  // As a folder for data usually is; the tests that want a closed one close it.
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
}

/** One for all files that a process tests. */
let usedFolder: Promise<string> | undefined;

/**
 * A data folder whose database was made and properly stopped before, for tests of what comes after that. A copy: making a
 * database takes more than ten times as long (7.5 s against 0.6 on a busy machine).
 */
export async function makeUsedFolder(): Promise<string> {
  usedFolder ??= makeDatabaseFolder();
  const folder = makeFolder();
  await promisify(execFile)('cp', ['-a', `${await usedFolder}/.`, folder]);
  return folder;
}

async function makeDatabaseFolder(): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dukkan-test-used-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  chmodSync(folder, 0o755);
  const server = await startEmbeddedPostgres({ dataDir: folder, log: quietLog, extraSettings: FAST });
  await server.stop();
  return folder;
}

export function startHolder(options: {
  dataDir: string;
  sharedRoot?: string;
  account?: Account;
  checkout?: string;
  home?: string;
}): Holder {
  const fixture = options.checkout
    ? join(options.checkout, 'src/platform/postgres/testing/hold.ts')
    : join(import.meta.dirname, 'hold.ts');
  const node = options.checkout ? join(options.checkout, 'node_modules/.bin/node') : process.execPath;
  const child = spawn(node, [fixture, options.dataDir, ...(options.sharedRoot ? [options.sharedRoot] : [])], {
    // A group of its own, so that a test can take the holder and its initdb down in one blow.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    env: {
      PATH: process.env.PATH,
      ...(options.home && { HOME: options.home }),
      // A checkout is created for one test: its compile cache would never be used again.
      ...(options.checkout === undefined && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    },
    ...(options.account && { uid: options.account.uid, gid: options.account.gid }),
  });
  children.push(child);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const lines = createInterface({ input: child.stdout });
  const first = Promise.race([
    once(lines, 'line').then(([line]) => JSON.parse(String(line)) as HolderLine),
    once(child, 'close').then(() => ({ event: 'failed' as const, message: `no word from the holder: ${errors}` })),
  ]);
  const exited = once(child, 'exit');
  return {
    child,
    pid: child.pid ?? 0,
    first,
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

export async function readyHolder(options: Parameters<typeof startHolder>[0]) {
  const holder = startHolder(options);
  const line = await holder.first;
  if (line.event !== 'ready') throw new Error(line.message);
  return { holder, ...line };
}

/** Waits for a fact about the outside world, and fails when it does not come true. */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs = patienceMs(),
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain: ${what}`);
    await delay(5);
  }
}

/** Ends every process and removes every folder a test has left, also when it failed halfway. */
export async function cleanUp(): Promise<void> {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) {
    for (const clusterDir of findClusters(folder)) {
      const pid = readPostmasterFile(clusterDir)?.pid;
      if (pid === undefined || !isPostmasterOf(pid, realpathSync(clusterDir))) continue;
      process.kill(pid, 'SIGQUIT');
      await until('the server left by a test is gone', () => !isAlive(pid));
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function findClusters(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('postmaster.pid'))
    .map((name) => join(folder, name, '..'))
    .filter((clusterDir) => existsSync(join(clusterDir, 'PG_VERSION')));
}
