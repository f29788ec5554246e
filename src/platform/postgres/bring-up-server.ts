import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { connectionTo, openDatabase } from './connection.ts';
import { openSocketFolder, type Placement } from './place-cluster.ts';
import { readPostmasterFile, removePostmasterFile } from './postmaster-file.ts';
import { findOrphans, isPostmasterOf } from './process-state.ts';
import {
  type ServerProcess,
  ServerStartError,
  signalServer,
  spawnServer,
  stopServer,
  waitUntilReady,
  watchServer,
} from './server-process.ts';
import type { Endpoint } from './settings.ts';

export type PostgresLog = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
};

/** Everything needed to start or restart the server of one data folder. */
export type ServerSetup = {
  placement: Placement;
  binaries: Binaries;
  password: string;
  logFile: string;
  extraSettings: Record<string, string> | undefined;
  log: PostgresLog;
};

export type RunningServer = { server: ServerProcess; endpoint: Endpoint; adopted: boolean };

export type BringUpOptions = {
  accepts(endpoint: Endpoint): boolean;
  chooseEndpoint(): Endpoint | Promise<Endpoint>;
  onSpawn(server: ServerProcess): void;
  signal: AbortSignal;
};

const TRANSIENT_RETRY_MS = 20_000;
const STOP_TIMEOUT_MS = 30_000;

export async function bringUpServer(setup: ServerSetup, options: BringUpOptions): Promise<RunningServer> {
  return (await adoptServer(setup, options)) ?? (await startServer(setup, options));
}

async function adoptServer(setup: ServerSetup, options: BringUpOptions): Promise<RunningServer | undefined> {
  const { clusterDir } = setup.placement;
  const file = await readSettledFile(clusterDir);
  if (!file) return undefined;
  if (!isPostmasterOf(file.pid, clusterDir)) {
    setup.log.info({ pid: file.pid }, 'removing the stale pid file of the embedded PostgreSQL');
    removePostmasterFile(clusterDir);
    return undefined;
  }
  const server = watchServer(file.pid);
  options.onSpawn(server);
  try {
    // A server that is shutting down never becomes ready: this then waits for its exit.
    await waitUntilReady(server, clusterDir, () => '', reportWaiting(setup));
    const endpoint = readPostmasterFile(clusterDir)?.endpoint;
    if (!endpoint || !options.accepts(endpoint)) throw new Error('it listens on another endpoint');
    const answer = await openDatabase(connectionTo(endpoint, setup.password));
    if (answer.clusterDir !== clusterDir) throw new Error(`it serves ${answer.clusterDir}`);
    return { server, endpoint, adopted: true };
  } catch (error) {
    if (server.hasExited()) return undefined;
    setup.log.warn(
      { pid: file.pid, reason: messageOf(error) },
      'replacing an embedded PostgreSQL that was left running',
    );
    await stopServer(server, setup.binaries, clusterDir, STOP_TIMEOUT_MS);
    return undefined;
  }
}

/** An empty file is either being written at this moment or was emptied by a crash of the machine; PostgreSQL would reject it. */
async function readSettledFile(clusterDir: string) {
  for (let attempt = 0; attempt < 20 && existsSync(join(clusterDir, 'postmaster.pid')); attempt += 1) {
    const file = readPostmasterFile(clusterDir);
    if (file) return file;
    await delay(25);
  }
  removePostmasterFile(clusterDir);
  return undefined;
}

async function startServer(setup: ServerSetup, options: BringUpOptions): Promise<RunningServer> {
  const { clusterDir } = setup.placement;
  const deadline = performance.now() + TRANSIENT_RETRY_MS;
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1000)) {
    const endpoint = await options.chooseEndpoint();
    options.signal.throwIfAborted();
    if (endpoint.listen === 'socket') removeSocketFiles(endpoint);
    const { server, readLog } = spawnServer({ ...setup, endpoint });
    options.onSpawn(server);
    try {
      await waitUntilReady(server, clusterDir, readLog, reportWaiting(setup));
      await openDatabase(connectionTo(endpoint, setup.password));
      return { server, endpoint, adopted: false };
    } catch (error) {
      await stopServer(server, setup.binaries, clusterDir, STOP_TIMEOUT_MS);
      const isTransient = error instanceof ServerStartError && error.isTransient && performance.now() < deadline;
      if (!isTransient || options.signal.aborted) throw error;
      for (const pid of findOrphans(clusterDir)) signalServer(pid, 'SIGQUIT');
    }
    await delay(pauseMs);
  }
}

/**
 * Call only while no server is running. The lock file of a socket holds a pid, which PostgreSQL trusts although another
 * process may have it by now; in a restarted container that is likely.
 */
function removeSocketFiles({ socketDir, port }: { socketDir: string; port: number }): void {
  for (const suffix of ['', '.lock']) rmSync(join(socketDir, `.s.PGSQL.${port}${suffix}`), { force: true });
}

function reportWaiting(setup: ServerSetup): (seconds: number) => void {
  return (seconds) => setup.log.info({ seconds }, 'embedded PostgreSQL is recovering; still waiting');
}

export async function chooseFirstEndpoint(placement: Placement, listen: 'socket' | 'tcp'): Promise<Endpoint> {
  if (listen === 'tcp') return { listen, port: await findFreePort() };
  return { listen, socketDir: openSocketFolder(placement), port: 5432 };
}

function findFreePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.on('error', reject);
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
