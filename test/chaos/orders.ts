import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { countRows } from '../../src/modules/orders/sql/counts.ts';
import { connectDatabase, type Sql } from '../../src/platform/database/index.ts';
import { findRunningServer } from '../../src/platform/postgres/index.ts';
import { testOrganization } from '../harness/accounts.ts';

const SERVICE_KILLS = Number(process.env.CHAOS_KILLS ?? 30);
const DATABASE_RESTARTS = Number(process.env.CHAOS_RESTARTS ?? 5);
const CLIENTS = 12;
const MAIN = path.join(import.meta.dirname, '../../src/main.ts');

type Tally = { sent: number; acknowledged: Set<string>; refusedAsKnown: number; unknown: Set<string> };

/**
 * Orders with unique keys pour in while the service is killed at random moments and its PostgreSQL is thrown over. At
 * the end: what was acknowledged is there once, nothing is there twice, every order is in the feed exactly once, and
 * the projections say what a recount says.
 */
export async function run(): Promise<boolean> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dukkan-chaos-'));
  const port = await freePort();
  const service = createService(dataDir, port);
  let sql: Sql | undefined;
  try {
    await service.start();
    sql = await connect(dataDir);
    const shop = await testOrganization(sql);
    const tally: Tally = { sent: 0, acknowledged: new Set(), refusedAsKnown: 0, unknown: new Set() };
    let pouring = true;
    const clients = Array.from({ length: CLIENTS }, (_, client) =>
      pour(`http://127.0.0.1:${port}`, shop.owner.token, client, tally, () => pouring),
    );
    await wreck(service, dataDir);
    pouring = false;
    await Promise.all(clients);
    await sql.end({ timeout: 1 });
    sql = await connect(dataDir);
    return await report(sql, tally, shop.id);
  } finally {
    await sql?.end({ timeout: 1 }).catch(() => undefined);
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

export function createService(dataDir: string, port: number) {
  let child: ChildProcess | undefined;
  async function start(): Promise<void> {
    child = spawn(process.execPath, [MAIN, 'serve'], {
      env: { ...process.env, DUKKAN_DATA_DIR: dataDir, PORT: String(port), DUKKAN_DEMO: 'false', LOG_LEVEL: 'fatal' },
      stdio: 'ignore',
    });
    await answering(port);
  }
  const exited = () => new Promise<void>((resolve) => child?.once('exit', () => resolve()));
  return {
    start,
    async killAndStart() {
      const gone = exited();
      child?.kill('SIGKILL');
      await gone;
      await start();
    },
    async stop() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = exited();
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function answering(port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const ready = await fetch(`http://127.0.0.1:${port}/api/v1/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await pause(50);
  }
  throw new Error('the service does not come up');
}

/** Kills and restarts in random order, with random pauses, so that they fall into every phase of a write. */
export async function wreck(service: ReturnType<typeof createService>, dataDir: string): Promise<void> {
  const blows = [...Array(SERVICE_KILLS).fill('service'), ...Array(DATABASE_RESTARTS).fill('database')];
  for (const blow of blows.sort(() => Math.random() - 0.5)) {
    await pause(300 + Math.random() * 1_200);
    if (blow === 'service') await service.killAndStart();
    else await throwOverDatabase(dataDir);
  }
}

/** SIGQUIT is PostgreSQL's immediate shutdown: no checkpoint, no goodbye, recovery at the next start. */
async function throwOverDatabase(dataDir: string): Promise<void> {
  const sql = await connect(dataDir);
  const [row] = await sql<{ pid: number }[]>`
    select (regexp_split_to_array(pg_read_file('postmaster.pid'), E'\n'))[1]::int as pid`;
  await sql.end({ timeout: 1 });
  if (row) process.kill(row.pid, 'SIGQUIT');
}

export async function connect(dataDir: string): Promise<Sql> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const connection = await findRunningServer(dataDir);
    if (connection) return connectDatabase(connection, { poolSize: 2, applicationName: 'chaos' });
    await pause(50);
  }
  throw new Error('PostgreSQL does not come back');
}

/** A client that repeats a request until it knows how it ended, as a careful integrator does. */
async function pour(baseUrl: string, token: string, client: number, tally: Tally, goOn: () => boolean): Promise<void> {
  for (let index = 0; goOn(); index += 1) {
    const key = `chaos-${client}-${index}`;
    tally.sent += 1;
    tally.unknown.add(key);
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const status = await post(baseUrl, token, key);
      if (status === 201 || status === 409) {
        tally.unknown.delete(key);
        tally.acknowledged.add(key);
        if (status === 409) tally.refusedAsKnown += 1;
        break;
      }
      // Some stop retrying: their order may be stored or not, but not twice.
      if (attempt > 3 && Math.random() < 0.05) break;
      await pause(40);
    }
  }
}

async function post(baseUrl: string, token: string, key: string): Promise<number> {
  try {
    const response = await fetch(`${baseUrl}/api/v1/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        source_transaction_id: key,
        order_status: 'RECEIVED',
        fulfillment_status: 'None',
        customer_phone: `+9665${String(key.length * 7919).padStart(8, '0')}`,
        skus: ['s'],
        products: [{ product_id: 'p', sku_id: 's', quantity: 1, price: 5 }],
        total_amount: 5,
      }),
      signal: AbortSignal.timeout(15_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

async function report(sql: Sql, tally: Tally, organizationId: string): Promise<boolean> {
  await caughtUp(sql);
  const orders = await sql<{ id: string; key: string }[]>`
    select id, source_transaction_id as key from orders where organization_id = ${organizationId}`;
  const created = await sql<{ order_id: string; events: number }[]>`
    select order_id, count(*) as events from order_events
    where organization_id = ${organizationId} and type = 'order.created' group by 1`;
  const eventsOf = new Map(created.map((row) => [row.order_id, row.events]));
  const keys = orders.map((order) => order.key);
  const present = new Set(keys);
  const [counted] = await sql<{ total: number }[]>`
    select coalesce(sum(total), 0) as total from ${countRows(sql, organizationId, null)}`;
  const [recount] = await sql<{ revenue: number }[]>`
    select coalesce(sum(total_amount), 0) as revenue from orders where organization_id = ${organizationId}`;
  const [sales] = await sql<{ orders: number; revenue: number }[]>`
    select coalesce(sum(orders), 0) as orders, coalesce(sum(revenue), 0) as revenue from daily_sales
    where organization_id = ${organizationId}`;
  const [customers] = await sql<{ orders: number; spent: number }[]>`
    select coalesce(sum(orders), 0) as orders, coalesce(sum(spent), 0) as spent from customers
    where organization_id = ${organizationId} and branch_id = '00000000-0000-0000-0000-000000000000'`;
  const figures = {
    'orders sent': tally.sent,
    acknowledged: tally.acknowledged.size,
    'acknowledged on a repeat (409)': tally.refusedAsKnown,
    'outcome unknown to the client': tally.unknown.size,
    'orders stored': orders.length,
    'acknowledged but missing': [...tally.acknowledged].filter((key) => !present.has(key)).length,
    'stored twice': keys.length - present.size,
    'without created event': orders.filter((order) => !eventsOf.has(order.id)).length,
    'with several created events': created.filter((row) => row.events > 1).length,
    'events of no order': created.filter((row) => !orders.some((order) => order.id === row.order_id)).length,
    'list total off by': Math.abs((counted?.total ?? 0) - orders.length),
    'daily sales orders off by': Math.abs((sales?.orders ?? 0) - orders.length),
    'daily sales revenue off by': Math.abs((sales?.revenue ?? 0) - (recount?.revenue ?? 0)),
    'customers orders off by': Math.abs((customers?.orders ?? 0) - orders.length),
    'customers spent off by': Math.abs((customers?.spent ?? 0) - (recount?.revenue ?? 0)),
  };
  console.table(figures);
  const faults = Object.entries(figures).slice(5);
  return faults.every(([, count]) => count === 0);
}

/** Until the outbox is empty and every follower has read everything. */
export async function caughtUp(sql: Sql): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const [row] = await sql<{ done: boolean }[]>`
      select not exists (select 1 from order_outbox)
         and not exists (select 1 from event_followers f, event_positions p where f.position < p.last_position) as done`;
    if (row?.done) return;
    await pause(50);
  }
  const stuck = await sql`
    select (select count(*) from order_outbox) as outbox, (select last_position from event_positions) as last_position,
           (select json_agg(f) from event_followers f) as followers`;
  console.error(stuck[0]);
  throw new Error('the followers do not catch up');
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
