import { expect, test } from 'vitest';
import { TEST_SECRET, testOrganization, testService } from '../../../test/harness/index.ts';
import { startProcess } from '../../../test/start/service-process.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { eventsOf } from '../events/index.ts';
import { POLL_OPTIONS, vendorOf, wooOrder } from './testing/vendor.ts';

// Receives and reads nothing, so that a worker finds all of it waiting.
const api = await testService({ DUKKAN_ROLES: 'api' });
const { sql } = api;
const database = { url: api.databaseUrl, sql };
const shop = await testOrganization(sql);
const vendor = vendorOf(api, shop);
const BATCH = 64;

async function sendOrders(installId: string, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1).values();
  const sender = async () => {
    for (const id of numbers) await vendor.sendOrder(installId, wooOrder({ id }));
  };
  await Promise.all(Array.from({ length: 25 }, sender));
}

const waiting = async () => (await sql<{ left: number }[]>`select count(*) as left from staging_queue`)[0]?.left;

async function madeBy(installId: string) {
  const [row] = await sql`
    select (select count(*) from orders where source = ${installId}) as orders,
           (select count(distinct source_transaction_id) from orders where source = ${installId}) as distinct_orders,
           (select count(*) from staged_payloads where organization_app_id = ${installId} and outcome = 'created') as created`;
  return row;
}

test("a burst of one install delays another's payload by no more than a batch", async () => {
  const busy = await vendor.install();
  await sendOrders(busy, 500);
  const quiet = await vendor.install();
  const single = await vendor.sendOrder(quiet, wooOrder());
  // One that was good, then ten that are not, in one batch: what counts is how they came.
  const troubled = await vendor.install();
  await vendor.sendOrder(troubled, wooOrder());
  for (let number = 0; number < 10; number += 1) await vendor.send({ installId: troubled, body: `bad ${number}` });
  // As if the call had been on its way while its install was removed.
  const removed = await vendor.install();
  await vendor.sendOrder(removed, wooOrder());
  await sql`delete from app_installs where id = ${removed}`;

  const worker = await testService({}, { database });
  await expect.poll(waiting, POLL_OPTIONS).toBe(0);
  await worker.stop();

  const [before] = await sql<{ total: number }[]>`
    select count(*) as total from staged_payloads b, staged_payloads s
    where b.organization_app_id = ${busy} and s.id = ${single} and b.processed_at < s.processed_at`;
  expect(before?.total).toBeLessThanOrEqual(BATCH);
  expect(await madeBy(busy)).toEqual({ orders: 500, distinct_orders: 500, created: 500 });
  expect(await madeBy(quiet)).toEqual({ orders: 1, distinct_orders: 1, created: 1 });

  const { data } = (await vendor.ask('GET /apps')).body;
  const rowOf = (id: string) => data.find((row: { id: string }) => row.id === id);
  expect(rowOf(troubled)).toMatchObject({ status: 'failing', last_sync_at: expect.any(String) });
  expect(rowOf(quiet)).toMatchObject({ status: 'active', last_sync_at: expect.any(String) });
  expect(await madeBy(removed)).toEqual({ orders: 0, distinct_orders: 0, created: 0 });
  expect(await sql`select from staged_payloads where organization_app_id = ${removed}`).toHaveLength(0);
});

test('creates one order per payload when a worker is killed in the middle', async () => {
  const installId = await vendor.install();
  await sendOrders(installId, 100);
  const settings = {
    DATABASE_URL: api.databaseUrl,
    DUKKAN_SECRET: TEST_SECRET,
    DUKKAN_DATA_DIR: api.dataDir,
    METRICS_PORT: 'off',
    DUKKAN_DEMO: 'false',
  };
  // Its orders are written and its payloads not settled: there it has to wait for this.
  await inTransaction(sql, async (tx) => {
    await tx`select from app_installs where id = ${installId} for update`;
    const doomed = await startProcess(settings);
    const stuck = async () => {
      // Within a transaction the view stays as it was first seen.
      await tx`select pg_stat_clear_snapshot()`;
      const rows = await tx`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%failures_in_a_row%'`;
      return rows.length;
    };
    await expect.poll(stuck, POLL_OPTIONS).toBe(1);
    await doomed.stop('SIGKILL');
  });
  expect(await madeBy(installId)).toEqual({ orders: 0, distinct_orders: 0, created: 0 });
  // The lease of its claim ends after 15 s; here they pass at once.
  await sql`update staging_queue set due_at = due_at - interval '15 seconds' where claim_id is not null`;

  await testService({}, { database });
  await expect.poll(waiting, POLL_OPTIONS).toBe(0);
  expect(await madeBy(installId)).toEqual({ orders: 100, distinct_orders: 100, created: 100 });
  const eventTypes = async () => {
    const rows = await sql<{ type: string }[]>`
      select type from ${eventsOf(sql, shop.id)}
      where order_id in (select id from orders where organization_id = ${shop.id} and source = ${installId})`;
    return rows.map(({ type }) => type);
  };
  await expect.poll(async () => (await eventTypes()).length, POLL_OPTIONS).toBeGreaterThanOrEqual(100);
  expect(await eventTypes()).toEqual(Array(100).fill('order.created'));
});
