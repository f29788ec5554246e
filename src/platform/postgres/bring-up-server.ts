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

/** All that is needed to start the server of one data folder, once or again. */
export type Site = {
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

const PASSING_TROUBLE_MS = 20_000;
const GONE_PATIENCE_MS = 30_000;

export async function bringUpServer(site: Site, options: BringUpOptions): Promise<RunningServer> {
  return (await adoptServer(site, options)) ?? (await startServer(site, options));
}

async function adoptServer(site: Site, options: BringUpOptions): Promise<RunningServer | undefined> {
  const { clusterDir } = site.placement;
  const file = await readSettledFile(clusterDir);
  if (!file) return undefined;
  if (!isPostmasterOf(file.pid, clusterDir)) {
    site.log.info({ pid: file.pid }, 'removing the pid file of an embedded PostgreSQL that is gone');
    removePostmasterFile(clusterDir);
    return undefined;
  }
  const server = watchServer(file.pid);
  options.onSpawn(server);
  try {
    // One that was told to stop never becomes ready: this then waits for its end.
    await waitUntilReady(server, clusterDir, () => '', reportWaiting(site));
    const endpoint = readPostmasterFile(clusterDir)?.endpoint;
    if (!endpoint || !options.accepts(endpoint)) throw new Error('it listens elsewhere than wanted');
    const answer = await openDatabase(connectionTo(endpoint, site.password));
    if (answer.clusterDir !== clusterDir) throw new Error(`it serves ${answer.clusterDir}`);
    return { server, endpoint, adopted: true };
  } catch (error) {
    if (server.hasExited()) return undefined;
    site.log.warn(
      { pid: file.pid, reason: messageOf(error) },
      'replacing an embedded PostgreSQL that was left running',
    );
    await stopServer(server, site.binaries, clusterDir, GONE_PATIENCE_MS);
    return undefined;
  }
}

/** An empty file is either being written this instant, or was emptied by a crash of the whole machine: PostgreSQL would refuse it. */
async function readSettledFile(clusterDir: string) {
  for (let attempt = 0; attempt < 20 && existsSync(join(clusterDir, 'postmaster.pid')); attempt += 1) {
    const file = readPostmasterFile(clusterDir);
    if (file) return file;
    await delay(25);
  }
  removePostmasterFile(clusterDir);
  return undefined;
}

async function startServer(site: Site, options: BringUpOptions): Promise<RunningServer> {
  const { clusterDir } = site.placement;
  const deadline = performance.now() + PASSING_TROUBLE_MS;
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1000)) {
    const endpoint = await options.chooseEndpoint();
    options.signal.throwIfAborted();
    if (endpoint.listen === 'socket') removeSocketFiles(endpoint);
    const { server, readLog } = spawnServer({ ...site, endpoint });
    options.onSpawn(server);
    try {
      await waitUntilReady(server, clusterDir, readLog, reportWaiting(site));
      await openDatabase(connectionTo(endpoint, site.password));
      return { server, endpoint, adopted: false };
    } catch (error) {
      await stopServer(server, site.binaries, clusterDir, GONE_PATIENCE_MS);
      const passing = error instanceof ServerStartError && error.passing && performance.now() < deadline;
      if (!passing || options.signal.aborted) throw error;
      for (const pid of findOrphans(clusterDir)) signalServer(pid, 'SIGQUIT');
    }
    await delay(pauseMs);
  }
}

/**
 * Only once no server is running: the lock file beside a socket holds a pid too, and PostgreSQL trusts it although the number
 * may by now be another process's, which in a restarted container is likely.
 */
function removeSocketFiles({ socketDir, port }: { socketDir: string; port: number }): void {
  for (const suffix of ['', '.lock']) rmSync(join(socketDir, `.s.PGSQL.${port}${suffix}`), { force: true });
}

function reportWaiting(site: Site): (seconds: number) => void {
  return (seconds) => site.log.info({ seconds }, 'embedded PostgreSQL is recovering; still waiting');
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
