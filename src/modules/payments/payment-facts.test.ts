import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/harness/index.ts';
import { SECRET, vendorOf, wooOrder } from '../staging/testing/vendor.ts';
import { type Installed, openPayShop, type PayShop } from './testing/pay-shop.ts';

let at: PayShop;
let paytabs: Installed;
let vendor: ReturnType<typeof vendorOf>;
let woo: string;
const KEY = 'ab'.repeat(32);
let lastId = 7000;
let minute = 0;

beforeAll(async () => {
  at = await openPayShop();
  paytabs = await at.install('paytabs-sync', { webhook_secret: KEY });
  vendor = vendorOf(at.service, at.shop);
  woo = await vendor.install({ webhook_secret: SECRET });
});
afterAll(() => at.vendors.close());

/** PayTabs signs the whole body, so that it is believed without being read back. */
async function pay(order: string, { total = '46.00', type = 'Sale', parent = '' } = {}): Promise<string> {
  lastId += 1;
  const body = JSON.stringify({
    tran_ref: `T${lastId}`,
    tran_type: type,
    ...(parent === '' ? {} : { previous_tran_ref: parent }),
    cart_id: order,
    cart_amount: '46.00',
    cart_currency: 'SAR',
    tran_total: total,
    tran_currency: 'SAR',
    payment_result: { response_status: 'A', transaction_time: new Date().toISOString() },
  });
  const row = await at.deliver(paytabs, body, { signature: createHmac('sha256', KEY).update(body).digest('hex') });
  expect([row.status, row.order_id]).toEqual(['processed', order]);
  return `T${lastId}`;
}

/** The vendor's order of this number, as it is now. */
async function deliverVendorOrder(id: number, status: string, more: object = {}): Promise<ReplyBody> {
  minute += 1;
  const date_modified_gmt = new Date(Date.UTC(2026, 10, 15, 9, minute)).toISOString().slice(0, 19);
  const staged = await vendor.sendOrder(woo, wooOrder({ id, number: `W-${id}`, status, date_modified_gmt, ...more }));
  return vendor.settled(staged);
}

const statusOf = async (id: string) => (await at.orderNow(id)).payment_status;
/** Its events, published already or not. */
async function typesOf(id: string): Promise<string[]> {
  const rows = await at.service.sql<{ type: string }[]>`
    select type from order_changes where order_id = ${id} order by organization_id, id`;
  return rows.map(({ type }) => type).sort();
}
const refundsOf = async (id: string) => (await typesOf(id)).filter((type) => type === 'order.refunded').length;

describe("a vendor's payload", () => {
  test('does not undo a refund that the gateway reported', async () => {
    const number = lastId++;
    const { order_id: id } = await deliverVendorOrder(number, 'processing');
    const payment = await pay(id);
    await pay(id, { type: 'Refund', parent: payment });
    expect(await statusOf(id)).toBe('refunded');
    const before = await typesOf(id);
    const row = await deliverVendorOrder(number, 'processing', { customer_note: 'knock twice' });
    expect([row.order_id, row.outcome]).toEqual([id, 'updated']);
    expect(await statusOf(id)).toBe('refunded');
    expect((await typesOf(id)).length).toBe(before.length + 1);
    expect(await refundsOf(id)).toBe(1);
  });

  test('does not undo a payment that the gateway reported, and a repeat confirms nothing', async () => {
    const number = lastId++;
    const { order_id: id } = await deliverVendorOrder(number, 'pending');
    expect(await statusOf(id)).toBe('pending');
    await pay(id);
    expect(await statusOf(id)).toBe('paid');
    const row = await deliverVendorOrder(number, 'pending');
    expect([row.order_id, row.outcome]).toEqual([id, 'unchanged']);
    expect(await statusOf(id)).toBe('paid');
  });

  test('can withdraw its own report if no stronger source has reported', async () => {
    const number = lastId++;
    const { order_id: id } = await deliverVendorOrder(number, 'processing');
    expect(await statusOf(id)).toBe('paid');
    await deliverVendorOrder(number, 'on-hold');
    expect(await statusOf(id)).toBe('pending');
  });
});

describe('a client', () => {
  const conflict = (set_by: string, payment_status: string) => ({
    code: 409,
    error: 'Payment status conflict',
    details: { payment_status, set_by },
  });

  test('cannot undo what a gateway reported, by PATCH, PUT or in bulk', async () => {
    const id = await at.order(46);
    await pay(id);
    const events = await typesOf(id);
    const patched = await at.ask(`PATCH /orders/${id}/status`, { body: { payment_status: 'pending' } });
    expect([patched.status, patched.body]).toEqual([409, conflict('gateway', 'completed')]);
    expect(patched.headers.get('x-error-reason')).toBe('payment-status-conflict');
    const body = {
      order_status: 'RECEIVED',
      fulfillment_status: 'None',
      total_amount: 46,
      currency: 'SAR',
      skus: ['P_B'],
      products: [{ product_id: 'P', sku_id: 'P_B' }],
    };
    const replaced = await at.ask(`PUT /orders/${id}`, { body: { ...body, payment_status: 'failed' } });
    expect([replaced.status, replaced.body]).toEqual([409, conflict('gateway', 'completed')]);
    const bulk = await at.ask('PATCH /orders/bulk/status', {
      body: { updates: [{ id, order_status: 'DELIVERED', payment_status: 'pending' }] },
    });
    expect(bulk.body.data).toMatchObject({
      succeeded: 0,
      failed: 1,
      errors: { [id]: 'Payment status conflict: completed, reported by gateway' },
    });
    expect(await typesOf(id)).toEqual(events);
    // Left out it is no statement, and what is known stays.
    const kept = await at.ask(`PUT /orders/${id}`, { body: { ...body, comment: 'knock twice' } });
    expect([kept.status, kept.body.data.payment_status]).toEqual([200, 'completed']);
    const sentBack = await at.ask(`PUT /orders/${id}`, { body: { ...body, payment_status: 'completed' } });
    expect(sentBack.status).toBe(200);
  });

  test('may report a refund of a payment that the gateway reported, and cannot undo it', async () => {
    const id = await at.order(46);
    await pay(id);
    const refund = await at.ask(`PATCH /orders/${id}/status`, { body: { payment_status: 'refunded' } });
    expect(refund.status).toBe(200);
    expect(await refundsOf(id)).toBe(1);
    const undone = await at.ask(`PATCH /orders/${id}/status`, { body: { payment_status: 'completed' } });
    expect([undone.status, undone.body]).toEqual([409, conflict('person', 'refunded')]);
    // Late news of the payment is no correction.
    await pay(id);
    expect(await statusOf(id)).toBe('refunded');
    const replaced = await at.ask(`GET /orders/${id}`);
    expect(replaced.body.order).not.toHaveProperty('payment_facts');
  });

  test('may report a payment that the vendor has not, and the vendor does not undo it', async () => {
    const number = lastId++;
    const { order_id: id } = await deliverVendorOrder(number, 'pending', { payment_method: 'cod' });
    const paid = await at.ask(`PATCH /orders/${id}/status`, { body: { payment_status: 'paid' } });
    expect(paid.status).toBe(200);
    await deliverVendorOrder(number, 'pending', { payment_method: 'cod', customer_note: 'back entrance' });
    expect(await statusOf(id)).toBe('paid');
    // Their own word can be taken back.
    const undone = await at.ask(`PATCH /orders/${id}/status`, { body: { payment_status: 'pending' } });
    expect([undone.status, await statusOf(id)]).toEqual([200, 'pending']);
  });

  test('changes nothing else of the order if its payment status is refused', async () => {
    const id = await at.order(46);
    await pay(id);
    const refused = await at.ask(`PATCH /orders/${id}/status`, {
      body: { order_status: 'DELIVERED', payment_status: 'failed' },
    });
    expect([refused.status, (await at.orderNow(id)).order_status]).toEqual([409, 'RECEIVED']);
  });
});

test('an order stores facts only once a second source has reported', async () => {
  const id = await at.order(46);
  const stored = async () =>
    (await at.service.sql<{ payment_facts: unknown }[]>`select payment_facts from orders where id = ${id}`)[0]
      ?.payment_facts;
  await at.ask(`PATCH /orders/${id}/status`, { body: { payment_status: 'completed' } });
  expect(await stored()).toBeNull();
  const events = await typesOf(id);
  await pay(id);
  expect(await stored()).toEqual({ person: 'completed', gateway: 'completed' });
  // A reader of the order sees the same payment.
  expect(await typesOf(id)).toEqual(events);
});
