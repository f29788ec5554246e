import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { newOrder } from '../testing/new-order.ts';

let service: TestService;
let shop: TestOrganization;

beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
});

const as = (target: string, options: Parameters<typeof call>[2] = {}) =>
  call(service.baseUrl, target, { token: shop.owner.token, ...options });

async function place(count: number): Promise<string[]> {
  const bodies = Array.from({ length: count }, () => newOrder());
  const replies = await Promise.all(bodies.map((body) => as('POST /orders', { body })));
  return replies.map((reply) => reply.body.data.id);
}

describe('POST /orders/bulk', () => {
  it('places the valid orders and reports the others by name', async () => {
    const known = newOrder();
    await as('POST /orders', { body: known });
    const twice = newOrder();
    const nameless = { ...newOrder({ skus: [] }), source_transaction_id: undefined };
    const orders = [
      newOrder(),
      known,
      twice,
      twice,
      nameless,
      7,
      newOrder({ source_transaction_id: 'bad', currency: 'x' }),
    ];
    const reply = await as('POST /orders/bulk', { body: { mode: 'create', orders } });
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body)).toEqual(['success', 'data', 'timestamp']);
    expect(reply.body.data).toMatchObject({ succeeded: 2, failed: 5 });
    expect(reply.body.data.errors).toMatchObject({
      [String(known.source_transaction_id)]: 'Duplicate source transaction ID',
      [String(twice.source_transaction_id)]: 'Duplicate source transaction ID',
      '#4': 'skus at least one is required',
      bad: 'currency has a wrong format: three letters such as SAR',
    });
    expect(reply.body.data.errors).toHaveProperty('#5');
  });

  it('reports an item under its source_transaction_id unless that is too long', async () => {
    const named = (name: string) => newOrder({ source_transaction_id: name, skus: [] });
    const reply = await as('POST /orders/bulk', {
      body: [named('__proto__'), named('n'.repeat(300)), named('__proto__')],
    });
    expect(reply.body.data).toMatchObject({ succeeded: 0, failed: 3 });
    expect(Object.keys(reply.body.data.errors)).toEqual(['__proto__', '#1']);
  });

  it('accepts a bare array', async () => {
    const reply = await as('POST /orders/bulk', { body: [newOrder(), newOrder()] });
    expect(reply.body.data).toEqual({ succeeded: 2, failed: 0, errors: {} });
  });

  it('makes a created event for each placed order', async () => {
    const { token } = (await testOrganization(service.sql)).owner;
    await as('POST /orders/bulk', { token, body: Array.from({ length: 5 }, () => newOrder()) });
    const page = async () => (await as('GET /orders/changes', { token })).body;
    await expect.poll(async () => (await page()).events.length).toBe(5);
    expect((await page()).events.map((event: ReplyBody) => event.type)).toEqual(Array(5).fill('order.created'));
  });

  it('returns 413 above 100 items, and 422 for another mode or without a list', async () => {
    const many = Array.from({ length: 101 }, () => newOrder());
    expect((await as('POST /orders/bulk', { body: { mode: 'create', orders: many } })).status).toBe(413);
    expect((await as('POST /orders/bulk', { body: { mode: 'upsert', orders: [] } })).status).toBe(422);
    expect((await as('POST /orders/bulk', { body: { mode: 'create' } })).status).toBe(422);
  });
});

describe('PATCH /orders/bulk/status', () => {
  it('moves the orders that may move and reports the reason for each other', async () => {
    const [first = '', second = '', third = ''] = await place(3);
    await as(`PATCH /orders/${third}/status`, { body: { order_status: 'CANCELLED' } });
    const missing = '0193a1f0-7c00-7000-8000-0000000000ff';
    const updates = [
      { id: first, order_status: 'DISPATCHED' },
      { id: second, payment_status: 'completed' },
      { id: third, order_status: 'DELIVERED' },
      { id: missing, order_status: 'DELIVERED' },
      { id: 'odd', order_status: 'DELIVERED' },
      { order_status: 'DELIVERED' },
    ];
    const reply = await as('PATCH /orders/bulk/status', { body: { updates } });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({
      succeeded: 2,
      failed: 4,
      errors: {
        [third]: 'Invalid status transition',
        [missing]: 'Order not found',
        odd: 'Order not found',
        '#5': 'id is required',
      },
    });
    expect((await as(`GET /orders/${second}`)).body.order.payment_status).toBe('completed');
  });

  it('ignores fields that are not part of an update', async () => {
    const [first = '', second = ''] = await place(2);
    const updates = [
      { id: first, order_status: 'DISPATCHED', notes: { an: 'object' } },
      { id: second, order_status: 'DISPATCHED', notes: 'x'.repeat(100_000), comment: 'no', total_amount: 1 },
    ];
    const reply = await as('PATCH /orders/bulk/status', { body: { updates } });
    expect(reply.body.data).toEqual({ succeeded: 2, failed: 0, errors: {} });
    for (const id of [first, second]) {
      const { order } = (await as(`GET /orders/${id}`)).body;
      expect(order).toMatchObject({ order_status: 'DISPATCHED', comment: null, total_amount: 23 });
    }
  });

  it('applies several updates of one order in sequence', async () => {
    const [id = ''] = await place(1);
    const updates = [
      { id, order_status: 'DISPATCHED' },
      { id, order_status: 'RECEIVED' },
      { id, order_status: 'DELIVERED' },
    ];
    const reply = await as('PATCH /orders/bulk/status', { body: { updates } });
    expect(reply.body.data).toMatchObject({ succeeded: 2, failed: 1 });
    expect((await as(`GET /orders/${id}`)).body.order.order_status).toBe('DELIVERED');
  });

  it('completes many overlapping calls without a deadlock', async () => {
    const ids = await place(20);
    const shuffled = () => [...ids].sort(() => Math.random() - 0.5);
    const calls = Array.from({ length: 12 }, (_, index) =>
      as('PATCH /orders/bulk/status', {
        body: { updates: shuffled().map((id) => ({ id, fulfillment_status: `step ${index}` })) },
      }),
    );
    const replies = await Promise.all(calls);
    expect(replies.map((reply) => reply.status)).toEqual(Array(12).fill(200));
    expect(replies.every((reply) => reply.body.data.succeeded === 20)).toBe(true);
  });
});

describe('DELETE /orders/bulk', () => {
  it('deletes orders, whose source transactions can be used again', async () => {
    const body = newOrder();
    const { id } = (await as('POST /orders', { body })).body.data;
    const [other = ''] = await place(1);
    const reply = await as('DELETE /orders/bulk', { body: { order_ids: [id, other, id, 'none', 5] } });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ succeeded: 2, failed: 3 });
    expect((await as(`GET /orders/${id}`)).status).toBe(404);
    expect((await as('POST /orders', { body })).status).toBe(201);
  });

  it('accepts a bare array of at most 100 ids', async () => {
    const ids = await place(2);
    expect((await as('DELETE /orders/bulk', { body: ids })).body.data.succeeded).toBe(2);
    expect((await as('DELETE /orders/bulk', { body: Array(101).fill('x') })).status).toBe(413);
  });
});
