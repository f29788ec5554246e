import { rmdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type BringUpOptions,
  bringUpServer,
  chooseFirstEndpoint,
  messageOf,
  type RunningServer,
  type Site,
} from './bring-up-server.ts';
import { type Connection, connectionTo } from './connection.ts';
import { type ServerProcess, signalServer, stopServer } from './server-process.ts';

export type EmbeddedPostgres = {
  connection: Connection;
  /** Whether the server was already running, left behind by a service that was killed. */
  adopted: boolean;
  /** Of the server as it runs now: it changes when a dead server was started again. */
  readonly pid: number;
  /** Cuts all connections, waits for the server's end and gives the data folder free. Safe to call twice. */
  stop(options?: { patienceMs?: number }): Promise<void>;
};

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10_000;
/** A server that ran this long had a good start; its death begins a new series of delays. */
const STEADY_MS = 30_000;
const STOP_PATIENCE_MS = 8000;

export async function superviseServer(
  site: Site,
  listen: 'socket' | 'tcp',
  onStopped: () => void,
): Promise<EmbeddedPostgres> {
  const ending = new AbortController();
  let current: ServerProcess | undefined;
  const onSpawn = (server: ServerProcess) => {
    current = server;
  };
  // Leaving without stop(), as after an uncaught error, still takes the server along.
  const onProcessExit = () => {
    if (current && !current.hasExited()) signalServer(current.pid, 'SIGINT');
  };
  process.once('exit', onProcessExit);

  const first = await bringUpServer(site, {
    accepts: (endpoint) => endpoint.listen === listen,
    chooseEndpoint: () => chooseFirstEndpoint(site.placement, listen),
    onSpawn,
    signal: ending.signal,
  }).catch((error: unknown) => {
    process.removeListener('exit', onProcessExit);
    throw error;
  });
  site.log.info({ pid: first.server.pid, adopted: first.adopted }, 'embedded PostgreSQL is ready');

  const { endpoint } = first;
  const watching = keepRunning(site, first, {
    accepts: (other) => JSON.stringify(other) === JSON.stringify(endpoint),
    chooseEndpoint: () => endpoint,
    onSpawn,
    signal: ending.signal,
  });

  async function stopOnce(patienceMs: number): Promise<void> {
    ending.abort();
    try {
      if (current) await stopServer(current, site.binaries, site.placement.clusterDir, patienceMs);
    } finally {
      process.removeListener('exit', onProcessExit);
      await watching;
      if (endpoint.listen === 'socket') removeSocketFolder(endpoint.socketDir);
      onStopped();
    }
    site.log.info({}, 'embedded PostgreSQL has stopped');
  }

  let stopped: Promise<void> | undefined;
  return {
    connection: connectionTo(endpoint, site.password),
    adopted: first.adopted,
    get pid() {
      return current?.pid ?? first.server.pid;
    },
    stop({ patienceMs = STOP_PATIENCE_MS } = {}) {
      stopped ??= stopOnce(patienceMs);
      return stopped;
    },
  };
}

function removeSocketFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // A server that had to be stopped the hard way leaves its socket file; the next one replaces it.
  }
}

/** Starts a server that died again, at the same address, so that pools find it by themselves; waits longer each time it dies young. */
async function keepRunning(site: Site, first: RunningServer, options: BringUpOptions): Promise<void> {
  const { signal } = options;
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  let running: RunningServer | undefined = first;
  let pauseMs = FIRST_DELAY_MS;
  while (!signal.aborted) {
    try {
      if (running) {
        const since = performance.now();
        await Promise.race([running.server.exited, aborted]);
        if (signal.aborted) return;
        if (performance.now() - since > STEADY_MS) pauseMs = FIRST_DELAY_MS;
        site.log.warn({ pid: running.server.pid, pauseMs }, 'embedded PostgreSQL died; starting it again');
        running = undefined;
      }
      await delay(pauseMs, undefined, { signal });
      pauseMs = Math.min(pauseMs * 2, LONGEST_DELAY_MS);
      running = await bringUpServer(site, options);
      site.log.info({ pid: running.server.pid }, 'embedded PostgreSQL is back');
    } catch (error) {
      if (signal.aborted) return;
      site.log.warn({ reason: messageOf(error), pauseMs }, 'embedded PostgreSQL does not start; trying again');
    }
  }
}
