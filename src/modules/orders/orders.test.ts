import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { newOrder } from './testing/new-order.ts';

let service: TestService;
let shop: TestOrganization;
let stranger: TestOrganization;

beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
  stranger = await testOrganization(service.sql);
});

const as = (target: string, options: Parameters<typeof call>[2] = {}) =>
  call(service.baseUrl, target, { token: shop.owner.token, ...options });

async function placed(fields: Record<string, unknown> = {}): Promise<string> {
  const reply = await as('POST /orders', { body: newOrder(fields) });
  expect(reply.status).toBe(201);
  return reply.body.data.id;
}

async function makeBranch(ivId: string): Promise<string> {
  const reply = await as('POST /branches', { body: { iv_id: ivId, name_en: `Branch ${ivId}` } });
  return reply.body.data.id;
}

describe('POST /orders 201', () => {
  it('answers id and display code in the mutation envelope', async () => {
    const reply = await as('POST /orders', { body: newOrder() });
    expect(reply.status).toBe(201);
    expect(Object.keys(reply.body)).toEqual(['success', 'message', 'data', 'timestamp']);
    expect(Object.keys(reply.body.data)).toEqual(['id', 'order_number']);
    const read = await as(`GET /orders/${reply.body.data.id}`);
    expect(read.body.order.order_code).toBe(reply.body.data.order_number);
  });

  it('fills what is unsaid with defaults', async () => {
    const { body } = await as(`GET /orders/${await placed({ total_amount: undefined, vat_amount: undefined })}`);
    expect(body.order).toMatchObject({
      payment_status: 'pending',
      currency: 'SAR',
      fulfillment_method: null,
      payment_method: null,
      total_amount: 0,
      vat_amount: 0,
      discounts_amount: 0,
    });
    expect(body.organization_app_id).toBe('');
    expect(body.app_slug).toBe('api');
  });

  it('keeps stored status words as they were sent', async () => {
    const { body } = await as(`GET /orders/${await placed({ order_status: 'Awaiting Courier' })}`);
    expect(body.order.order_status).toBe('Awaiting Courier');
  });

  it('resolves the branch into a store name', async () => {
    const destination = await makeBranch('RUH-1');
    const { body } = await as(`GET /orders/${await placed({ destination })}`);
    expect(body.order).toMatchObject({ destination_id: destination, store_name: 'Branch RUH-1' });
  });

  it('takes the iv_id of a branch for its id, and an id before an iv_id that is spelled alike', async () => {
    const id = await makeBranch('RUH-2');
    const lookalike = await makeBranch(id);
    const branchOf = async (order: string) => (await as(`GET /orders/${order}`)).body.order.destination_id;
    expect(await branchOf(await placed({ destination: 'RUH-2' }))).toBe(id);
    expect(await branchOf(await placed({ destination: id.toUpperCase() }))).toBe(id);
    expect(await branchOf(await placed({ destination: id }))).toBe(id);
    await as(`DELETE /branches/RUH-2`);
    expect(await branchOf(await placed({ destination: id }))).toBe(lookalike);

    const moved = await placed();
    const put = await as(`PUT /orders/${moved}`, { body: newOrder({ destination: 'RUH-1' }) });
    expect(put.body.data).toMatchObject({ store_name: 'Branch RUH-1' });
    const orders = ['RUH-1', id, 'ruh-1', 'nowhere', null].map((destination) => newOrder({ destination }));
    const bulk = await as('POST /orders/bulk', { body: { mode: 'create', orders } });
    expect(bulk.body.data).toMatchObject({ succeeded: 3, failed: 2 });
    const [, , wrongCase] = orders;
    expect(bulk.body.data.errors[String(wrongCase?.source_transaction_id)]).toBe('destination does not exist');
  });

  it('gives the kept answer to a repeat under one Idempotency-Key', async () => {
    const body = newOrder();
    const headers = { 'idempotency-key': 'order-key-1' };
    const first = await as('POST /orders', { body, headers });
    const again = await as('POST /orders', { body, headers });
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-hit')).toBe('true');
  });
});

describe('POST /orders 202', () => {
  it('queues the write and reports the order in the job', async () => {
    const queued = await as('POST /orders', { body: newOrder(), headers: { 'x-async': 'true' } });
    expect(queued.status).toBe(202);
    expect(Object.keys(queued.body.data)).toEqual(['job_id', 'status_url']);
    const job = () => call(service.baseUrl, `GET ${queued.body.data.status_url}`, { token: shop.owner.token });
    await expect.poll(async () => (await job()).body.status).toBe('succeeded');
    const { result } = (await job()).body;
    expect((await as(`GET /orders/${result.id}`)).status).toBe(200);
  });

  it('keeps the order of the keys that the client sent, as the direct call does', async () => {
    const shipping_address = { zone: 'Z', street: 'Olaya', a: 1, building_number: '12', b: { yy: 1, x: 2 } };
    const queued = await as('POST /orders', { body: newOrder({ shipping_address }), headers: { 'x-async': 'true' } });
    const job = () => call(service.baseUrl, `GET ${queued.body.data.status_url}`, { token: shop.owner.token });
    await expect.poll(async () => (await job()).body.status).toBe('succeeded');
    const { text } = await as(`GET /orders/${queued.body.data.job_id}`);
    expect(text).toContain(JSON.stringify(shipping_address));
  });

  it('reports the refusal that the direct call would have given', async () => {
    const body = newOrder();
    await as('POST /orders', { body });
    const queued = await as('POST /orders', { body, headers: { 'x-async': 'true' } });
    const job = () => call(service.baseUrl, `GET ${queued.body.data.status_url}`, { token: shop.owner.token });
    await expect.poll(async () => (await job()).body.status).toBe('failed');
    expect((await job()).body.error).toMatchObject({ code: 409, error: 'Duplicate source transaction ID' });
  });
});

describe('POST /orders refusals', () => {
  it('409: a source transaction that is known', async () => {
    const body = newOrder();
    await as('POST /orders', { body });
    const reply = await as('POST /orders', { body });
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({
      code: 409,
      error: 'Duplicate source transaction ID',
      details: { source_transaction_id: body.source_transaction_id },
    });
  });

  it('409 for all but one of many at the same moment', async () => {
    const body = newOrder();
    const replies = await Promise.all(Array.from({ length: 20 }, () => as('POST /orders', { body })));
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, ...Array(19).fill(409)]);
  });

  it.each([
    ['order_status', { order_status: undefined }],
    ['order_status', { order_status: '   ' }],
    ['fulfillment_status', { fulfillment_status: '' }],
    ['payment_status', { payment_status: 'paid' }],
    ['fulfillment_method', { fulfillment_method: 'drone' }],
    ['payment_method', { payment_method: 'barter' }],
    ['currency', { currency: 'SA' }],
    ['currency', { currency: 'S4R' }],
    ['skus', { skus: [] }],
    ['products', { products: [] }],
    ['products.0.sku_id', { products: [{ product_id: 'P' }] }],
    ['products.0.product_id', { products: [{ sku_id: 'S' }] }],
    ['products.0.price', { products: [{ product_id: 'P', sku_id: 'S', price: -1 }] }],
    ['total_amount', { total_amount: -0.01 }],
    ['total_amount', { total_amount: '5' }],
    ['total_amount', { total_amount: 1e300 }],
    ['vat_amount', { vat_amount: -1 }],
    ['discounts_amount', { discounts_amount: -1 }],
    ['promised_for', { promised_for: '2026-02-30T00:00:00Z' }],
    ['promised_for', { promised_for: '2026-06-30T23:59:60Z' }],
    ['destination', { destination: 'nowhere' }],
    ['destination', { destination: '0193a1f0-7c00-7000-8000-0000000000ff' }],
  ])('422 naming %s for %j', async (field, fields) => {
    const reply = await as('POST /orders', { body: newOrder(fields) });
    expect(reply.status).toBe(422);
    expect(reply.body.error).toBe('Validation failed');
    expect(Object.keys(reply.body.details)).toContain(field);
  });

  it("422 for another tenant's branch", async () => {
    const branch = await call(service.baseUrl, 'POST /branches', { token: stranger.owner.token, body: { iv_id: 'X' } });
    const reply = await as('POST /orders', { body: newOrder({ destination: branch.body.data.id }) });
    expect(reply.status).toBe(422);
    expect(reply.body.details).toEqual({ destination: 'does not exist' });
  });

  it('403 for a viewer', async () => {
    const viewer = await testAccount(service.sql, shop.id, 'viewer');
    expect((await as('POST /orders', { token: viewer.token, body: newOrder() })).status).toBe(403);
  });
});

describe('GET /orders/{id}', () => {
  it('answers a snapshot event, keys in their order', async () => {
    const id = await placed();
    const { body } = await as(`GET /orders/${id}`);
    expect(Object.keys(body)).toEqual([
      'spec_version',
      'event_id',
      'event_type',
      'occurred_at',
      'organization_id',
      'organization_app_id',
      'app_slug',
      'order',
    ]);
    expect(body.spec_version).toBe('2026-04-01');
    expect(body.event_type).toBe('order.snapshot');
    expect(body.event_id).toMatch(new RegExp(`^snapshot-${id}-\\d{19}$`));
    expect(body.occurred_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
    expect(body.order).not.toHaveProperty('raw');
  });

  it('answers the canonical form', async () => {
    const id = await placed({ order_status: 'Out for delivery', payment_status: 'completed' });
    const { body } = await as(`GET /orders/${id}?format=canonical`);
    expect(Object.keys(body)).toEqual(['spec_version', 'organization_id', 'order']);
    expect(body.spec_version).toBe('2026-09-29');
    expect(body.order).toMatchObject({
      status: 'dispatched',
      status_raw: 'Out for delivery',
      payment: { status: 'paid', status_raw: 'completed', method: null },
      amounts: { currency: 'SAR', total: 23, vat: 3 },
      lines: [{ product_id: 'P-1', sku_id: 'P-1_RUH', quantity: 2, unit_price: 10, total: 20 }],
    });
    expect(body.order).not.toHaveProperty('raw');
    const withRaw = await as(`GET /orders/${id}?format=canonical&include=raw`);
    expect(withRaw.body.order).toHaveProperty('raw', null);
  });

  it.each(['nope', '0193a1f0-7c00-7000-8000-0000000000ff'])('404 for %s', async (id) => {
    const reply = await as(`GET /orders/${id}`);
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ code: 404, error: 'Order not found', details: { id } });
  });

  it("404 for another tenant's", async () => {
    const id = await placed();
    expect((await as(`GET /orders/${id}`, { token: stranger.owner.token })).status).toBe(404);
  });
});

describe('PATCH /orders/{id}/status', () => {
  it('moves forward and answers what was updated', async () => {
    const id = await placed();
    const reply = await as(`PATCH /orders/${id}/status`, { body: { order_status: 'DISPATCHED', notes: 'Courier 7' } });
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body)).toEqual(['success', 'message', 'timestamp', 'data']);
    expect(reply.body.data).toMatchObject({ id, updated: { order_status: 'DISPATCHED' } });
    const { order } = (await as(`GET /orders/${id}`)).body;
    expect(order).toMatchObject({ order_status: 'DISPATCHED', comment: 'Courier 7' });
  });

  it('takes an empty change', async () => {
    expect((await as(`PATCH /orders/${await placed()}/status`, { body: {} })).status).toBe(200);
  });

  it('422 for a step back, and nothing changes', async () => {
    const id = await placed({ order_status: 'DELIVERED' });
    const reply = await as(`PATCH /orders/${id}/status`, {
      body: { order_status: 'RECEIVED', payment_status: 'refunded' },
    });
    expect(reply.status).toBe(422);
    expect(reply.body.error).toBe('Invalid status transition');
    expect((await as(`GET /orders/${id}`)).body.order).toMatchObject({
      order_status: 'DELIVERED',
      payment_status: 'pending',
    });
  });

  describe('an unknown word on the way', () => {
    const move = (id: string, order_status: string) => as(`PATCH /orders/${id}/status`, { body: { order_status } });
    const through = async (id: string, ...words: string[]) => {
      for (const word of words) expect([word, (await move(id, word)).status]).toEqual([word, 200]);
    };

    it('opens no way back, through however many', async () => {
      const id = await placed();
      await through(id, 'DISPATCHED', 'DISPATCHD', 'on hold', 'DISPATCHD');
      const back = await move(id, 'RECEIVED');
      expect([back.status, back.body.error]).toEqual([422, 'Invalid status transition']);
      expect(back.body.details).toEqual({
        order_status: 'cannot go from DISPATCHD, having been dispatched to RECEIVED',
      });
      expect((await move(id, 'awaiting payment')).status).toBe(422);
      // What is final is final.
      await through(id, 'shipped', 'lost', 'DELIVERED');
      expect((await move(id, 'lost')).status).toBe(422);
    });

    it('is judged the same by PUT and in bulk', async () => {
      const id = await placed({ order_status: 'READY' });
      const put = (order_status: string) => as(`PUT /orders/${id}`, { body: newOrder({ order_status }) });
      expect((await put('shelved')).status).toBe(200);
      expect((await put('RECEIVED')).status).toBe(422);
      const bulk = async (...words: string[]) =>
        (
          await as('PATCH /orders/bulk/status', {
            body: { updates: words.map((order_status) => ({ id, order_status })) },
          })
        ).body.data;
      expect(await bulk('RECEIVED')).toEqual({
        succeeded: 0,
        failed: 1,
        errors: { [id]: 'Invalid status transition' },
      });
      expect(await bulk('DISPATCHED', 'DISPATCHD', 'READY', 'gone', 'picked up')).toMatchObject({
        succeeded: 4,
        failed: 1,
      });
      expect((await put('READY')).status).toBe(422);
      expect((await put('DELIVERED')).status).toBe(200);
    });

    it('that an order began with may be followed by anything, as where nothing is known from before', async () => {
      for (const next of ['RECEIVED', 'pending', 'DISPATCHED', 'DELIVERED', 'CANCELLED']) {
        await through(await placed({ order_status: 'imported' }), 'imported twice', next);
      }
      const old = await placed({ order_status: 'DISPATCHED' });
      await through(old, 'lost');
      await service.sql`update orders set last_known_status = null where id = ${old}`;
      await through(old, 'RECEIVED');
    });

    it('is left for what was there before, and may end in a cancellation', async () => {
      await through(await placed(), 'READY', 'shelved', 'READY', 'shelved', 'CANCELLED');
      await through(await placed({ order_status: 'pending' }), 'odd', 'RECEIVED', 'odd', 'READY');
    });
  });

  it.each([{ order_status: ' ' }, { payment_status: 'bartered' }, { fulfillment_status: 5 }])(
    '422 for %j',
    async (body) => {
      expect((await as(`PATCH /orders/${await placed()}/status`, { body })).status).toBe(422);
    },
  );

  it('404 for an unknown order and for a stranger', async () => {
    const id = await placed();
    expect((await as('PATCH /orders/none/status', { body: {} })).status).toBe(404);
    const reply = await as(`PATCH /orders/${id}/status`, { token: stranger.owner.token, body: {} });
    expect(reply.status).toBe(404);
  });
});

describe('PUT /orders/{id}', () => {
  it('replaces the whole; what is absent returns to its default', async () => {
    const id = await placed({ customer_name: 'Noura', comment: 'ring twice', currency: 'USD' });
    const reply = await as(`PUT /orders/${id}`, { body: newOrder({ total_amount: 9 }) });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ id, customer_name: null, comment: null, currency: 'SAR', total_amount: 9 });
  });

  it('422 for a forbidden move, 409 for a taken source transaction, 404 for none', async () => {
    const id = await placed({ order_status: 'CANCELLED' });
    expect((await as(`PUT /orders/${id}`, { body: newOrder() })).status).toBe(422);
    const other = newOrder();
    await as('POST /orders', { body: other });
    const free = await placed();
    expect((await as(`PUT /orders/${free}`, { body: other })).status).toBe(409);
    expect((await as('PUT /orders/none', { body: newOrder() })).status).toBe(404);
  });
});

describe('an account confined to one branch', () => {
  it('sees, places and moves only orders of its branch', async () => {
    const mine = await makeBranch('JED-1');
    const other = await makeBranch('JED-2');
    const { token } = await testAccount(service.sql, shop.id, 'member', { branchId: mine });
    const hidden = await placed({ destination: other });
    const shown = await placed({ destination: mine });
    expect((await as(`GET /orders/${hidden}`, { token })).status).toBe(404);
    expect((await as(`GET /orders/${shown}`, { token })).status).toBe(200);
    expect((await as(`PATCH /orders/${hidden}/status`, { token, body: { order_status: 'CANCELLED' } })).status).toBe(
      404,
    );
    for (const destination of [other, 'JED-2']) {
      const refused = await as('POST /orders', { token, body: newOrder({ destination }) });
      expect(refused.body.details).toEqual({ destination: 'is not the branch of this account' });
    }
    expect((await as('POST /orders', { token, body: newOrder({ destination: 'JED-1' }) })).status).toBe(201);
    const own = await as('POST /orders', { token, body: newOrder() });
    expect((await as(`GET /orders/${own.body.data.id}`)).body.order.destination_id).toBe(mine);
    const list = await as('GET /orders', { token });
    expect(list.body.pagination.total_items).toBe(3);
    const destinations = list.body.orders.map((event: ReplyBody) => event.order.destination_id);
    expect(new Set(destinations)).toEqual(new Set([mine]));
  });
});
