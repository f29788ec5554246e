import { describe, expect, it } from 'vitest';
import { type ReplyBody, testAccount, testOrganization, testShop } from '../../../test/harness/index.ts';
import { newOrder } from './testing/new-order.ts';
import { orderDesk } from './testing/order-desk.ts';

const { service, shop, ask: as } = await testShop();
const otherShop = await testOrganization(service.sql);
const { placed, makeBranch } = orderDesk({ ask: as });

describe('GET /orders/{id}', () => {
  it('returns a snapshot event with its keys in order', async () => {
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

  it('returns the canonical form', async () => {
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

  it.each(['nope', '0193a1f0-7c00-7000-8000-0000000000ff'])('returns 404 for %s', async (id) => {
    const reply = await as(`GET /orders/${id}`);
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ code: 404, error: 'Order not found', details: { id } });
  });

  it("returns 404 for another tenant's order", async () => {
    const id = await placed();
    expect((await as(`GET /orders/${id}`, { token: otherShop.owner.token })).status).toBe(404);
  });
});

describe('PATCH /orders/{id}/status', () => {
  it('moves the order forward and returns the updated fields', async () => {
    const id = await placed();
    const reply = await as(`PATCH /orders/${id}/status`, { body: { order_status: 'DISPATCHED', notes: 'Courier 7' } });
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body)).toEqual(['success', 'message', 'timestamp', 'data']);
    expect(reply.body.data).toMatchObject({ id, updated: { order_status: 'DISPATCHED' } });
    const { order } = (await as(`GET /orders/${id}`)).body;
    expect(order).toMatchObject({ order_status: 'DISPATCHED', comment: 'Courier 7' });
  });

  it('accepts an empty change', async () => {
    expect((await as(`PATCH /orders/${await placed()}/status`, { body: {} })).status).toBe(200);
  });

  it('returns 422 for a step back and changes nothing', async () => {
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

  describe('an unknown status', () => {
    const move = (id: string, order_status: string) => as(`PATCH /orders/${id}/status`, { body: { order_status } });
    const through = async (id: string, ...statuses: string[]) => {
      for (const status of statuses) expect([status, (await move(id, status)).status]).toEqual([status, 200]);
    };

    it('allows no way back, also after several of them', async () => {
      const id = await placed();
      await through(id, 'DISPATCHED', 'DISPATCHD', 'on hold', 'DISPATCHD');
      const back = await move(id, 'RECEIVED');
      expect([back.status, back.body.error]).toEqual([422, 'Invalid status transition']);
      expect(back.body.details).toEqual({
        order_status: 'cannot go from DISPATCHD, having been dispatched, to RECEIVED',
      });
      expect((await move(id, 'awaiting payment')).status).toBe(422);
      // What is final is final.
      await through(id, 'shipped', 'lost', 'DELIVERED');
      expect((await move(id, 'lost')).status).toBe(422);
    });

    it('has the same transitions in PUT and in bulk', async () => {
      const id = await placed({ order_status: 'READY' });
      const put = (order_status: string) => as(`PUT /orders/${id}`, { body: newOrder({ order_status }) });
      expect((await put('shelved')).status).toBe(200);
      expect((await put('RECEIVED')).status).toBe(422);
      const bulk = async (...statuses: string[]) =>
        (
          await as('PATCH /orders/bulk/status', {
            body: { updates: statuses.map((order_status) => ({ id, order_status })) },
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

    it('allows any next status when the order has had no known one', async () => {
      for (const next of ['RECEIVED', 'pending', 'DISPATCHED', 'DELIVERED', 'CANCELLED']) {
        await through(await placed({ order_status: 'imported' }), 'imported twice', next);
      }
      const old = await placed({ order_status: 'DISPATCHED' });
      await through(old, 'lost');
      await service.sql`update orders set last_known_status = null where id = ${old}`;
      await through(old, 'RECEIVED');
    });

    it('can return to the status before it, or be cancelled', async () => {
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

  it('returns 404 for an unknown order and for another tenant', async () => {
    const id = await placed();
    expect((await as('PATCH /orders/none/status', { body: {} })).status).toBe(404);
    const reply = await as(`PATCH /orders/${id}/status`, { token: otherShop.owner.token, body: {} });
    expect(reply.status).toBe(404);
  });
});

describe('PUT /orders/{id}', () => {
  it('replaces the order and resets absent fields to their defaults', async () => {
    const id = await placed({ customer_name: 'Noura', comment: 'call on arrival', currency: 'USD' });
    const reply = await as(`PUT /orders/${id}`, { body: newOrder({ total_amount: 9 }) });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ id, customer_name: null, comment: null, currency: 'SAR', total_amount: 9 });
  });

  it('accepts a payment status of a channel when it is sent back unchanged, and refuses a new one', async () => {
    for (const payment_status of ['paid', 'cancelled']) {
      const id = await placed();
      const chosen = await as(`PUT /orders/${id}`, { body: newOrder({ payment_status }) });
      expect([chosen.status, chosen.body.details]).toEqual([
        422,
        { payment_status: 'must be one of pending, processing, completed, failed, refunded' },
      ]);
      await as(`PATCH /orders/${id}/status`, { body: { payment_status } });
      const replaced = await as(`PUT /orders/${id}`, {
        body: newOrder({ payment_status, comment: 'call on arrival' }),
      });
      expect([replaced.status, replaced.body.data.payment_status, replaced.body.data.comment]).toEqual([
        200,
        payment_status,
        'call on arrival',
      ]);
      const left = await as(`PUT /orders/${id}`, { body: newOrder() });
      expect([left.status, left.body.data.payment_status]).toEqual([200, 'pending']);
    }
  });

  it('returns 422 for an invalid transition, 409 for a taken source transaction, 404 for an unknown order', async () => {
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
  it('reads, places and moves only orders of its branch', async () => {
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

describe('PUT /orders/{id} with If-Match', () => {
  const versionOf = async (id: string) => String((await as(`GET /orders/${id}`)).headers.get('etag'));

  it('replaces the version that the client has read, and answers the next one', async () => {
    const id = await placed();
    const headers = { 'if-match': await versionOf(id) };
    const first = await as(`PUT /orders/${id}`, { headers, body: newOrder({ comment: 'first' }) });
    expect(first.status).toBe(200);
    expect(first.headers.get('etag')).toBe(`"${first.body.data.updated_at}"`);
    expect(first.headers.get('etag')).toBe(await versionOf(id));
    expect((await as(`GET /orders/${id}?format=canonical`)).headers.get('etag')).toBe(await versionOf(id));
  });

  it('answers 412 with the current order when it has changed since, and writes nothing', async () => {
    const id = await placed();
    const headers = { 'if-match': await versionOf(id) };
    await as(`PATCH /orders/${id}/status`, { body: { order_status: 'READY' } });
    const late = await as(`PUT /orders/${id}`, { headers, body: newOrder({ comment: 'late' }) });
    expect(late.status).toBe(412);
    expect(late.headers.get('x-error-reason')).toBe('precondition-failed');
    expect(late.headers.get('etag')).toBe(await versionOf(id));
    const { order } = (await as(`GET /orders/${id}`)).body;
    expect(late.body.details.current).toEqual(order);
    expect(order.comment).toBe(null);
  });

  it('lets one of several writers of one version succeed', async () => {
    const id = await placed();
    const headers = { 'if-match': await versionOf(id) };
    const bodies = [1, 2, 3].map((number) => newOrder({ comment: `writer ${number}` }));
    const replies = await Promise.all(bodies.map((body) => as(`PUT /orders/${id}`, { headers, body })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  });

  it('keeps the version of an order that the request does not change', async () => {
    const body = newOrder();
    const id = (await as('POST /orders', { body })).body.data.id as string;
    const version = await versionOf(id);
    expect((await as(`PUT /orders/${id}`, { body })).headers.get('etag')).toBe(version);
    expect(await versionOf(id)).toBe(version);
  });

  it('accepts any version without the header and with *', async () => {
    const id = await placed();
    for (const headers of [undefined, { 'if-match': '*' }]) {
      expect((await as(`PUT /orders/${id}`, { headers, body: newOrder() })).status).toBe(200);
    }
  });
});
