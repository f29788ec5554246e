import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { inject } from 'vitest';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import type { Sql } from '../../src/platform/database/index.ts';
import { type RunningService, type StartOptions, startService } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';
import { type TestOrganization, testOrganization } from './accounts.ts';
import { type Call, call, type Reply, type ReplyBody } from './client.ts';
import { cloneClusterDatabase, dropClusterDatabase } from './cluster-databases.ts';
import { connectPatiently, PATIENT_LIMITS } from './connect-patiently.ts';
import { atEndOfFile } from './end-of-file.ts';
import { databaseUrl, prefixesOf, TEST_SECRET } from './global-setup.ts';
import { patienceMs } from './patience.ts';

export * from './accounts.ts';
export * from './amount.ts';
export * from './client.ts';
export * from './connect-patiently.ts';
export * from './migrations-up-to.ts';
export * from './patience.ts';
export * from './raw-http.ts';

export { TEST_SECRET };

/** Upper bound for operations that end by a limit of their own: without that limit they would take minutes or never end. */
export const BOUNDED_MS = 2 * patienceMs();

export type TestDatabase = { url: string; sql: Sql };

/** A database of its own, cloned from the migrated template; dropped when the file's tests are done. */
export function testDatabase(): Promise<TestDatabase> {
  return makeDatabase(inject('templateName'));
}

/** Of `npm run test:cluster`: where a cluster has other statements or limits than one server. */
export function isOnCluster(): boolean {
  return inject('cluster') !== undefined;
}

/** With the small demo, in runs that include the tests of the console. */
export async function demoDatabase() {
  const demo = inject('demo');
  if (demo === undefined) throw new Error('the run was started without the tests of the console');
  return { database: await makeDatabase(demo.template), logins: demo.logins };
}

/** Without a single table, for tests of how tables come about. */
export function emptyDatabase(): Promise<TestDatabase> {
  return makeDatabase('template0');
}

/** For all files of the worker, with whose process it ends. */
let workerAdmin: Sql | undefined;

async function makeDatabase(template: string): Promise<TestDatabase> {
  const cluster = inject('cluster');
  if (cluster !== undefined && template === inject('templateName')) {
    const database = await cloneClusterDatabase(cluster.url, cluster.template);
    atEndOfFile(() => dropClusterDatabase(cluster.url, database));
    return database;
  }
  const serverUrl = inject('serverUrl');
  const name = prefixesOf(inject('templateName')).databases + randomBytes(6).toString('hex');
  workerAdmin ??= connectPatiently(serverUrl, 1);
  const admin = workerAdmin;
  // Page by page through the log, which is the default, takes ten times as long.
  await admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`;
  const url = databaseUrl(serverUrl, name);
  const sql = connectPatiently(url, 4);
  atEndOfFile(async () => {
    await sql.end({ timeout: 1 });
    await admin`drop database if exists ${admin(name)} with (force)`;
  });
  return { url, sql };
}

export type TestService = RunningService & { sql: Sql; databaseUrl: string; dataDir: string };

/** The whole service in this process, on a port of its own and a database of its own; stopped with the file's tests. */
export async function testService(
  settings: Record<string, string> = {},
  options: { clock?: Clock; database?: TestDatabase; limits?: StartOptions['limits']; duePollMs?: number } = {},
): Promise<TestService> {
  const database = options.database ?? (await testDatabase());
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dukkan-data-'));
  const wholeSettings = readSettings(
    {
      PORT: '0',
      DATABASE_URL: database.url,
      DUKKAN_SECRET: TEST_SECRET,
      DUKKAN_DATA_DIR: dataDir,
      DATABASE_POOL_SIZE: '8',
      DUKKAN_ENV: 'test',
      METRICS_PORT: 'off',
      // Tests move the clock by months; tests of the billing run call it.
      DUKKAN_BILLING: 'off',
      // Whether one happens to be built must change nothing; tests of the console name a folder.
      DUKKAN_CONSOLE: 'off',
      ...settings,
    },
    process.cwd(),
  );
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const running = await startService(wholeSettings, log, {
    clock: options.clock ?? systemClock(),
    limits: options.limits ?? { request: PATIENT_LIMITS, background: PATIENT_LIMITS },
    duePollMs: options.duePollMs ?? 250,
  });
  const service = { ...running, sql: database.sql, databaseUrl: database.url, dataDir };
  atEndOfFile(async () => {
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
    forget(service);
  });
  return service;
}

/** A test file stays loaded until its worker ends, and with it what its variables hold: 4 to 7 MB for each service. */
function forget(holder: object): void {
  for (const name of Object.keys(holder)) Reflect.deleteProperty(holder, name);
}

export type TestShop = {
  service: TestService;
  shop: TestOrganization;
  /** As the owner, unless another token is given. */
  ask<Body = ReplyBody>(target: string, options?: Call): Promise<Reply<Body>>;
};

/** What most test files begin with: a service, one organization in it, and its owner's way to ask. */
export async function testShop(...settings: Parameters<typeof testService>): Promise<TestShop> {
  const service = await testService(...settings);
  const shop = await testOrganization(service.sql);
  return {
    service,
    shop,
    ask: (target, options) => call(service.baseUrl, target, { token: shop.owner.token, ...options }),
  };
}
