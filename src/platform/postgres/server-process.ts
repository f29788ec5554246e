import { spawn } from 'node:child_process';
import { closeSync, fchownSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import type { Placement } from './place-cluster.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { isAlive } from './process-state.ts';
import { lastErrorLine, runProgram, serverEnvironment } from './run-program.ts';
import { type Endpoint, serverArguments } from './settings.ts';

/** A child process, or a server left running by an earlier service that was killed. */
export type ServerProcess = { pid: number; exited: Promise<void>; hasExited(): boolean };

export class ServerStartError extends Error {
  readonly isTransient: boolean;

  constructor(reason: string) {
    super(`The embedded PostgreSQL did not start: ${reason}`);
    // Backends of a killed server need a moment to exit; a free port can be taken between the check and the start.
    this.isTransient = /still in use|already exists|could not create any TCP\/IP sockets|Address already in use/.test(
      reason,
    );
  }
}

const POLL_MS = 10;
const LOG_MAX_BYTES = 10_000_000;

export function spawnServer(options: {
  binaries: Binaries;
  placement: Placement;
  endpoint: Endpoint;
  logFile: string;
  extraSettings: Record<string, string> | undefined;
}): { server: ServerProcess; readLog(): string } {
  const { binaries, placement, endpoint, logFile } = options;
  const logStart = openLog(logFile);
  const log = openSync(logFile, 'a', 0o600);
  if (placement.account) chownToFolderOwner(log, logFile);
  const child = spawn(binaries.postgres, serverArguments(placement.clusterDir, endpoint, options.extraSettings), {
    // Its own process group: Ctrl-C in a terminal signals the whole group, and the server must outlive the shutdown of the service.
    detached: true,
    // A file, not a pipe: the server keeps running when this process is killed.
    stdio: ['ignore', log, log],
    env: serverEnvironment(),
    cwd: placement.clusterDir,
    ...(placement.account && { uid: placement.account.uid, gid: placement.account.gid }),
  });
  closeSync(log);
  child.unref();
  let exited = false;
  let failure = '';
  const gone = new Promise<void>((resolve) => {
    const onExit = () => {
      exited = true;
      resolve();
    };
    child.on('error', (error) => {
      failure = error.message;
      onExit();
    });
    child.on('exit', onExit);
  });
  return {
    server: { pid: child.pid ?? 0, exited: gone, hasExited: () => exited },
    readLog: () => failure || readFrom(logFile, logStart),
  };
}

/** A server that is not a child process is polled, since its exit is not reported. */
export function watchServer(pid: number, everyMs = 500): ServerProcess {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    if (isAlive(pid)) return;
    clearInterval(timer);
    resolve();
  }, everyMs);
  timer.unref();
  return { pid, exited: promise, hasExited: () => !isAlive(pid) };
}

/** Resolves when the server accepts connections. Crash recovery has no time limit, so only an exit is a failure. */
export async function waitUntilReady(
  server: ServerProcess,
  clusterDir: string,
  readLog: () => string,
  onWaiting: (seconds: number) => void,
): Promise<void> {
  const start = performance.now();
  let reported = 0;
  while (!server.hasExited()) {
    const file = readPostmasterFile(clusterDir);
    if (file?.pid === server.pid && file.status === 'ready') return;
    const seconds = Math.floor((performance.now() - start) / 10_000) * 10;
    if (seconds > reported) {
      reported = seconds;
      onWaiting(seconds);
    }
    await delay(POLL_MS);
  }
  throw new ServerStartError(lastErrorLine(readLog()));
}

/** Fast shutdown: closes connections and writes a checkpoint. After `timeoutMs` it is stopped without one, and the next start recovers. */
export async function stopServer(
  server: ServerProcess,
  binaries: Binaries,
  clusterDir: string,
  timeoutMs: number,
): Promise<void> {
  if (server.hasExited()) return;
  if (process.platform === 'win32') {
    await runProgram(binaries.pgCtl, ['stop', '-D', clusterDir, '-m', 'fast', '-w'], { account: undefined });
    return;
  }
  for (const [signal, waitMs] of [
    ['SIGINT', timeoutMs],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    if (!signalServer(server.pid, signal)) return;
    const deadline = performance.now() + waitMs;
    while (performance.now() < deadline) {
      if (server.hasExited()) return;
      await delay(POLL_MS);
    }
  }
  throw new Error(`The embedded PostgreSQL (pid ${server.pid}) does not stop`);
}

export function signalServer(pid: number, signal: NodeJS.Signals): boolean {
  // kill(2) treats 0 and negative numbers as process groups, including that of this process.
  if (pid <= 1) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Root may start the data folder of an ordinary account, which must be able to write the log later. */
function chownToFolderOwner(fd: number, file: string): void {
  const { uid, gid } = statSync(dirname(file));
  fchownSync(fd, uid, gid);
}

function openLog(file: string): number {
  const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size < LOG_MAX_BYTES) return size;
  renameSync(file, `${file}.1`);
  return 0;
}

function readFrom(file: string, start: number): string {
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(16_384);
    const position = Math.max(start, fstatSync(fd).size - buffer.length);
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, position));
  } finally {
    closeSync(fd);
  }
}
