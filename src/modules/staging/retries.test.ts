import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectToGroup } from '../../../test/harness/group-server.ts';
import { testOrganization, testService } from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { POLL_OPTIONS, vendorOf, wooOrder } from './testing/vendor.ts';

const DAY_MS = 86_400_000;
const clock = movableClock(new Date('2026-11-15T10:00:00Z'));
const service = await testService({ STAGING_RETRY_DELAYS: '60,120' }, { clock });
const shop = await testOrganization(service.sql);
const { sql } = service;
const { ask, install, send, sendOrder, staged, settled, orderOf } = vendorOf(service, shop);
const DELETED = { 'x-wc-webhook-topic': 'order.deleted' };
let installId: string;
let lastNumber = 0;
/** An unused order id. */
const unused = () => {
  lastNumber += 1;
  return lastNumber;
};

/** As the health page has them, of all installs together. */
const totals = async (): Promise<Record<string, number>> =>
  (await ask('GET /health/system')).body.system_health.staging_metrics;

beforeAll(async () => {
  installId = await install();
});

describe('a change of an unknown order', () => {
  test('is retried until the order exists', async () => {
    const id = unused();
    const news = await sendOrder(installId, { id }, DELETED);
    await expect.poll(async () => (await staged(news)).attempts, POLL_OPTIONS).toBe(1);
    expect(await staged(news)).toMatchObject({
      status: 'pending',
      error: { code: 'order_unknown' },
      external_order_id: String(id),
      event: 'order.deleted',
      processed_at: null,
    });
    const order = await settled(await sendOrder(installId, wooOrder({ id })));
    expect((await orderOf(order.order_id)).status).toBe('received');
    // Not before its time: what was queued after it is read while it waits.
    clock.advanceMs(59_000);
    await settled(await sendOrder(installId, wooOrder({ id: unused() })));
    expect((await staged(news)).attempts).toBe(1);
    clock.advanceMs(1_000);
    expect(await settled(news)).toMatchObject({
      outcome: 'updated',
      attempts: 2,
      error: null,
      order_id: order.order_id,
    });
    expect((await orderOf(order.order_id)).status).toBe('cancelled');
  });

  test('fails after the last retry, and can be retried manually', async () => {
    const id = unused();
    const news = await sendOrder(installId, { id }, DELETED);
    for (const [index, seconds] of [60, 120].entries()) {
      await expect.poll(async () => (await staged(news)).attempts, POLL_OPTIONS).toBe(index + 1);
      clock.advanceMs(seconds * 1_000);
    }
    expect(await settled(news)).toMatchObject({ status: 'failed', attempts: 3, error: { code: 'order_unknown' } });
    await settled(await sendOrder(installId, wooOrder({ id })));
    await ask(`POST /staging/${news}/retry`);
    expect(await settled(news)).toMatchObject({ status: 'processed', outcome: 'updated', attempts: 1 });
  });
});

describe('shuffled and repeated deliveries of the same orders', () => {
  const STATUSES = ['pending', 'processing', 'completed', 'refunded'];
  const CANONICAL = ['received', 'received', 'delivered', 'cancelled'];
  const history = fc.record({
    // Forward only, as a shop goes; where it ends is where the order ends.
    words: fc.array(fc.nat(STATUSES.length - 1), { minLength: 2, maxLength: 5 }).map((words) => words.toSorted()),
    repeats: fc.array(fc.nat(4), { maxLength: 4 }),
    seed: fc.array(fc.nat(1_000_000), { minLength: 9, maxLength: 9 }),
  });

  test('end in the newest state with one order each', async () => {
    const property = fc.asyncProperty(fc.array(history, { minLength: 2, maxLength: 3 }), async (histories) => {
      const orders = histories.map((one) => ({ ...one, id: unused() }));
      const deliveries = orders.flatMap(({ id, words, repeats, seed }) => {
        const versions = [...words.keys(), ...repeats.map((version) => version % words.length)];
        return versions.map((version, index) => ({
          at: seed[index] ?? 0,
          order: wooOrder({
            id,
            status: STATUSES[words[version] ?? 0],
            date_modified_gmt: `2026-11-15T09:0${version}:00`,
            customer_note: `version ${version}`,
            total: `${46 + version}.00`,
          }),
        }));
      });
      const stagingIds: string[] = [];
      for (const { order } of deliveries.toSorted((one, other) => one.at - other.at)) {
        stagingIds.push(await sendOrder(installId, order, { 'x-wc-webhook-delivery-id': newId() }));
      }
      for (const stagingId of stagingIds) expect((await settled(stagingId)).status).toBe('processed');
      for (const { id, words } of orders) {
        const rows = await sql<{ id: string }[]>`
          select id from orders where source = ${installId} and source_transaction_id = ${String(id)}`;
        expect(rows).toHaveLength(1);
        const newest = words.length - 1;
        const { body } = await ask(`GET /orders/${rows[0]?.id}?format=canonical&include=raw`);
        expect(body.order).toMatchObject({
          status: CANONICAL[words[newest] ?? 0],
          comment: `version ${newest}`,
          amounts: { total: 46 + newest },
        });
        expect(JSON.stringify(body)).toContain(`"customer_note":"version ${newest}"`);
      }
    });
    await fc.assert(property, { numRuns: 4, seed: 20261115 });
  });
});

describe('a payload that the database refuses', () => {
  test('blocks no other payload, is retried, and fails after the last retry', async () => {
    const server = await connectToGroup({ url: service.databaseUrl, sql }, sql.layout.groupOf(shop.id));
    await server.sql.unsafe(`
      create function refuse_poison() returns trigger language plpgsql as
      $$ begin if new.source_transaction_id = 'POISON' then raise exception 'poison'; end if; return new; end $$`);
    await server.sql.unsafe(
      `create trigger refuse_poison before insert on ${server.table('orders')} for each row execute function refuse_poison()`,
    );
    const id = await install();
    const before = await totals();
    const poison = await sendOrder(id, wooOrder({ id: 'POISON' }));
    const neighbours = [await sendOrder(id, wooOrder({ id: 1 })), await sendOrder(id, wooOrder({ id: 2 }))];
    for (const neighbour of neighbours) expect((await settled(neighbour)).outcome).toBe('created');
    for (const [index, seconds] of [60, 120].entries()) {
      await expect.poll(async () => (await staged(poison)).attempts, POLL_OPTIONS).toBe(index + 1);
      expect(await staged(poison)).toMatchObject({ status: 'pending', error: { code: 'internal' } });
      clock.advanceMs(seconds * 1_000);
    }
    expect(await settled(poison)).toMatchObject({ status: 'failed', attempts: 3, error: { code: 'internal' } });
    // Nothing of the database's own words.
    expect(JSON.stringify(await staged(poison))).not.toContain('raise');
    expect((await totals()).total_failed).toBe((before.total_failed ?? 0) + 1);
    const [row] = await sql`select failures_in_a_row from app_installs where id = ${id}`;
    expect(row).toEqual({ failures_in_a_row: 1 });

    await server.sql.unsafe(`drop trigger refuse_poison on ${server.table('orders')}`);
    await ask(`POST /staging/${poison}/retry`);
    expect(await settled(poison)).toMatchObject({ outcome: 'created', attempts: 1, external_order_id: 'POISON' });
  });
});

/** Last: the clock leaves the month. */
describe('retention of thirty days', () => {
  test('counts processed and failed payloads', async () => {
    const before = await totals();
    const rows = await sql<{ status: string; total: number }[]>`
      select status, count(*) as total from staged_payloads group by status`;
    const of = (status: string) => rows.find((row) => row.status === status)?.total ?? 0;
    // Those that were read again were counted each time.
    expect(before.total_processed).toBeGreaterThanOrEqual(of('processed'));
    expect(before.total_failed).toBeGreaterThanOrEqual(of('failed'));
    await settled(await sendOrder(installId, wooOrder({ id: unused() })));
    await settled((await send({ installId, body: 'counted' })).body.data.staging_id);
    expect(await totals()).toEqual({
      total_processed: (before.total_processed ?? 0) + 1,
      total_failed: (before.total_failed ?? 0) + 1,
      total_cleaned_up: 0,
    });
  });

  test('drops payloads week by week with their receipts and counts them', async () => {
    const [all] = await sql<{ total: number }[]>`select count(*) as total from staged_payloads`;
    clock.advanceMs(40 * DAY_MS);
    const kept = await settled(await sendOrder(installId, wooOrder({ id: unused() })));
    await service.platform.jobs.enqueue(service.platform.sql, 'staging-housekeeping', {});
    await expect.poll(async () => (await totals()).total_cleaned_up, POLL_OPTIONS).toBe(all?.total);
    await expect
      .poll(
        async () => (await sql`select from staging_receipts where expires_at <= ${clock.now()}`).length,
        POLL_OPTIONS,
      )
      .toBe(0);
    const left = await sql<{ id: string }[]>`select id from staged_payloads`;
    expect(left.map(({ id }) => id)).toEqual([kept.id]);
  });
});
