import { describe, expect, it } from 'vitest';
import { call, testAccount, testOrganization, testShop } from '../../../../test/harness/index.ts';
import { newOrder } from '../testing/new-order.ts';
import { orderDesk } from '../testing/order-desk.ts';

const { service, shop, ask: as } = await testShop();
const otherShop = await testOrganization(service.sql);
const { placed, makeBranch } = orderDesk({ ask: as });

describe('POST /orders 201', () => {
  it('returns id and order number in the mutation envelope', async () => {
    const reply = await as('POST /orders', { body: newOrder() });
    expect(reply.status).toBe(201);
    expect(Object.keys(reply.body)).toEqual(['success', 'message', 'data', 'timestamp']);
    expect(Object.keys(reply.body.data)).toEqual(['id', 'order_number']);
    const read = await as(`GET /orders/${reply.body.data.id}`);
    expect(read.body.order.order_code).toBe(reply.body.data.order_number);
  });

  it('fills absent fields with their defaults', async () => {
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

  it('stores statuses exactly as they were sent', async () => {
    const { body } = await as(`GET /orders/${await placed({ order_status: 'Awaiting Courier' })}`);
    expect(body.order.order_status).toBe('Awaiting Courier');
  });

  it('stores the name of the branch as store_name', async () => {
    const destination = await makeBranch('RUH-1');
    const { body } = await as(`GET /orders/${await placed({ destination })}`);
    expect(body.order).toMatchObject({ destination_id: destination, store_name: 'Branch RUH-1' });
  });

  it('accepts the iv_id of a branch, and prefers a branch with that id to one with that iv_id', async () => {
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

  it('returns the stored response when an Idempotency-Key is repeated', async () => {
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

  it('keeps the key order of the client, as the synchronous call does', async () => {
    const shipping_address = { zone: 'Z', street: 'Olaya', a: 1, building_number: '12', b: { yy: 1, x: 2 } };
    const queued = await as('POST /orders', { body: newOrder({ shipping_address }), headers: { 'x-async': 'true' } });
    const job = () => call(service.baseUrl, `GET ${queued.body.data.status_url}`, { token: shop.owner.token });
    await expect.poll(async () => (await job()).body.status).toBe('succeeded');
    const { text } = await as(`GET /orders/${queued.body.data.job_id}`);
    expect(text).toContain(JSON.stringify(shipping_address));
  });

  it('takes the header in any case, as Python writes it', async () => {
    const queued = await as('POST /orders', { body: newOrder(), headers: { 'x-async': 'True' } });
    expect(queued.status).toBe(202);
  });

  it('reports the same refusal as the synchronous call', async () => {
    const body = newOrder();
    await as('POST /orders', { body });
    const queued = await as('POST /orders', { body, headers: { 'x-async': 'true' } });
    const job = () => call(service.baseUrl, `GET ${queued.body.data.status_url}`, { token: shop.owner.token });
    await expect.poll(async () => (await job()).body.status).toBe('failed');
    expect((await job()).body.error).toMatchObject({ code: 409, error: 'Duplicate source transaction ID' });
  });
});

describe('POST /orders refusals', () => {
  it('returns 409 when the source transaction exists', async () => {
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

  it('returns 409 for all but one of many concurrent requests with one source transaction', async () => {
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
    ['promised_for', { promised_for: '2026-06-30T24:00:00Z' }],
    ['destination', { destination: 'nowhere' }],
    ['destination', { destination: '0193a1f0-7c00-7000-8000-0000000000ff' }],
  ])('returns 422 with %s in the details for %j', async (field, fields) => {
    const reply = await as('POST /orders', { body: newOrder(fields) });
    expect(reply.status).toBe(422);
    expect(reply.body.error).toBe('Validation failed');
    expect(Object.keys(reply.body.details)).toContain(field);
  });

  it("returns 422 for another tenant's branch", async () => {
    const branch = await call(service.baseUrl, 'POST /branches', {
      token: otherShop.owner.token,
      body: { iv_id: 'X' },
    });
    const reply = await as('POST /orders', { body: newOrder({ destination: branch.body.data.id }) });
    expect(reply.status).toBe(422);
    expect(reply.body.details).toEqual({ destination: 'does not exist' });
  });

  it('returns 403 for a viewer', async () => {
    const viewer = await testAccount(service.sql, shop.id, 'viewer');
    expect((await as('POST /orders', { token: viewer.token, body: newOrder() })).status).toBe(403);
  });
});
