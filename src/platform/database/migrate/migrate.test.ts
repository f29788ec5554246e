import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connectPatiently } from '../../../../test/harness/connect-patiently.ts';
import { databaseUrl } from '../../../../test/harness/global-setup.ts';
import type { Sql } from '../connect.ts';
import { migrate } from './migrate.ts';
import { MigrationError } from './migration-error.ts';

let folder: string;
const admin = connectPatiently(inject('serverUrl'), 1);
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dukkan-migrations-'));
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
  await admin.end();
  await rm(folder, { recursive: true, force: true });
});

async function emptyDatabase(): Promise<string> {
  const name = `dukkan_m_${randomBytes(6).toString('hex')}`;
  await admin`create database ${admin(name)}`;
  undo.push(() => admin`drop database if exists ${admin(name)} with (force)`);
  return databaseUrl(inject('serverUrl'), name);
}

function connect(url: string): Sql {
  const sql = connectPatiently(url, 2);
  undo.push(() => sql.end({ timeout: 1 }));
  return sql;
}

async function migrations(files: Record<string, string>): Promise<string> {
  const place = await mkdtemp(path.join(folder, 'set-'));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(place, name), text);
  return place;
}

const FIRST = { '0001_shops.sql': 'create table shops (id int primary key); insert into shops values (1);' };
const SECOND = { '0002_more.sql': 'insert into shops values (2); create index shops_again on shops (id);' };

describe('migrating', () => {
  it('applies what is missing in the order of names, and nothing twice', async () => {
    const sql = connect(await emptyDatabase());
    const one = await migrations(FIRST);
    const two = await migrations({ ...SECOND, ...FIRST, 'notes.txt': 'not a migration' });
    expect(await migrate(sql, one)).toEqual(['0001_shops.sql']);
    expect(await migrate(sql, two)).toEqual(['0002_more.sql']);
    expect(await migrate(sql, two)).toEqual([]);
    expect(await sql`select id from shops order by id`).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('runs each file once when eight starters come together', async () => {
    const url = await emptyDatabase();
    const set = await migrations({
      ...FIRST,
      // Long enough that every starter arrives while the first is at it.
      '0002_slow.sql': 'select pg_sleep(0.3); insert into shops values (2);',
    });
    const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(connect(url), set)));
    // The process that gets the lock applies the next file: one may apply all, or they may share.
    expect(applied.flat().toSorted()).toEqual(['0001_shops.sql', '0002_slow.sql']);
    expect(await connect(url)`select count(*) as shops from shops`).toEqual([{ shops: 2 }]);
  });

  it('leaves nothing of a file that fails, and goes on from there once it is mended', async () => {
    const sql = connect(await emptyDatabase());
    const broken = await migrations({ ...FIRST, '0002_more.sql': 'insert into shops values (2); select nonsense;' });
    await expect(migrate(sql, broken)).rejects.toThrow(/^Migration 0002_more\.sql failed: .*nonsense/);
    expect(await sql`select id from shops`).toEqual([{ id: 1 }]);
    expect(await migrate(sql, await migrations({ ...FIRST, ...SECOND }))).toEqual(['0002_more.sql']);
  });

  it('gives the lock back after a failure', async () => {
    const sql = connect(await emptyDatabase());
    await expect(migrate(sql, await migrations({ '0001_bad.sql': 'nonsense' }))).rejects.toThrow(MigrationError);
    expect(
      await sql`select 1 from pg_locks where locktype = 'advisory' and database = (
      select oid from pg_database where datname = current_database())`,
    ).toEqual([]);
  });

  it('refuses a file that was changed after it was applied', async () => {
    const sql = connect(await emptyDatabase());
    await migrate(sql, await migrations(FIRST));
    const rewritten = await migrations({ '0001_shops.sql': `${FIRST['0001_shops.sql']} -- better`, ...SECOND });
    await expect(migrate(sql, rewritten)).rejects.toThrow('Migration 0001_shops.sql was changed after it was applied');
    expect(await sql`select id from shops`).toEqual([{ id: 1 }]);
  });

  it('refuses a database that is newer than the files', async () => {
    const sql = connect(await emptyDatabase());
    await migrate(sql, await migrations({ ...FIRST, ...SECOND }));
    await expect(migrate(sql, await migrations(FIRST))).rejects.toThrow(/0002_more\.sql, .* newer/);
  });

  it('runs a replacement in place of a released file that was not applied, and records the released one', async () => {
    const set = await migrations({ ...FIRST, ...SECOND });
    await mkdir(path.join(set, 'replacements'));
    const replacement = `export const migrate = ({ sql }) => sql\`insert into shops values (22)\`;`;
    await writeFile(path.join(set, 'replacements', '0002_more.ts'), replacement);
    const sql = connect(await emptyDatabase());
    expect(await migrate(sql, set)).toEqual(['0001_shops.sql', '0002_more.sql']);
    expect(await sql`select id from shops order by id`).toEqual([{ id: 1 }, { id: 22 }]);
    expect(await migrate(sql, await migrations({ ...FIRST, ...SECOND }))).toEqual([]);
  });

  it('does not run a replacement where the released file was applied', async () => {
    const sql = connect(await emptyDatabase());
    await migrate(sql, await migrations(FIRST));
    const set = await migrations({ ...FIRST, ...SECOND });
    await mkdir(path.join(set, 'replacements'));
    await writeFile(path.join(set, 'replacements', '0001_shops.sql'), 'insert into shops values (11);');
    expect(await migrate(sql, set)).toEqual(['0002_more.sql']);
    expect(await sql`select id from shops order by id`).toEqual([{ id: 1 }, { id: 2 }]);
  });
});
