import { beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/index.ts';
import { connectDatabase, type Sql } from './connect.ts';
import { compile } from './statement.ts';

let sql: Sql;
let url: string;
beforeAll(async () => {
  ({ sql, url } = await testDatabase());
  await sql`create table things (id int primary key, "odd ""name" text, at timestamptz, data jsonb, kept boolean)`;
});

describe('a template', () => {
  it('sends values apart from the text, and puts other templates and names into it', () => {
    const where = sql`where id = ${7} and ${sql('odd "name')} = ${`'; drop table things; --`}`;
    const { text, values } = compile(sql`select ${sql(['id', 'at'])} from things ${where} limit ${1}`);
    expect(text).toBe('select "id","at" from things where id = $1 and "odd ""name" = $2 limit $3');
    expect(values).toEqual([7, `'; drop table things; --`, 1]);
  });

  it('runs once however often it is awaited, and not at all as a piece of another', async () => {
    const insert = sql`insert into things (id) values (${1})`;
    await Promise.all([insert, insert]);
    await insert;
    const never = sql`insert into things (id) values (${2})`;
    expect(compile(sql`with a as (${never}) select 1`).values).toEqual([2]);
    expect((await sql`select id from things`).map((row) => row.id)).toEqual([1]);
  });

  it('refuses an undefined value', async () => {
    await expect(sql`select ${undefined as never}`).rejects.toThrow('undefined');
  });

  it('keeps the same name for the same text only', () => {
    const read = (id: number) => compile(sql`select * from things where id = ${id}`).name;
    expect(read(1)).toBe(read(2));
    expect(compile(sql`select 1 from things where id = ${1}`).name).not.toBe(read(1));
    // Without values there is nothing to plan for.
    expect(compile(sql`select 1`).name).toBeUndefined();
  });
});

describe('rows', () => {
  it('are written and changed by their columns, and counted', async () => {
    const at = new Date('2026-11-15T08:00:00.123Z');
    const made = await sql`insert into things ${sql([
      { id: 10, 'odd "name': 'تمر', at, kept: true, data: sql.json({ b: 1, a: [2] }) },
      { id: 11, 'odd "name': null, at: null, kept: false, data: null },
    ])}`;
    expect(made.count).toBe(2);
    const changed = await sql`update things set ${sql({ kept: true, at })} where id = ${11}`;
    expect(changed.count).toBe(1);
    const rows = await sql`select * from things where id >= 10 order by id`;
    expect(rows).toEqual([
      { id: 10, 'odd "name': 'تمر', at, kept: true, data: { a: [2], b: 1 } },
      { id: 11, 'odd "name': null, at, kept: true, data: null },
    ]);
    expect(rows.count).toBe(2);
  });

  it('come as arrays where that is asked for', async () => {
    expect([...(await sql`select 1 as a, 'x' as a`.asArrays())]).toEqual([[1, 'x']]);
  });
});

describe('values', () => {
  it('say what they are where the statement does not', async () => {
    const at = new Date('2026-03-01T00:00:00Z');
    const [row] = await sql`
      select pg_typeof(${at}) as at, pg_typeof(${true}) as flag, pg_typeof(${10n}) as whole,
             pg_typeof(${Buffer.from('x')}) as bytes`;
    expect(row).toEqual({
      at: 'timestamp with time zone',
      flag: 'boolean',
      whole: 'bigint',
      bytes: 'bytea',
    });
  });

  it('of every kind come back as they were sent', async () => {
    const at = new Date('0999-12-31T23:59:59.001Z');
    const [row] = await sql`
      select ${at} as at, ${[at, null]}::timestamptz[] as times, ${Buffer.from([0, 255])} as bytes,
             ${['a', 'b"c\\', null, 'NULL', '{}', 'د']}::text[] as words, ${[1.5, 2]}::numeric[] as numbers,
             ${[1, 9007199254740991]}::bigint[] as wholes, ${[true, false]}::boolean[] as flags,
             '2026-11-15'::date as day, ${'{"a":1}'}::json as json`;
    expect(row).toEqual({
      at,
      times: [at, null],
      bytes: Buffer.from([0, 255]),
      words: ['a', 'b"c\\', null, 'NULL', '{}', 'د'],
      numbers: [1.5, 2],
      wholes: [1, 9007199254740991],
      flags: [true, false],
      day: new Date('2026-11-15T00:00:00Z'),
      json: { a: 1 },
    });
  });
});

describe('a session', () => {
  it('is set up by us, whatever the server would do by itself', async () => {
    const usual = connectDatabase(url, { poolSize: 1, applicationName: 'tests' });
    const [row] = await usual`
      select current_setting('jit') as jit, current_setting('TimeZone') as zone,
             current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
             current_setting('idle_in_transaction_session_timeout') as idle,
             current_setting('default_transaction_isolation') as isolation`;
    expect(row).toEqual({
      jit: 'off',
      zone: 'UTC',
      statement: '5min',
      lock: '30s',
      idle: '1min',
      isolation: 'read committed',
    });
    await usual.end();
  });
});
