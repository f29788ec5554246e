import { describe, expect, it } from 'vitest';
import { type ReplyBody, testAccount, testOrganization, testShop } from '../../../test/harness/index.ts';
import { newOrder } from './testing/new-order.ts';
import { orderDesk } from './testing/order-desk.ts';

const { service, shop, ask: as } = await testShop();
const stranger = await testOrganization(service.sql);
const { placed, makeBranch } = orderDesk({ ask: as });

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
        order_status: 'cannot go from DISPATCHD, having been dispatched, to RECEIVED',
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

  it("keeps a channel's payment word that is sent back, and lets nobody choose one", async () => {
    for (const payment_status of ['paid', 'cancelled']) {
      const id = await placed();
      const chosen = await as(`PUT /orders/${id}`, { body: newOrder({ payment_status }) });
      expect([chosen.status, chosen.body.details]).toEqual([
        422,
        { payment_status: 'must be one of pending, processing, completed, failed, refunded' },
      ]);
      await as(`PATCH /orders/${id}/status`, { body: { payment_status } });
      const kept = await as(`PUT /orders/${id}`, { body: newOrder({ payment_status, comment: 'ring twice' }) });
      expect([kept.status, kept.body.data.payment_status, kept.body.data.comment]).toEqual([
        200,
        payment_status,
        'ring twice',
      ]);
      const left = await as(`PUT /orders/${id}`, { body: newOrder() });
      expect([left.status, left.body.data.payment_status]).toEqual([200, 'pending']);
    }
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
