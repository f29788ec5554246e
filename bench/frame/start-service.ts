import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DemoLogins, readLogins } from '../../src/demo/logins.ts';
import { connectDatabase, type DatabaseAddress, type Sql } from '../../src/platform/database/index.ts';
import { findRunningServer } from '../../src/platform/postgres/index.ts';
import type { CleanUp } from './clean-up.ts';
import { GIVEN_SERVER, makeDatabase } from './given-server.ts';
import { type BenchProcess, startProcess, waitUntilReady } from './start-process.ts';

export type ServiceOptions = {
  /** Loads the demo first; its logins are then in `demo`. */
  demo?: boolean;
  /** A database of a server that is running already. */
  databaseUrl?: string;
  env?: Record<string, string>;
  nodeOptions?: string[];
};

export type BenchService = {
  baseUrl: string;
  process: BenchProcess;
  /** The server that the service uses, for baselines that are the driver alone and for filling tables. */
  address: DatabaseAddress;
  sql: Sql;
  demo: DemoLogins | undefined;
};

const MAIN = new URL('../../src/main.ts', import.meta.url);
const DRIVER_CONNECTIONS = 16;

/** The service as `npm start` runs it, on an embedded PostgreSQL of its own with fsync on, or on a server that was given. */
export async function startService(cleanUp: CleanUp, options: ServiceOptions = {}): Promise<BenchService> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dukkan-bench-'));
  cleanUp.add(() => removeData(dataDir));
  const databaseUrl =
    options.databaseUrl ?? (GIVEN_SERVER === undefined ? undefined : await makeDatabase(GIVEN_SERVER, cleanUp));
  const service = await startProcess(MAIN, cleanUp, {
    args: ['serve'],
    nodeOptions: options.nodeOptions,
    env: {
      DATABASE_URL: databaseUrl ?? '',
      DUKKAN_SECRET: databaseUrl === undefined ? '' : randomBytes(32).toString('hex'),
      DUKKAN_DATA_DIR: dataDir,
      DUKKAN_DEMO: options.demo ? 'static' : 'false',
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: process.env.BENCH_LOG ?? 'warn',
      ...options.env,
    },
  });
  const baseUrl = await waitUntilReady(service, 'The service', ({ line }) => line?.match(/ready at (\S+)/)?.[1]);
  const address = databaseUrl ?? (await findRunningServer(dataDir));
  if (address === undefined) throw new Error('The service runs, but its PostgreSQL was not found');
  const sql = connectDatabase(address, { poolSize: DRIVER_CONNECTIONS, applicationName: 'bench' });
  cleanUp.add(() => sql.end({ timeout: 1 }));
  return { baseUrl, process: service, address, sql, demo: await readLogins(dataDir) };
}

export async function removeData(dataDir: string): Promise<void> {
  await stopOrphan(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'));
  // Where PostgreSQL could not enter the folder, its entry is a link to a place of its own.
  const cluster = await realpath(path.join(dataDir, 'postgres')).catch(() => undefined);
  if (cluster !== undefined) await rm(cluster, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

/** A service that had to be killed leaves its PostgreSQL running. */
async function stopOrphan(pidFile: string): Promise<void> {
  const text = await readFile(pidFile, 'utf8').catch(() => undefined);
  const pid = Number.parseInt(text ?? '', 10);
  if (!(pid > 0)) return;
  try {
    process.kill(pid, 'SIGQUIT');
    while (process.kill(pid, 0)) await delay(50);
  } catch {
    // Gone, which is what we are waiting for.
  }
}
