import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AccountDatabase, accountDatabase } from '../../../test/harness/account-database.ts';
import { call, type ReplyBody, testOrganization, testService } from '../../../test/harness/index.ts';
import { newOrder } from '../../modules/orders/testing/new-order.ts';
import { movableClock } from '../clock.ts';
import { connectDatabase } from './index.ts';
import { clientConfig, REQUEST_LIMITS } from './session-settings.ts';

/** Settings of the role or the database, and the values that connections of the service have regardless. Limits that a busy machine meets. */
const HOSTILE: [name: string, theirs: string, ours: string][] = [
  ['TimeZone', 'Pacific/Apia', 'UTC'],
  ['DateStyle', 'German, DMY', 'ISO, MDY'],
  ['IntervalStyle', 'sql_standard', 'postgres'],
  ['extra_float_digits', '-15', '1'],
  ['bytea_output', 'escape', 'hex'],
  ['standard_conforming_strings', 'off', 'on'],
  ['array_nulls', 'off', 'on'],
  ['transform_null_equals', 'on', 'off'],
  ['lc_monetary', 'POSIX', 'C'],
  ['lc_numeric', 'POSIX', 'C'],
  ['lc_time', 'POSIX', 'C'],
  ['client_encoding', 'LATIN1', 'UTF8'],
  ['client_min_messages', 'debug5', 'warning'],
  ['row_security', 'off', 'on'],
  ['gin_fuzzy_search_limit', '1', '0'],
  ['default_transaction_isolation', 'serializable', 'read committed'],
  ['default_transaction_read_only', 'on', 'off'],
  ['default_transaction_deferrable', 'on', 'off'],
  ['search_path', 'elsewhere', 'public'],
  ['synchronous_commit', 'off', 'on'],
  ['plan_cache_mode', 'force_generic_plan', 'auto'],
  ['jit', 'on', 'off'],
  ['gin_pending_list_limit', '64kB', '512kB'],
  ['random_page_cost', '40', '1.1'],
  ['max_parallel_workers_per_gather', '8', '1'],
  ['enable_indexscan', 'off', 'on'],
  ['enable_bitmapscan', 'off', 'on'],
  ['enable_nestloop', 'off', 'on'],
  ['statement_timeout', '7s', '30s'],
  ['lock_timeout', '7s', '10s'],
  ['idle_in_transaction_session_timeout', '7s', '15s'],
  ['idle_session_timeout', '7s', '0'],
];

let database: AccountDatabase;
let version: number;

/** Every other one for the role, the rest for the database. */
beforeAll(async () => {
  database = await accountDatabase();
  const { admin, account, name } = database;
  const [row] = await admin`select current_setting('server_version_num')::int as version`;
  version = Number(row?.version);
  if (version >= 170_000) HOSTILE.push(['transaction_timeout', '7s', '0']);
  await admin`create schema elsewhere`;
  for (const [index, [setting, theirs]] of HOSTILE.entries()) {
    const whose = index % 2 === 0 ? `role ${account}` : `database ${name}`;
    await admin.unsafe(`alter ${whose} set ${setting} = '${theirs}'`);
  }
  await admin.unsafe(`grant all on schema elsewhere to ${account}`);
});

async function showAll(query: (text: string) => Promise<{ rows: ReplyBody[] }>): Promise<[string, string][]> {
  const shown: [string, string][] = [];
  for (const [name] of HOSTILE) {
    const { rows } = await query(`show ${name}`);
    shown.push([name, String(Object.values(rows[0])[0])]);
  }
  return shown;
}
const wanted = () => HOSTILE.map(([name, , ours]) => [name, ours]);

describe('a server, a role and a database that are set otherwise', () => {
  it('do not reach the sessions of the service', async () => {
    const bare = new pg.Client({ connectionString: database.url });
    await bare.connect();
    // So that the test tests something: this is what a session gets that asks for nothing.
    const plain = await bare.query('show search_path');
    expect(plain.rows).toEqual([{ search_path: 'elsewhere' }]);
    await bare.end();

    const sql = connectDatabase(database.url, { poolSize: 1, applicationName: 'tests', limits: REQUEST_LIMITS });
    expect(await showAll(async (text) => ({ rows: await sql.unsafe(text) }))).toEqual(wanted());
    await sql.end();
  });

  it('do not reach a session that listens', async () => {
    const client = new pg.Client(clientConfig(database.url, { applicationName: 'tests', limits: REQUEST_LIMITS }));
    await client.connect();
    const shown = await showAll((text) => client.query(text));
    await client.end();
    // Nothing of what it does is a transaction of any length.
    const ofListener = ([name]: readonly string[]) => name !== 'transaction_timeout';
    expect(shown.filter(ofListener)).toEqual(wanted().filter(ofListener));
  });

  it('leave the last word on speed and place to the address, and none on what answers depend on', async () => {
    const url = new URL(database.url);
    url.searchParams.set(
      'options',
      '-c search_path=elsewhere -csynchronous_commit=remote_apply -c TimeZone=Asia/Riyadh',
    );
    const sql = connectDatabase(url.href, { poolSize: 1, applicationName: 'tests' });
    const [row] = await sql`
      select current_setting('search_path') as place, current_setting('synchronous_commit') as commit,
             current_setting('TimeZone') as zone`;
    expect(row).toEqual({ place: 'elsewhere', commit: 'remote_apply', zone: 'UTC' });
    await sql.end();
  });
});

describe('the service on such a server', () => {
  it('migrates, accepts an order, publishes its event and runs background work', async () => {
    const clock = movableClock(new Date('2026-11-15T08:00:00.123Z'));
    const service = await testService({}, { clock, database });
    expect(await placesOfTables(database)).toEqual(['public']);

    const { owner } = await testOrganization(service.sql);
    const ask = (target: string, body?: unknown) => call(service.baseUrl, target, { token: owner.token, body });
    const order = newOrder({ customer_name: 'نورة', total_amount: 0.1, vat_amount: 0.01 });
    const { id } = (await ask('POST /orders', order)).body.data;
    expect((await ask('GET /orders?search=نورة')).body.orders).toHaveLength(1);
    const read = (await ask(`GET /orders/${id}`)).body.order;
    expect([read.created_at, read.total_amount]).toEqual(['2026-11-15T08:00:00.123Z', 0.1]);

    let events: ReplyBody[] = [];
    const count = async () => {
      events = (await ask('GET /orders/changes?limit=10')).body.events;
      return events.length;
    };
    await expect.poll(count).toBe(1);
    expect(events[0]).toMatchObject({ type: 'order.created', order_id: id });
    expect(events[0].occurred_at).toMatch(/^2026-11-15T08:00:00\.123/);

    const later = { token: owner.token, body: newOrder(), headers: { 'x-async': 'true' } };
    expect((await call(service.baseUrl, 'POST /orders', later)).status).toBe(202);
    await expect.poll(count).toBe(2);
  });
});

async function placesOfTables({ admin }: AccountDatabase): Promise<string[]> {
  const rows = await admin<{ place: string }[]>`
    select distinct schemaname as place from pg_tables where tablename in ('orders', 'schema_migrations', 'users')`;
  return rows.map(({ place }) => place);
}
