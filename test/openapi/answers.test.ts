import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import {
  type Call,
  call,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../harness/index.ts';
import { type AnswerCheck, publishedAnswers } from '../harness/published-answers.ts';

let service: TestService;
let shop: TestOrganization;
let check: AnswerCheck;
let branch: string;

beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
  check = await publishedAnswers(service.baseUrl);
  branch = (await ask('POST /branches', 201, { body: { iv_id: 'RUH-1', name_en: 'Olaya' } })).data.id;
});

/** Asks, and holds the answer against what the API description says of it. */
async function ask(target: string, status: number, options: Call = {}): Promise<ReplyBody> {
  const reply = await call(service.baseUrl, target, { token: shop.owner.token, ...options });
  expect([reply.status, reply.text.slice(0, 300)]).toEqual([status, expect.anything()]);
  expect(check(target, reply)).toEqual([]);
  return reply.body;
}

const least = () => ({
  order_status: 'on hold',
  fulfillment_status: 'None',
  skus: ['P-1'],
  products: [{ product_id: 'P-1', sku_id: 'P-1' }],
});
/** Every field that an order can have. */
const most = () => ({
  source: 'web',
  source_reference: 'ref',
  source_transaction_id: newId(),
  source_timestamp: '2026-11-15T08:00:00+03:00',
  destination: branch,
  destination_reference: 'R-1',
  order_status: 'RECEIVED',
  payment_status: 'completed',
  fulfillment_status: 'Partial',
  fulfillment_method: 'delivery',
  payment_method: 'cash',
  customer_name: 'نورة العتيبي',
  customer_email: 'noura@example.com',
  customer_phone: '+966500000001',
  receiver_name: 'Lama',
  receiver_phone: '+966500000002',
  skus: ['P-1', 'P-2'],
  products: [
    { product_id: 'P-1', sku_id: 'P-1', name: 'Dates', quantity: 3, price: 0.1, colour: 'brown' },
    { product_id: 'P-2', sku_id: 'P-2', name: null, quantity: null, price: null },
  ],
  total_amount: 28.75,
  vat_amount: 3.75,
  discounts_amount: 1,
  delivery_fee: 2,
  service_fee: 3,
  subtotal: 4,
  currency: 'sar',
  shipping_address: { city: 'Riyadh', lines: ['a', 1, null] },
  order_type: 'now',
  transport_type: 'bike',
  comment: 'call first',
  promised_for: '2026-11-15T09:00:00Z',
  is_preorder: true,
  dispatch_routing: { zone: 4 },
  shipping_fulfillment: { courier: 'x' },
});

describe('answers of the order routes are as the API description has them', () => {
  test('placing, replacing, moving, deleting', async () => {
    const { id } = (await ask('POST /orders', 201, { body: least() })).data;
    await ask('POST /orders', 201, { body: most(), headers: { 'idempotency-key': newId() } });
    const { job_id } = (await ask('POST /orders', 202, { body: most(), headers: { 'x-async': 'true' } })).data;
    await ask(`GET /jobs/${job_id}`, 200);
    await ask(`PUT /orders/${id}`, 200, { body: most() });
    await ask(`PUT /orders/${id}`, 200, { body: { ...least(), order_status: 'RECEIVED' } });
    await ask(`PATCH /orders/${id}/status`, 200, { body: { order_status: 'DISPATCHED', notes: 'gone' } });
    await ask('POST /orders/bulk', 200, { body: { mode: 'create', orders: [least(), { wrong: true }] } });
    await ask('PATCH /orders/bulk/status', 200, {
      body: { updates: [{ id, order_status: 'DELIVERED' }, { id: 'x' }] },
    });
    const note = await ask(`POST /orders/${id}/notes`, 201, { body: { body: 'call first' } });
    await ask(`GET /orders/${id}/notes`, 200);
    await ask(`PUT /orders/${id}/tags`, 200, { body: { tags: ['VIP'] } });
    await ask(`GET /orders/${id}/tags`, 200);
    await ask('GET /orders/tags', 200);
    await ask(`DELETE /orders/${id}/notes/${note.data.id}`, 204);
    await ask(`GET /orders/${id}/timeline`, 200);
    await ask('DELETE /orders/bulk', 200, { body: { order_ids: [id, 'x'] } });
  });

  test('reading', async () => {
    const ids = [
      (await ask('POST /orders', 201, { body: least() })).data.id,
      (await ask('POST /orders', 201, { body: most() })).data.id,
    ];
    await service.sql`update orders set raw = '{"vendor": {"any": [1, "thing"]}}' where id = ${ids[1]}`;
    for (const query of ['', '?format=canonical', '?format=canonical&include=raw']) {
      expect((await ask(`GET /orders${query}`, 200)).orders.length).toBeGreaterThan(1);
      for (const id of ids) await ask(`GET /orders/${id}${query}`, 200);
    }
    await ask('GET /orders?search=unknown', 200);
    await ask('GET /orders/dashboard', 200);
    await ask('GET /orders/dashboard/export', 200);
    for (const id of ids) {
      await expect.poll(async () => (await ask(`GET /orders/${id}/timeline`, 200)).events.length).toBe(1);
    }
  });

  test('a page too large for one read', async () => {
    const products = [{ product_id: 'P', sku_id: 'P', name: 'n', note: 'x'.repeat(200_000) }];
    for (let index = 0; index < 4; index += 1) await ask('POST /orders', 201, { body: { ...most(), products } });
    for (const query of ['', '&format=canonical', '&format=canonical&include=raw']) {
      expect((await ask(`GET /orders?sort=-created${query}`, 200)).orders.length).toBeGreaterThan(3);
    }
  });

  test('customers', async () => {
    await expect.poll(async () => (await ask('GET /customers', 200)).count).toBeGreaterThan(0);
    const [customer] = (await ask('GET /customers?search=noura', 200)).data;
    await ask(`GET /customers/${customer.id}`, 200);
  });

  test('refusals', async () => {
    await ask('POST /orders', 422, { body: { ...least(), skus: [] } });
    await ask('POST /orders', 400, { raw: '{', headers: { 'content-type': 'application/json' } });
    const twice = most();
    await ask('POST /orders', 201, { body: twice });
    await ask('POST /orders', 409, { body: twice });
    await ask(`GET /orders/${newId()}`, 404);
    await ask(`GET /orders/${newId()}/timeline`, 404);
    await ask(`GET /customers/${newId()}`, 404);
    await ask('GET /orders?sort=sideways', 400);
    await ask('GET /orders/dashboard/export?from=yesterday', 400);
    await ask('GET /orders', 401, { token: 'none' });
    await ask('POST /orders/bulk', 413, { body: Array.from({ length: 101 }, least) });
  });

  test('a field that is not described, or missing, is noticed', async () => {
    const reply = await call(service.baseUrl, 'GET /orders?format=canonical&limit=1', { token: shop.owner.token });
    const [order] = reply.body.orders;
    const altered = (change: object) => ({ ...reply, body: { ...reply.body, orders: [{ ...order, ...change }] } });
    expect(check('GET /orders', reply)).toEqual([]);
    expect(check('GET /orders', altered({ surprise: 1 }))).not.toEqual([]);
    expect(
      check('GET /orders', altered({ payment: { status: 'settled', status_raw: 'x', method: null } })),
    ).not.toEqual([]);
    const { lines: _lines, ...lineless } = order;
    expect(check('GET /orders', { ...reply, body: { ...reply.body, orders: [lineless] } })).not.toEqual([]);
    expect(check('GET /orders', { ...altered({}), body: { ...reply.body, pagination: {} } })).not.toEqual([]);
  });
});
