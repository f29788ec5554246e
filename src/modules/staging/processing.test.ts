import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { testOrganization, testService } from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { PATIENCE, vendorOf, wooOrder } from './testing/vendor.ts';

const DAY_MS = 86_400_000;
const clock = movableClock(new Date('2026-11-15T10:00:00Z'));
const service = await testService({ STAGING_RETRY_DELAYS: '60,120' }, { clock });
const shop = await testOrganization(service.sql);
const { sql } = service;
const { ask, install, send, sendOrder, staged, settled, orderOf } = vendorOf(service, shop);
const DELETED = { 'x-wc-webhook-topic': 'order.deleted' };
let installId: string;
let lastNumber = 0;
/** An order id that nobody has used yet. */
const unused = () => {
  lastNumber += 1;
  return lastNumber;
};

/** As the health page has them, of all installs together. */
const totals = async (): Promise<Record<string, number>> =>
  (await ask('GET /health/system')).body.system_health.staging_metrics;

beforeAll(async () => {
  for (const iv_id of ['BR-1', 'BR-2']) {
    const branch = { iv_id, name_en: `Branch ${iv_id}` };
    expect((await ask('POST /branches', { body: branch })).status).toBe(201);
  }
  installId = await install();
});

describe('what cannot be read', () => {
  test.each<[string, string | Buffer, string, string]>([
    ['no JSON', '<order/>', 'not_json', ''],
    ['nothing at all', '', 'not_json', ''],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'not_utf8', ''],
    ['nested too deep', `${'['.repeat(70)}${']'.repeat(70)}`, 'too_deep', ''],
    ['without an id', '{"total":"1.00"}', 'missing', 'id'],
    ['without a total', '{"id":5,"status":"processing"}', 'missing', 'total'],
    ['a total that is no number', '{"id":5,"total":"free"}', 'unexpected', 'total'],
    ['a currency that is none', '{"id":5,"total":"1.00","currency":"XXQ"}', 'unexpected', 'currency'],
    ['a list where an order should be', '[1,2]', 'missing', 'id'],
  ])('%s: failed at once, with the reason and the place', async (_what, body, code, path) => {
    const reply = await send({ installId, body, headers: { 'x-wc-webhook-topic': 'order.created' } });
    expect(await settled(reply.body.data.staging_id)).toMatchObject({
      status: 'failed',
      outcome: '',
      attempts: 1,
      error: { code, path, message: expect.stringMatching(/\w/) },
      order_id: null,
      processed_at: clock.now().toISOString(),
    });
  });

  test.each<[string, object, string]>([
    ['a coupon', { id: 1, code: 'RAMADAN' }, 'coupon.created'],
    ['a cart', wooOrder({ id: 77, status: 'checkout-draft' }), 'order.created'],
  ])('%s is ignored', async (_what, body, topic) => {
    const row = await settled(await sendOrder(installId, body, { 'x-wc-webhook-topic': topic }));
    expect(row).toMatchObject({ status: 'processed', outcome: 'ignored', error: null, order_id: null });
  });

  test('an order with text that no column holds is cleaned and taken', async () => {
    const id = unused();
    const body = JSON.stringify(wooOrder({ id, customer_note: 'a\u0000b\ud800c', number: 'n\u0000o' }));
    const reply = await send({ installId, body });
    const row = await settled(reply.body.data.staging_id);
    expect(row).toMatchObject({ status: 'processed', outcome: 'created', external_order_id: String(id) });
    expect((await orderOf(row.order_id)).comment).toBe('ab\ufffdc');
  });
});

describe('an order', () => {
  test('whose parts do not add up is taken by its total, and it is said beside', async () => {
    const row = await settled(await sendOrder(installId, wooOrder({ id: unused(), total: '50.00' })));
    expect(row).toMatchObject({
      status: 'processed',
      outcome: 'created',
      error: { code: 'amounts_differ', message: expect.any(String), path: '' },
    });
    expect((await orderOf(row.order_id)).amounts.total).toBe(50);
  });

  test('with a total and without lines is made, and says that they are missing', async () => {
    const { line_items, ...bare } = wooOrder({ id: unused() });
    const created = await settled(await sendOrder(installId, bare));
    expect(created).toMatchObject({
      status: 'processed',
      outcome: 'created',
      error: { code: 'lines_missing', message: expect.any(String), path: '' },
    });
    // Its lines come later, and what follows without them has nothing to warn of.
    const whole = await settled(await sendOrder(installId, { ...bare, line_items }));
    expect(whole).toMatchObject({ outcome: 'updated', order_id: created.order_id, error: null });
    const later = await settled(await sendOrder(installId, { ...bare, customer_note: 'Ring twice' }));
    expect(later).toMatchObject({ outcome: 'updated', error: null });
    expect(await orderOf(created.order_id)).toMatchObject({ comment: 'Ring twice', lines: [{ sku_id: 'HON-1' }] });
    expect(
      await settled(await sendOrder(installId, { ...bare, id: unused(), total: '0.00', total_tax: '0.00' })),
    ).toMatchObject({
      outcome: 'created',
      error: null,
    });
  });

  test('keeps its total where a later payload does not mention it', async () => {
    const order = wooOrder({ id: unused() });
    const created = await settled(await sendOrder(installId, order));
    const { total, line_items, ...rest } = order;
    const later = await settled(await sendOrder(installId, { ...rest, customer_note: 'Ring twice' }));
    expect(later).toMatchObject({ status: 'processed', outcome: 'updated', order_id: created.order_id, error: null });
    expect(await orderOf(created.order_id)).toMatchObject({
      comment: 'Ring twice',
      amounts: { total: 46, subtotal: 40, vat: 6 },
      lines: [{ sku_id: 'HON-1' }],
    });
  });

  test('sent again word by word changes nothing', async () => {
    const order = wooOrder({ id: unused() });
    const first = await settled(await sendOrder(installId, order));
    const again = await settled(await sendOrder(installId, order, { 'x-wc-webhook-delivery-id': newId() }));
    expect(again).toMatchObject({ outcome: 'unchanged', order_id: first.order_id });
    const { body } = await ask(`GET /orders/${first.order_id}/timeline`);
    expect(JSON.stringify(body).match(/"order\.created"/g)).toHaveLength(1);
    expect(JSON.stringify(body)).not.toContain('order.updated');
  });

  test.each([
    ['completed', 'processing', ['DELIVERED', 'Full', 'paid']],
    ['completed', 'pending', ['DELIVERED', 'Full', 'paid']],
    ['completed', 'packed-by-hand', ['DELIVERED', 'Full', 'paid']],
    ['cancelled', 'completed', ['CANCELLED', 'None', 'cancelled']],
    ['cancelled', 'packed-by-hand', ['CANCELLED', 'None', 'cancelled']],
  ])('%s that is then said to be %s is unchanged, in all its words', async (before, after, words) => {
    const id = unused();
    const { order_id } = await settled(await sendOrder(installId, wooOrder({ id, status: before })));
    const wordsNow = async () => {
      const { order } = (await ask(`GET /orders/${order_id}`)).body;
      return [order.order_status, order.fulfillment_status, order.payment_status];
    };
    expect(await wordsNow()).toEqual(words);
    const later = { id, status: after, date_modified_gmt: '2026-11-15T09:30:00' };
    expect(await settled(await sendOrder(installId, wooOrder(later)))).toMatchObject({
      outcome: 'unchanged',
      order_id,
    });
    expect(await wordsNow()).toEqual(words);
    // What else it says is taken over.
    const noted = { ...later, customer_note: 'ring twice', date_modified_gmt: '2026-11-15T09:40:00' };
    expect(await settled(await sendOrder(installId, wooOrder(noted)))).toMatchObject({ outcome: 'updated', order_id });
    expect([await wordsNow(), (await orderOf(order_id)).comment]).toEqual([words, 'ring twice']);
  });

  test('that went on here before it was paid is paid when the vendor says so', async () => {
    const id = unused();
    const { order_id } = await settled(await sendOrder(installId, wooOrder({ id, status: 'on-hold' })));
    await sql`update orders set order_status = 'DISPATCHED' where id = ${order_id}`;
    const paid = wooOrder({ id, date_modified_gmt: '2026-11-15T09:30:00' });
    expect(await settled(await sendOrder(installId, paid))).toMatchObject({ outcome: 'updated', order_id });
    const { order } = (await ask(`GET /orders/${order_id}`)).body;
    expect([order.order_status, order.payment_status]).toEqual(['DISPATCHED', 'paid']);
  });

  test("has our products and SKUs where the vendor's codes are ours, by iv_id, barcode or SKU", async () => {
    const products = [
      { iv_id: 'HONEY', name_en: 'Honey' },
      { iv_id: 'DATES', name_en: 'Dates', barcode: '6281000000017' },
      { iv_id: 'COFFEE', name_en: 'Coffee' },
    ];
    for (const body of products) expect((await ask('POST /products', { body })).status).toBe(201);
    const codes = ['HONEY', '6281000000017', 'COFFEE_BR-2', 'UNKNOWN', ''];
    const line_items = codes.map((sku, index) => ({
      id: index,
      product_id: 100 + index,
      variation_id: 0,
      quantity: 1,
      subtotal: '8.00',
      sku,
      name: `line ${index}`,
    }));
    const linesOf = async (id: string) => {
      const row = await settled(await sendOrder(id, wooOrder({ id: unused(), line_items })));
      const [order] = await sql<{ products: { product_id: string; sku_id: string }[]; skus: string[] }[]>`
        select products, skus from orders where id = ${row.order_id}`;
      expect(order?.skus).toEqual(order?.products.map((line) => line.sku_id));
      return order?.products.map((line) => [line.product_id, line.sku_id]);
    };
    expect(await linesOf(await install({ branch_iv_id: 'BR-1' }))).toEqual([
      ['HONEY', 'HONEY_BR-1'],
      ['DATES', 'DATES_BR-1'],
      ['COFFEE', 'COFFEE_BR-1'],
      ['103', 'UNKNOWN'],
      ['104', '104'],
    ]);
    expect(await linesOf(installId)).toEqual([
      ['HONEY', 'HONEY'],
      ['DATES', '6281000000017'],
      ['COFFEE', 'COFFEE_BR-2'],
      ['103', 'UNKNOWN'],
      ['104', '104'],
    ]);
  });

  test('goes to the branch of the settings, and read again to that of the settings as they are then', async () => {
    const id = await install({ branch_iv_id: 'BR-1' });
    const stagingId = await sendOrder(id, wooOrder({ id: unused() }));
    const row = await settled(stagingId);
    const placeOf = async () =>
      (await sql<{ store_name: string }[]>`select store_name from orders where id = ${row.order_id}`)[0]?.store_name;
    expect(await placeOf()).toBe('Branch BR-1');
    await ask(`PATCH /apps/${id}`, { body: { settings: { branch_iv_id: 'BR-2' } } });
    expect((await ask(`POST /staging/${stagingId}/retry`)).status).toBe(202);
    expect(await settled(stagingId)).toMatchObject({ outcome: 'updated', order_id: row.order_id, attempts: 1 });
    expect(await placeOf()).toBe('Branch BR-2');
  });

  test('read again for nothing fails again, and is counted anew', async () => {
    const stagingId = (await send({ installId, body: 'still no JSON' })).body.data.staging_id;
    await settled(stagingId);
    clock.advanceMs(1_000);
    await ask(`POST /staging/${stagingId}/retry`);
    await expect.poll(async () => (await staged(stagingId)).processed_at, PATIENCE).toBe(clock.now().toISOString());
    expect(await staged(stagingId)).toMatchObject({ status: 'failed', attempts: 1, error: { code: 'not_json' } });
  });
});

describe('news of an order', () => {
  test('waits for the order, and is tried again until it is there', async () => {
    const id = unused();
    const news = await sendOrder(installId, { id }, DELETED);
    await expect.poll(async () => (await staged(news)).attempts, PATIENCE).toBe(1);
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

  test('of one that never comes fails after the last wait, and waits for a person', async () => {
    const id = unused();
    const news = await sendOrder(installId, { id }, DELETED);
    for (const [index, seconds] of [60, 120].entries()) {
      await expect.poll(async () => (await staged(news)).attempts, PATIENCE).toBe(index + 1);
      clock.advanceMs(seconds * 1_000);
    }
    expect(await settled(news)).toMatchObject({ status: 'failed', attempts: 3, error: { code: 'order_unknown' } });
    await settled(await sendOrder(installId, wooOrder({ id })));
    await ask(`POST /staging/${news}/retry`);
    expect(await settled(news)).toMatchObject({ status: 'processed', outcome: 'updated', attempts: 1 });
  });
});

describe('deliveries of the same orders, shuffled and repeated', () => {
  const WORDS = ['pending', 'processing', 'completed', 'refunded'];
  const CANONICAL = ['received', 'received', 'delivered', 'cancelled'];
  const history = fc.record({
    // Forward only, as a shop goes; where it ends is where the order ends.
    words: fc.array(fc.nat(WORDS.length - 1), { minLength: 2, maxLength: 5 }).map((words) => words.toSorted()),
    repeats: fc.array(fc.nat(4), { maxLength: 4 }),
    seed: fc.array(fc.nat(1_000_000), { minLength: 9, maxLength: 9 }),
  });

  test('end in the newest state, one order each', async () => {
    const property = fc.asyncProperty(fc.array(history, { minLength: 2, maxLength: 3 }), async (histories) => {
      const orders = histories.map((one) => ({ ...one, id: unused() }));
      const deliveries = orders.flatMap(({ id, words, repeats, seed }) => {
        const versions = [...words.keys(), ...repeats.map((version) => version % words.length)];
        return versions.map((version, index) => ({
          at: seed[index] ?? 0,
          order: wooOrder({
            id,
            status: WORDS[words[version] ?? 0],
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

describe('what the database refuses', () => {
  test('holds up nothing behind it, is tried again like what may pass, and counts as failed in the end', async () => {
    await sql.unsafe(`
      create function refuse_poison() returns trigger language plpgsql as
      $$ begin if new.source_transaction_id = 'POISON' then raise exception 'poison'; end if; return new; end $$`);
    await sql.unsafe(
      'create trigger refuse_poison before insert on orders for each row execute function refuse_poison()',
    );
    const id = await install();
    const before = await totals();
    const poison = await sendOrder(id, wooOrder({ id: 'POISON' }));
    const neighbours = [await sendOrder(id, wooOrder({ id: 1 })), await sendOrder(id, wooOrder({ id: 2 }))];
    for (const neighbour of neighbours) expect((await settled(neighbour)).outcome).toBe('created');
    for (const [index, seconds] of [60, 120].entries()) {
      await expect.poll(async () => (await staged(poison)).attempts, PATIENCE).toBe(index + 1);
      expect(await staged(poison)).toMatchObject({ status: 'pending', error: { code: 'internal' } });
      clock.advanceMs(seconds * 1_000);
    }
    expect(await settled(poison)).toMatchObject({ status: 'failed', attempts: 3, error: { code: 'internal' } });
    // Nothing of the database's own words.
    expect(JSON.stringify(await staged(poison))).not.toContain('raise');
    expect((await totals()).total_failed).toBe((before.total_failed ?? 0) + 1);
    const [row] = await sql`select failures_in_a_row from app_installs where id = ${id}`;
    expect(row).toEqual({ failures_in_a_row: 1 });

    await sql.unsafe('drop trigger refuse_poison on orders');
    await ask(`POST /staging/${poison}/retry`);
    expect(await settled(poison)).toMatchObject({ outcome: 'created', attempts: 1, external_order_id: 'POISON' });
  });
});

/** Last: the clock leaves the month. */
describe('after thirty days', () => {
  test('what was processed and what failed has been counted', async () => {
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

  test('payloads go week by week, and are counted; receipts and the queue go with them', async () => {
    const [all] = await sql<{ total: number }[]>`select count(*) as total from staged_payloads`;
    clock.advanceMs(40 * DAY_MS);
    const kept = await settled(await sendOrder(installId, wooOrder({ id: unused() })));
    await service.platform.jobs.enqueue(service.platform.sql, 'staging-housekeeping', {});
    await expect.poll(async () => (await totals()).total_cleaned_up, PATIENCE).toBe(all?.total);
    await expect
      .poll(async () => (await sql`select from staging_receipts where expires_at <= ${clock.now()}`).length, PATIENCE)
      .toBe(0);
    const left = await sql<{ id: string }[]>`select id from staged_payloads`;
    expect(left.map(({ id }) => id)).toEqual([kept.id]);
  });
});
