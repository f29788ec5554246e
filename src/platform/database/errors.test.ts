import { access } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/index.ts';
import { connectDatabase, type Sql } from './connect.ts';
import { classifyDatabaseError, isConflictOn } from './errors.ts';

let sql: Sql;
let url: string;
beforeAll(async () => {
  ({ sql, url } = await testDatabase());
  await sql`create table shelves (id int primary key, name text constraint shelves_name unique)`;
  await sql`create table boxes (shelf int constraint boxes_shelf references shelves)`;
  await sql`insert into shelves values (1, 'top')`;
});

async function faultOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('nothing went wrong');
}

describe('what the database throws', () => {
  it.each([
    ['a taken key', () => sql`insert into shelves values (1, 'x')`, { kind: 'conflict', constraint: 'shelves_pkey' }],
    [
      'a taken name',
      () => sql`insert into shelves values (2, 'top')`,
      { kind: 'conflict', constraint: 'shelves_name' },
    ],
    [
      'a missing row',
      () => sql`insert into boxes values (9)`,
      { kind: 'missing-reference', constraint: 'boxes_shelf' },
    ],
    [
      'a node of a cluster that does not answer',
      () =>
        sql.unsafe(`do $$ begin raise exception using errcode = '08006',
        message = 'connection to the remote node a@b:1 failed with the following error: Connection refused'; end $$`),
      { kind: 'unavailable' },
    ],
    [
      'a taken key in rows that a cluster copied to a node',
      () =>
        sql.unsafe(`do $$ begin raise exception using errcode = 'XX000',
        message = 'duplicate key value violates unique constraint "orders_pkey_102008"'; end $$`),
      { kind: 'conflict', constraint: 'orders_pkey' },
    ],
    ['a number too large', () => sql`select 99999999999::int`, { kind: 'unusable-value' }],
    ['text that is no id', () => sql`select ${'nonsense'}::text::uuid`, { kind: 'unusable-value' }],
    ['a NUL', () => sql`select ${'a\u0000b'}::text`, { kind: 'unusable-value' }],
    ['a day that does not exist', () => sql`select '2026-02-30'::text::date`, { kind: 'unusable-value' }],
    ['a statement that is wrong', () => sql`select nonsense`, { kind: 'other' }],
    ['a serialization failure', () => sql.unsafe(raise('40001')), { kind: 'retry' }],
    ['a deadlock', () => sql.unsafe(raise('40P01')), { kind: 'retry' }],
    [
      'a row whose partition was attached meanwhile',
      () =>
        sql.unsafe(`
          create temp table parted (n int) partition by list (n);
          create temp table part_one partition of parted for values in (1);
          insert into part_one values (2)`),
      { kind: 'retry' },
    ],
    ['a server that is going down', () => sql.unsafe(raise('57P01')), { kind: 'unavailable' }],
    ['too many clients', () => sql.unsafe(raise('53300')), { kind: 'unavailable' }],
    ['a standby', () => sql.unsafe(raise('25006')), { kind: 'unavailable' }],
  ])('%s', async (_what, work, expected) => {
    expect(classifyDatabaseError(await faultOf(work()))).toEqual(expected);
  });

  it('a connection that is cut in the middle', async () => {
    const own = connectDatabase(url, { poolSize: 1, applicationName: 'to be cut' });
    const cut = faultOf(own`select pg_sleep(30)`);
    await expect
      .poll(async () => {
        const ended = await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'to be cut' and query like '%pg_sleep(30)%'`;
        return ended.length;
      })
      .toBe(1);
    expect(classifyDatabaseError(await cut)).toEqual({ kind: 'unavailable' });
    await own.end({ timeout: 1 });
  });

  it('no server at all', async () => {
    for (const address of ['postgres://u@127.0.0.1:1/db', 'postgres://u@no.such.host.invalid/db']) {
      const nowhere = connectDatabase(address, { poolSize: 1, applicationName: 'tests' });
      expect(classifyDatabaseError(await faultOf(nowhere`select 1`))).toEqual({ kind: 'unavailable' });
      await nowhere.end({ timeout: 1 });
    }
    const socket = connectDatabase(
      { host: '/nowhere', port: 5432, user: 'u', password: '', database: 'db' },
      { poolSize: 1, applicationName: 'tests' },
    );
    expect(classifyDatabaseError(await faultOf(socket`select 1`))).toEqual({ kind: 'unavailable' });
    await socket.end({ timeout: 1 });
  });
});

describe('what others throw', () => {
  it('is none of the database, even with a code it also uses', async () => {
    expect(classifyDatabaseError(await faultOf(access('/nowhere/file')))).toEqual({ kind: 'other' });
    expect(classifyDatabaseError(new Error('x'))).toEqual({ kind: 'other' });
    expect(classifyDatabaseError('x')).toEqual({ kind: 'other' });
    expect(classifyDatabaseError(Object.assign(new Error('x'), { code: '23505' }))).toEqual({ kind: 'other' });
  });
});

describe('a conflict on one constraint', () => {
  it('is not one on another', async () => {
    const error = await faultOf(sql`insert into shelves values (2, 'top')`);
    expect(isConflictOn(error, 'shelves_name')).toBe(true);
    expect(isConflictOn(error, 'shelves_pkey')).toBe(false);
    expect(isConflictOn(new Error('x'), 'shelves_name')).toBe(false);
  });
});

function raise(code: string): string {
  return `do $$ begin raise exception 'made up' using errcode = '${code}'; end $$`;
}
