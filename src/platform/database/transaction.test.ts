import { beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/index.ts';
import { connectDatabase, type Sql, type Tx } from './connect.ts';
import { classifyDatabaseError } from './errors.ts';
import { batchReads } from './read-batching.ts';
import { withoutTenant } from './tenant-context.ts';
import { inSnapshot, inTransaction } from './transaction.ts';

let sql: Sql;
let url: string;
beforeAll(async () => {
  ({ sql, url } = await testDatabase());
  await sql`create table marks (name text primary key, made_in text not null, filler text)`;
});

const idOf = async (tx: Tx | Sql) => (await tx<{ id: string }[]>`select pg_current_xact_id()::text as id`)[0]?.id ?? '';

describe('five hundred transactions and as many statements at once, some of them large', () => {
  it('never run a statement in a transaction that is not its own', async () => {
    const filler = 'م'.repeat(200_000);
    const pool = connectDatabase(url, { poolSize: 8, applicationName: 'many' });
    const alone: string[] = [];
    const together: string[] = [];
    const transactions = Array.from({ length: 500 }, async (_, number) => {
      const fails = number % 3 === 0;
      const work = inTransaction(pool, async (tx) => {
        const first = await idOf(tx);
        // Not awaited one by one: a connection sends its statements in order all the same.
        const [, second] = await Promise.all([
          tx`insert into marks (name, made_in, filler)
             values (${`t${number}`}, ${first}, ${number % 5 === 0 ? filler : ''})`,
          idOf(tx),
          tx`select ${number % 7 === 0 ? filler : 'x'}::text as echo`,
        ]);
        const third = await idOf(tx);
        expect([second, third]).toEqual([first, first]);
        together.push(first);
        if (fails) throw new Error('undone');
      });
      await (fails ? expect(work).rejects.toThrow('undone') : work);
    });
    const statements = Array.from({ length: 500 }, async (_, number) => {
      const [row] = await pool<{ made_in: string }[]>`
        insert into marks (name, made_in, filler)
        values (${`s${number}`}, pg_current_xact_id()::text, ${number % 5 === 0 ? filler : ''}) returning made_in`;
      alone.push(row?.made_in ?? '');
    });
    await Promise.all([...transactions, ...statements]);
    await pool.end();

    expect(new Set([...alone, ...together]).size).toBe(1000);
    const [kept] = await sql<{ transactions: number; statements: number; strays: number }[]>`
      select count(*) filter (where name like 't%') as transactions, count(*) filter (where name like 's%') as statements,
             count(*) filter (where name like 't%' and substr(name, 2)::int % 3 = 0) as strays
      from marks`;
    expect(kept).toEqual({ transactions: 333, statements: 500, strays: 0 });
  });
});

describe('a transaction', () => {
  it('fails when one of its statements failed, whether anybody minded or not', async () => {
    const work = inTransaction(sql, async (tx) => {
      await tx`insert into marks (name, made_in) values ('quiet', '')`;
      await tx`select 1 / 0`.catch(() => undefined);
    });
    await expect(work).rejects.toThrow('division by zero');
    expect(await sql`select 1 from marks where name = 'quiet'`).toEqual([]);
  });

  it('takes no statement after its end', async () => {
    const tx = await inTransaction(sql, async (open) => [open] as const);
    await expect(tx[0]`insert into marks (name, made_in) values ('late', '')`).rejects.toThrow('after the end');
    await expect(tx[0].unsafe('select 1')).rejects.toThrow('after the end');
  });

  it('begins again when it and another lock each other out, and both succeed', async () => {
    await sql`insert into marks (name, made_in) values ('left', ''), ('right', '')`;
    const both = Promise.withResolvers<void>();
    let holding = 0;
    let runs = 0;
    const takeBoth = (names: [string, string]) =>
      inTransaction(sql, async (tx) => {
        runs += 1;
        await tx`update marks set made_in = made_in || 'x' where name = ${names[0]}`;
        holding += 1;
        if (holding === 2) both.resolve();
        await both.promise;
        await tx`update marks set made_in = made_in || 'x' where name = ${names[1]}`;
      });
    await Promise.all([takeBoth(['left', 'right']), takeBoth(['right', 'left'])]);
    // The retry may start before the other transaction has continued, and collide again.
    expect(runs).toBeGreaterThanOrEqual(3);
    expect(await sql`select made_in from marks where name in ('left', 'right')`).toEqual([
      { made_in: 'xx' },
      { made_in: 'xx' },
    ]);
  });

  it('fails by its first error, and is retried for it, also where a later statement of the same message is noticed before', async () => {
    let attempts = 0;
    const attempt = (code: string) =>
      inTransaction(sql, async (tx) => {
        attempts += 1;
        const first = async () => {
          try {
            await tx.unsafe(`do $$ begin raise exception using errcode = '${code}'; end $$`);
          } finally {
            // As a rule within a rule: its caller learns of it some steps later.
            for (let step = 0; step < 10; step += 1) await undefined;
          }
        };
        await Promise.all([attempts < 3 ? first() : undefined, tx`select 1`]);
      });
    await expect(attempt('23505')).rejects.toMatchObject({ code: '23505' });
    attempts = 0;
    await attempt('40001');
    expect(attempts).toBe(3);
  });

  it('throws after the last retry', async () => {
    let runs = 0;
    const work = inTransaction(sql, async (tx) => {
      runs += 1;
      await tx.unsafe(`do $$ begin raise exception 'no' using errcode = '40001'; end $$`);
    });
    await expect(work).rejects.toMatchObject({ code: '40001' });
    expect(runs).toBe(5);
  });
});

describe('the pool inside a transaction', () => {
  it('is refused, also in a read that is shared with others, and free again afterwards', async () => {
    const read = batchReads<string, { name: string }>({
      load: (names) => sql<{ name: string }[]>`select name from marks where name = any(${names})`,
      keyOf: (row) => row.name,
      textOf: (name) => name,
      maxBatch: 10,
      parallel: 1,
    });
    await expect(inTransaction(sql, () => sql`select 1`)).rejects.toThrow('inside a transaction');
    await expect(inSnapshot(sql, () => sql.unsafe('select 1'))).rejects.toThrow('inside a transaction');
    await expect(inTransaction(sql, () => inTransaction(sql, async () => 1))).rejects.toThrow('inside a transaction');
    await expect(inTransaction(sql, async () => read('left'))).rejects.toThrow('inside a transaction');
    expect((await sql`select 1 as one`)[0]).toEqual({ one: 1 });
    expect(await read('left')).toEqual({ name: 'left' });
  });

  it('is open to what was begun inside and goes on after its end', async () => {
    const ended = Promise.withResolvers<void>();
    let later: Promise<unknown> | undefined;
    await inTransaction(sql, async (tx) => {
      await tx`select 1`;
      later = ended.promise.then(() => sql`select 1 as one`);
    });
    ended.resolve();
    expect(await later).toEqual([{ one: 1 }]);
  });
});

describe('limits', () => {
  /** One limit is short and the others are not: which of them ends a thing is not up to the machine. */
  const long = { waitMs: 60_000, connectMs: 60_000, statementMs: 60_000, lockMs: 60_000, idleInTransactionMs: 60_000 };
  const limited = (short: Partial<typeof long>) =>
    connectDatabase(url, { poolSize: 1, applicationName: 'limited', limits: { ...long, ...short } });
  const faultOf = (work: PromiseLike<unknown>) =>
    work.then(
      () => 'none',
      (error) => classifyDatabaseError(error).kind,
    );

  it('end a statement', async () => {
    const pool = limited({ statementMs: 150 });
    expect(await faultOf(pool`select pg_sleep(300)`)).toBe('busy');
    await pool.end();
  });

  it('end a wait for a lock', async () => {
    const pool = limited({ lockMs: 100 });
    const locked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holder = inTransaction(sql, async (tx) => {
      await tx`select 1 from marks where name = 'left' for update`;
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    expect(await faultOf(pool`update marks set made_in = made_in where name = 'left'`)).toBe('busy');
    release.resolve();
    await holder;
    await pool.end();
  });

  it('end an idle transaction', async () => {
    const pool = limited({ idleInTransactionMs: 200 });
    const idle = inTransaction(pool, async (tx) => {
      const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const sessions = () => sql`select from pg_stat_activity where pid = ${own?.pid ?? 0}`;
      await withoutTenant(async () => await expect.poll(sessions).toEqual([]));
      await tx`select 1`;
    });
    expect(await faultOf(idle)).toBe('unavailable');
    await pool.end();
  });

  it('end a wait for a connection', async () => {
    const pool = limited({ waitMs: 200 });
    const taken = Promise.withResolvers<void>();
    const occupied = pool.connections.withConnection('normal', () => taken.promise);
    expect(await faultOf(pool`select 1`)).toBe('busy');
    taken.resolve();
    await occupied;
    expect(await faultOf(pool`select 1`)).toBe('none');
    await pool.end();
  });
});

describe('the end of a pool', () => {
  it('waits for what is under way, and cuts off what takes too long', async () => {
    const pool = connectDatabase(url, { poolSize: 2, applicationName: 'ending' });
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = inTransaction(sql, async (tx) => {
      await tx`select 1 from marks where name = 'left' for update`;
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const quick = pool<{ one: number }[]>`select 1 as one from marks where name = 'left' for update`.then(
      (rows) => rows[0]?.one,
    );
    const endless = pool`select pg_sleep(60)`.then(
      () => 'none',
      (error) => classifyDatabaseError(error).kind,
    );
    const underWay = async () =>
      (await sql`select 1 from pg_stat_activity where application_name = 'ending' and state = 'active'`).length;
    await expect.poll(underWay).toBe(2);
    const ending = pool.end({ timeout: 5 });
    release.resolve();
    await ending;
    await holder;
    expect(await quick).toBe(1);
    expect(await endless).toBe('unavailable');
    expect(await pool`select 1`.then(String, (error) => classifyDatabaseError(error).kind)).toBe('unavailable');
  });
});
