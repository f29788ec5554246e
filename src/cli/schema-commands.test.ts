import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  emptyDatabase,
  listMigrations,
  migrationsUpTo,
  TEST_SECRET,
  type TestDatabase,
} from '../../test/harness/index.ts';
import { run } from '../../test/start/service-process.ts';
import { connectDatabase, migrate, serviceName } from '../platform/database/index.ts';

let database: TestDatabase;
let folder: string;
let settings: Record<string, string>;
let newestLevel: string;

/** The newest migration that is not declared rolling: a service without it must be stopped first. */
const NOT_ROLLING = '0065';
let applied: string[];

/** A database of an earlier release, with that release still running on it. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dukkan-levels-'));
  database = await emptyDatabase();
  settings = { DATABASE_URL: database.url, DUKKAN_SECRET: TEST_SECRET, DUKKAN_DATA_DIR: folder, LOG_LEVEL: 'warn' };
  const names = await listMigrations();
  newestLevel = String(names.at(-1)).slice(0, 4);
  applied = names.filter((name) => name < NOT_ROLLING);
  const earlier = String(applied.at(-1));
  await migrate(database.sql, await migrationsUpTo(earlier));
  const applicationName = serviceName({ version: '0.9.0', level: earlier.slice(0, 4) });
  const running = connectDatabase(database.url, { poolSize: 1, applicationName });
  afterAll(() => running.end({ timeout: 1 }));
  // As a service has one that listens: those of its pool are closed when they have been idle for a while.
  await running.listen('anything', () => undefined);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const dukkan = (line: string, more = {}) => run(line.split(' '), { ...settings, ...more }).ended;
const appliedNames = async () => {
  const rows = await database.sql<{ name: string }[]>`select name from schema_migrations order by name`;
  return rows.map(({ name }) => name);
};

describe('a database that is behind, with an older service on it', () => {
  it.each(['org create --name-en Najd', 'seed', 'rebuild'])(
    '%s: says what to do and migrates nothing',
    async (line) => {
      const { code, out, err } = await dukkan(line);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(
        new RegExp(`^dukkan: The database is at schema \\d+, .* needs ${newestLevel}: run dukkan migrate,.*\n$`),
      );
      expect(await appliedNames()).toEqual(applied);
    },
  );

  it.each(['migrate', 'serve'])('%s: names the service in the way and migrates nothing', async (line) => {
    const { code, out, err } = await dukkan(line);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^dukkan: Dukkan 0\.9\.0 \(schema \d+, 1 connections.*\) is running on this database.*\n$/);
    expect(await appliedNames()).toEqual(applied);
  });

  it('DUKKAN_MIGRATE takes one word', async () => {
    const { code, err } = await dukkan('migrate', { DUKKAN_MIGRATE: 'yes' });
    expect([code, err]).toEqual([1, 'dukkan: Setting: DUKKAN_MIGRATE must be force or absent, not "yes"\n']);
  });

  it('migrate --force: does it, and from then on commands work', async () => {
    const { code, out, err } = await dukkan('migrate --force');
    expect(code).toBe(0);
    const pending = (await listMigrations()).length - applied.length;
    expect(err).toMatch(new RegExp(`^(\\d/${pending} \\d{4}_\\w+\\.(sql|ts) {2}\\d+\\.\\d s.*\n){${pending}}$`));
    expect(out).toMatch(/^Applied \d migrations in \d+\.\d s\.\nThe database is up to date\.\n$/);
    expect(await appliedNames()).toEqual(await listMigrations());
    expect(await dukkan('org create --name-en Najd')).toMatchObject({ code: 0, err: '' });
  });
});
