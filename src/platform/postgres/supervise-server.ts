import { rmdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type BringUpOptions,
  bringUpServer,
  chooseFirstEndpoint,
  messageOf,
  type RunningServer,
  type ServerSetup,
} from './bring-up-server.ts';
import { type Connection, connectionTo } from './connection.ts';
import { type ServerProcess, signalServer, stopServer } from './server-process.ts';

export type EmbeddedPostgres = {
  connection: Connection;
  /** The server was already running, left by a service that was killed. */
  adopted: boolean;
  /** Of the current server process; changes after a restart. */
  readonly pid: number;
  /** Closes all connections, waits for the server to exit and releases the data folder. Safe to call twice. */
  stop(options?: { timeoutMs?: number }): Promise<void>;
};

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10_000;
/** After this uptime a crash restarts the backoff. */
const STEADY_MS = 30_000;
const STOP_TIMEOUT_MS = 8000;

export async function superviseServer(
  setup: ServerSetup,
  listen: 'socket' | 'tcp',
  onStopped: () => void,
): Promise<EmbeddedPostgres> {
  const ending = new AbortController();
  let current: ServerProcess | undefined;
  const onSpawn = (server: ServerProcess) => {
    current = server;
  };
  // An exit without stop(), as after an uncaught error, also stops the server.
  const onProcessExit = () => {
    if (current && !current.hasExited()) signalServer(current.pid, 'SIGINT');
  };
  process.once('exit', onProcessExit);

  const first = await bringUpServer(setup, {
    accepts: (endpoint) => endpoint.listen === listen,
    chooseEndpoint: () => chooseFirstEndpoint(setup.placement, listen),
    onSpawn,
    signal: ending.signal,
  }).catch((error: unknown) => {
    process.removeListener('exit', onProcessExit);
    throw error;
  });
  setup.log.info({ pid: first.server.pid, adopted: first.adopted }, 'embedded PostgreSQL is ready');

  const { endpoint } = first;
  const watching = keepRunning(setup, first, {
    accepts: (other) => JSON.stringify(other) === JSON.stringify(endpoint),
    chooseEndpoint: () => endpoint,
    onSpawn,
    signal: ending.signal,
  });

  async function stopOnce(timeoutMs: number): Promise<void> {
    ending.abort();
    try {
      if (current) await stopServer(current, setup.binaries, setup.placement.clusterDir, timeoutMs);
    } finally {
      process.removeListener('exit', onProcessExit);
      await watching;
      if (endpoint.listen === 'socket') removeSocketFolder(endpoint.socketDir);
      onStopped();
    }
    setup.log.info({}, 'embedded PostgreSQL has stopped');
  }

  let stopped: Promise<void> | undefined;
  return {
    connection: connectionTo(endpoint, setup.password),
    adopted: first.adopted,
    get pid() {
      return current?.pid ?? first.server.pid;
    },
    stop({ timeoutMs = STOP_TIMEOUT_MS } = {}) {
      stopped ??= stopOnce(timeoutMs);
      return stopped;
    },
  };
}

function removeSocketFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // A killed server leaves its socket file; the next one replaces it.
  }
}

/** Restarts a dead server on the same endpoint, so that pools reconnect by themselves. Backs off when it dies soon after a start. */
async function keepRunning(setup: ServerSetup, first: RunningServer, options: BringUpOptions): Promise<void> {
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
        setup.log.warn({ pid: running.server.pid, pauseMs }, 'embedded PostgreSQL died; restarting it');
        running = undefined;
      }
      await delay(pauseMs, undefined, { signal });
      pauseMs = Math.min(pauseMs * 2, LONGEST_DELAY_MS);
      running = await bringUpServer(setup, options);
      setup.log.info({ pid: running.server.pid }, 'embedded PostgreSQL is back');
    } catch (error) {
      if (signal.aborted) return;
      setup.log.warn({ reason: messageOf(error), pauseMs }, 'embedded PostgreSQL does not start; retrying');
    }
  }
}
