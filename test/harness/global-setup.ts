import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { installShell } from '../../console/e2e/harness/installed-chromium.ts';
import { buildConsoleWhenStale } from '../../scripts/build-console-when-stale.mjs';
import { buildService } from '../../src/app.ts';
import type { DemoLogins } from '../../src/demo/logins.ts';
import { ORDER_CHANGE_WEEKS, ORDER_FEED_WEEKS } from '../../src/modules/events/publisher.ts';
import { setPasswordCost } from '../../src/modules/identity/passwords/passwords.ts';
import { STAGING_WEEKS } from '../../src/modules/staging/staging-weeks.ts';
import { DELIVERY_WEEKS } from '../../src/modules/webhooks/delivery-weeks.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { checkConnection, ensureWeeks, migrate, type Sql } from '../../src/platform/database/index.ts';
import { connectionUrl, startEmbeddedPostgres } from '../../src/platform/postgres/index.ts';
import { createPlatform, MIGRATIONS_FOLDER } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';
import { dropClusterDatabases, makeClusterTemplate } from './cluster-databases.ts';
import { connectPatiently } from './connect-patiently.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server to make databases on, as a URL whose database is the one to connect to for that. */
    serverUrl: string;
    templateName: string;
    /** The template with the small demo, in runs that include the tests of the console. */
    demo: { template: string; logins: DemoLogins } | undefined;
    /** Of `npm run test:cluster`: databases are cloned from its template in place of the other one. */
    cluster: { url: string; template: string } | undefined;
    /** The bundle of the program, in a run of all tests. */
    programFile: string | undefined;
  }
}

export const TEST_SECRET = 'a secret for tests only, long enough';

const TEMPLATE_PREFIX = 'dukkan_template_';

const silent = pino({ level: 'silent' });

/** One server for the whole run, one migrated template in it; each test file clones the template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Selected files start the program from source: for a few starts the bundle is not worth its time.
  const selected = process.argv.slice(3).filter((argument) => !argument.startsWith('-'));
  const isWholeRun = selected.length === 0;
  // Imported here, since test files import this module for its names, and the bundler takes a second to load.
  const program = isWholeRun ? import('./build-program.ts').then(({ buildProgram }) => buildProgram()) : undefined;
  const hasBrowsers = isWholeRun || selected.some((name) => name.includes('console'));
  // Once, before three test files need them at the same time.
  const shell = hasBrowsers ? installShell() : undefined;
  if (hasBrowsers) await buildConsoleWhenStale();
  const folder = await mkdtemp(path.join(await chooseFolder(), 'dukkan-test-'));
  const given = process.env.TEST_DATABASE_URL;
  const embedded =
    given === undefined
      ? await startEmbeddedPostgres({
          dataDir: folder,
          log: silent,
          listen: 'tcp',
          // What a test writes need not outlive the machine; crash tests start servers of their own with fsync on.
          extraSettings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
        })
      : undefined;
  const serverUrl = given ?? (embedded ? connectionUrl(embedded.connection) : '');
  const templateName = `${TEMPLATE_PREFIX}${randomBytes(4).toString('hex')}`;

  const admin = connectPatiently(serverUrl, 1);
  await admin`create database ${admin(templateName)}`;
  const template = connectPatiently(databaseUrl(serverUrl, templateName), 4);
  await checkConnection(template, 'The server of the tests');
  await migrate(template, MIGRATIONS_FOLDER);
  await prepareTemplate(template);
  await template.end();

  const clusterUrl = process.env.CLUSTER_DATABASE_URL;
  project.provide(
    'cluster',
    clusterUrl ? { url: clusterUrl, template: await makeClusterTemplate(clusterUrl, prepareTemplate) } : undefined,
  );

  project.provide('demo', hasBrowsers ? await makeDemo(admin, serverUrl, templateName, folder) : undefined);
  project.provide('programFile', await program);
  await shell;
  project.provide('serverUrl', serverUrl);
  project.provide('templateName', templateName);
  // What Node has compiled here is most of what each worker is about to load: 0.9 instead of 2.3 CPU seconds.
  flushCompileCache();
  return async () => {
    if (clusterUrl) await dropClusterDatabases(clusterUrl);
    for (const name of [demoTemplate(templateName), templateName])
      await admin`drop database if exists ${admin(name)} with (force)`;
    if (given !== undefined) await leaveNothing(admin, templateName);
    await admin.end();
    await embedded?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function prepareTemplate(sql: Sql): Promise<void> {
  await makeQueues(sql);
  // Each start in a clone would create the partitions again: 43 ms of CPU time in PostgreSQL.
  for (const table of [ORDER_FEED_WEEKS, ORDER_CHANGE_WEEKS, STAGING_WEEKS, DELIVERY_WEEKS])
    await ensureWeeks(sql, table, new Date());
}

/** A few databases at a time, and what was written to them. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/** Test files make databases of a thousand files each and drop them: in memory, where there is enough, that is nearly free. */
async function chooseFolder(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined);
  // What it may hold is half of all memory, whatever of that is taken.
  const freeBytes = memory === undefined ? 0 : Math.min(memory.bavail * memory.bsize, freemem());
  return freeBytes >= NEEDED_BYTES ? '/dev/shm' : tmpdir();
}

/** The queues of the service and their schedules: each start in a clone would make them again, two dozen statements. */
async function makeQueues(sql: Sql): Promise<void> {
  const { platform, settings } = await platformOn(sql, { secret: 'for no installation' });
  const { closeHttp } = await buildService(platform, settings);
  await platform.jobs.start();
  await platform.jobs.stop();
  await closeHttp(0);
}

const demoTemplate = (templateName: string) => `${templateName}_demo`;

/** A second template, for the tests of the console: each of their files would otherwise load the small demo again. */
async function makeDemo(admin: Sql, serverUrl: string, templateName: string, folder: string) {
  const template = demoTemplate(templateName);
  await admin`create database ${admin(template)} template ${admin(templateName)} strategy file_copy`;
  const sql = connectPatiently(databaseUrl(serverUrl, template), 4);
  const { loadSmallDemo } = await import('../docs/small-demo.ts');
  const { platform } = await platformOn(sql, { secret: TEST_SECRET, dataDir: folder });
  // The browser tests sign in about 150 times.
  setPasswordCost(16);
  const logins = await loadSmallDemo(platform);
  await sql.end();
  return { template, logins };
}

async function platformOn(sql: Sql, { secret, dataDir }: { secret: string; dataDir?: string }) {
  const env = {
    DATABASE_URL: 'postgres://none/none',
    DUKKAN_SECRET: secret,
    METRICS_PORT: 'off',
    ...(dataDir !== undefined && { DUKKAN_DATA_DIR: dataDir }),
  };
  const settings = readSettings(env, process.cwd());
  const { platform: config } = settings;
  const platform = await createPlatform({
    config,
    log: silent,
    sql,
    backgroundSql: sql,
    secret,
    clock: systemClock(),
  });
  return { platform, settings };
}

/** What databases and accounts of this run are called, so that the end of it finds them all. */
export function prefixesOf(templateName: string): { databases: string; accounts: string } {
  const run = templateName.slice(TEMPLATE_PREFIX.length);
  return { databases: `dukkan_t_${run}_`, accounts: `dukkan_a_${run}_` };
}

/** A file cleans up after itself where it can: what it made inside a hook or a test, or was killed with, is still there. */
async function leaveNothing(admin: Sql, templateName: string): Promise<void> {
  const { databases, accounts } = prefixesOf(templateName);
  const left = await admin<
    { name: string }[]
  >`select datname as name from pg_database where starts_with(datname, ${databases})`;
  for (const { name } of left) await admin`drop database if exists ${admin(name)} with (force)`;
  const roles = await admin<
    { name: string }[]
  >`select rolname as name from pg_roles where starts_with(rolname, ${accounts})`;
  for (const { name } of roles) await admin`drop role if exists ${admin(name)}`;
}

export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
