import { beforeAll, describe, expect, test } from 'vitest';
import { testOrganization, testService } from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { POLL_OPTIONS, vendorOf, wooOrder } from './testing/vendor.ts';

const clock = movableClock(new Date('2026-11-15T10:00:00Z'));
const service = await testService({ STAGING_RETRY_DELAYS: '60,120' }, { clock });
const shop = await testOrganization(service.sql);
const { sql } = service;
const { ask, install, send, sendOrder, staged, settled, orderOf } = vendorOf(service, shop);
let installId: string;
let lastNumber = 0;
/** An unused order id. */
const unused = () => {
  lastNumber += 1;
  return lastNumber;
};

beforeAll(async () => {
  for (const iv_id of ['BR-1', 'BR-2']) {
    const branch = { iv_id, name_en: `Branch ${iv_id}` };
    expect((await ask('POST /branches', { body: branch })).status).toBe(201);
  }
  installId = await install();
});

describe('an unreadable payload', () => {
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
  ])('fails at once with code and path: %s', async (_what, body, code, path) => {
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
  ])('ignores %s', async (_what, body, topic) => {
    const row = await settled(await sendOrder(installId, body, { 'x-wc-webhook-topic': topic }));
    expect(row).toMatchObject({ status: 'processed', outcome: 'ignored', error: null, order_id: null });
  });

  test('removes characters that the database cannot store', async () => {
    const id = unused();
    const body = JSON.stringify(wooOrder({ id, customer_note: 'a\u0000b\ud800c', number: 'n\u0000o' }));
    const reply = await send({ installId, body });
    const row = await settled(reply.body.data.staging_id);
    expect(row).toMatchObject({ status: 'processed', outcome: 'created', external_order_id: String(id) });
    expect((await orderOf(row.order_id)).comment).toBe('ab\ufffdc');
  });
});

describe('an order payload', () => {
  test('is processed with amounts_differ when its parts do not add up to its total', async () => {
    const row = await settled(await sendOrder(installId, wooOrder({ id: unused(), total: '50.00' })));
    expect(row).toMatchObject({
      status: 'processed',
      outcome: 'created',
      error: { code: 'amounts_differ', message: expect.any(String), path: '' },
    });
    expect((await orderOf(row.order_id)).amounts.total).toBe(50);
  });

  test('is processed with lines_missing when it has a total and no lines', async () => {
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
    const later = await settled(await sendOrder(installId, { ...bare, customer_note: 'Call twice' }));
    expect(later).toMatchObject({ outcome: 'updated', error: null });
    expect(await orderOf(created.order_id)).toMatchObject({ comment: 'Call twice', lines: [{ sku_id: 'HON-1' }] });
    expect(
      await settled(await sendOrder(installId, { ...bare, id: unused(), total: '0.00', total_tax: '0.00' })),
    ).toMatchObject({
      outcome: 'created',
      error: null,
    });
  });

  test('keeps the total when a later payload does not mention it', async () => {
    const order = wooOrder({ id: unused() });
    const created = await settled(await sendOrder(installId, order));
    const { total, line_items, ...rest } = order;
    const later = await settled(await sendOrder(installId, { ...rest, customer_note: 'Call twice' }));
    expect(later).toMatchObject({ status: 'processed', outcome: 'updated', order_id: created.order_id, error: null });
    expect(await orderOf(created.order_id)).toMatchObject({
      comment: 'Call twice',
      amounts: { total: 46, subtotal: 40, vat: 6 },
      lines: [{ sku_id: 'HON-1' }],
    });
  });

  test('dated in the future is overtaken by the next one', async () => {
    const id = unused();
    const future = wooOrder({ id, date_modified_gmt: '2107-11-15T09:05:00' });
    const first = await settled(await sendOrder(installId, future));
    clock.advanceMs(60_000);
    const date_modified_gmt = clock.now().toISOString().slice(0, 19);
    const next = await settled(await sendOrder(installId, wooOrder({ id, date_modified_gmt, status: 'cancelled' })));
    expect([first.outcome, next.outcome]).toEqual(['created', 'updated']);
    expect(await orderOf(first.order_id)).toMatchObject({ status: 'cancelled' });
  });

  test('changes nothing when it is repeated', async () => {
    const order = wooOrder({ id: unused() });
    const first = await settled(await sendOrder(installId, order));
    const again = await settled(await sendOrder(installId, order, { 'x-wc-webhook-delivery-id': newId() }));
    expect(again).toMatchObject({ outcome: 'unchanged', order_id: first.order_id });
    const timeline = async () => JSON.stringify((await ask(`GET /orders/${first.order_id}/timeline`)).body);
    // On a cluster the outcome is visible a moment before the order.
    await expect.poll(timeline).toContain('"order.created"');
    expect((await timeline()).match(/"order\.created"/g)).toHaveLength(1);
    expect(await timeline()).not.toContain('order.updated');
  });

  test.each([
    ['completed', 'processing', ['DELIVERED', 'Full', 'paid']],
    ['completed', 'pending', ['DELIVERED', 'Full', 'paid']],
    ['completed', 'packed-by-hand', ['DELIVERED', 'Full', 'paid']],
    ['cancelled', 'completed', ['CANCELLED', 'None', 'cancelled']],
    ['cancelled', 'packed-by-hand', ['CANCELLED', 'None', 'cancelled']],
  ])('leaves the statuses of a %s order unchanged by a later %s', async (before, after, words) => {
    const id = unused();
    const { order_id } = await settled(await sendOrder(installId, wooOrder({ id, status: before })));
    const statuses = async () => {
      const { order } = (await ask(`GET /orders/${order_id}`)).body;
      return [order?.order_status, order?.fulfillment_status, order?.payment_status];
    };
    // On a cluster the outcome is visible a moment before the order.
    await expect.poll(statuses).toEqual(words);
    const later = { id, status: after, date_modified_gmt: '2026-11-15T09:30:00' };
    expect(await settled(await sendOrder(installId, wooOrder(later)))).toMatchObject({
      outcome: 'unchanged',
      order_id,
    });
    expect(await statuses()).toEqual(words);
    // What else it says is taken over.
    const noted = { ...later, customer_note: 'call twice', date_modified_gmt: '2026-11-15T09:40:00' };
    expect(await settled(await sendOrder(installId, wooOrder(noted)))).toMatchObject({ outcome: 'updated', order_id });
    expect([await statuses(), (await orderOf(order_id)).comment]).toEqual([words, 'call twice']);
  });

  test('updates the payment status of an order whose status advanced here', async () => {
    const id = unused();
    const { order_id } = await settled(await sendOrder(installId, wooOrder({ id, status: 'on-hold' })));
    await sql`update orders set order_status = 'DISPATCHED' where id = ${order_id}`;
    const paid = wooOrder({ id, date_modified_gmt: '2026-11-15T09:30:00' });
    expect(await settled(await sendOrder(installId, paid))).toMatchObject({ outcome: 'updated', order_id });
    const { order } = (await ask(`GET /orders/${order_id}`)).body;
    expect([order.order_status, order.payment_status]).toEqual(['DISPATCHED', 'paid']);
  });

  test("matches the vendor's codes with products and SKUs by iv_id, barcode or SKU", async () => {
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

  test('is assigned to the branch of the current settings, also when it is retried', async () => {
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

  test('fails again with a new attempt count when a retry does not help', async () => {
    const stagingId = (await send({ installId, body: 'still no JSON' })).body.data.staging_id;
    await settled(stagingId);
    clock.advanceMs(1_000);
    await ask(`POST /staging/${stagingId}/retry`);
    await expect.poll(async () => (await staged(stagingId)).processed_at, POLL_OPTIONS).toBe(clock.now().toISOString());
    expect(await staged(stagingId)).toMatchObject({ status: 'failed', attempts: 1, error: { code: 'not_json' } });
  });
});
