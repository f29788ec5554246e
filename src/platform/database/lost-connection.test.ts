import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/index.ts';
import { connectDatabase, type Sql } from './connect.ts';
import { classifyDatabaseError } from './errors.ts';
import { withoutTenant } from './tenant-context.ts';
import { inTransaction } from './transaction.ts';

const POOL_SIZE = 4;
let admin: Sql;
let pool: Sql;
beforeAll(async () => {
  const database = await testDatabase();
  admin = database.sql;
  pool = connectDatabase(database.url, { poolSize: POOL_SIZE, applicationName: 'to be cut' });
  await admin`create table notes (text text primary key)`;
});
afterAll(() => pool.end({ timeout: 1 }));

async function cutAll(): Promise<number> {
  const cut = await admin`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'to be cut' and datname = current_database()`;
  return cut.length;
}

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error) => classifyDatabaseError(error).kind,
  );
/** A connection that was cut is only known to be gone once the driver has read its end. */
const allWork = () => expect.poll(() => faultOf(Promise.all(slots()))).toBe('none');
const written = async () =>
  (await admin<{ text: string }[]>`select text from notes order by text`).map(({ text }) => text);

describe('a transaction whose connection is lost', () => {
  it('fails, and none of its later statements runs anywhere', async () => {
    let reachedEnd = false;
    const outcome = inTransaction(pool, async (tx) => {
      await tx`insert into notes values ('before')`;
      await withoutTenant(async () => {
        await cutAll();
        // Until the pool has the same connection again, for others.
        await allWork();
      });
      await tx`insert into notes values ('after')`.catch(() => undefined);
      reachedEnd = true;
    });
    expect(await faultOf(outcome)).toBe('unavailable');
    await expect.poll(() => reachedEnd).toBe(true);
    expect(await written()).toEqual([]);
  });

  it('fails as well when it loses it in the middle of a statement', async () => {
    const outcome = faultOf(
      inTransaction(pool, async (tx) => {
        await tx`insert into notes values ('mid')`;
        await tx`select pg_sleep(30)`;
      }),
    );
    const isAsleep = async () =>
      (await admin`select 1 from pg_stat_activity where query like '%pg_sleep(30)%' and application_name = 'to be cut'`)
        .length;
    await expect.poll(isAsleep).toBe(1);
    await cutAll();
    expect(await outcome).toBe('unavailable');
    expect(await written()).toEqual([]);
  });
});

describe('a connection that is lost between two statements', () => {
  it('refuses further statements, and its release does not affect other callers', async () => {
    await allWork();
    const statement = { text: 'select 1', values: [], name: undefined };
    await pool.connections.withConnection('normal', async (connection) => {
      await connection.query(statement, 'object');
      await cutAll();
      await expect.poll(() => faultOf(connection.query(statement, 'object'))).toBe('unavailable');
      expect(await faultOf(connection.query(statement, 'object'))).toBe('unavailable');
    });
    await allWork();
  });
});

describe('a pool whose connections are cut again and again under load', () => {
  it('works on every one of them afterwards', async () => {
    let done = false;
    const faults = new Set<string>();
    const load = Array.from({ length: 3 * POOL_SIZE }, async (_, worker) => {
      for (let round = 0; !done; round += 1) {
        const text = `w${worker} r${round}`;
        const work =
          worker % 2 === 0
            ? pool`select ${text}::text`.then(() => undefined)
            : inTransaction(pool, async (tx) => {
                await tx`insert into notes values (${text})`;
                await delay(1);
                await tx`delete from notes where text = ${text}`;
              });
        faults.add(await faultOf(Promise.resolve(work)));
      }
    });
    let cut = 0;
    // A busy machine opens fewer of them in between, so it takes more rounds.
    for (let times = 0; times < 20 || cut <= 10 || faults.size < 2; times += 1) {
      await delay(30);
      cut += await cutAll();
    }
    done = true;
    await Promise.all(load);
    expect(faults).toEqual(new Set(['none', 'unavailable']));
    expect(await written()).toEqual([]);

    await allWork();
    expect(new Set(await allAtOnce()).size).toBe(POOL_SIZE);
  });
});

/** Each caller keeps its connection until all have one. */
function allAtOnce(): Promise<number[]> {
  const all = Promise.withResolvers<void>();
  let inside = 0;
  const enter = () =>
    inTransaction(pool, async (tx) => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      inside += 1;
      if (inside === POOL_SIZE) all.resolve();
      await all.promise;
      return row?.pid ?? 0;
    });
  return Promise.all(Array.from({ length: POOL_SIZE }, enter));
}

/** Keeps the connections of the pool busy. */
function slots(): Promise<number>[] {
  return Array.from({ length: POOL_SIZE }, async () => {
    const [row] = await pool<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.1)`;
    return row?.pid ?? 0;
  });
}
