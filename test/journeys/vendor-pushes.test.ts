import { afterEach, describe, expect, test, vi } from 'vitest';
import { patienceMs, testAccount } from '../harness/index.ts';
import { MOVES, PUSHES } from '../vendors/pushes.ts';
import { testVendorShop } from '../vendors/vendor-shop.ts';

const shop = await testVendorShop();
const { ask, vendors, install, take, move, statusOf } = shop;

// Two that are used by many.
const salla = await install('salla');
const deliverect = await install('deliverect');

// Takes ten seconds, in which the others are tested.
const hanging = await take(await install('foodics'));
const endHang = vendors.addFault({ vendor: 'foodics', kind: 'hang' });
const unanswered = move(hanging.ownId, 'DELIVERED');
await vi.waitFor(() => expect(vendors.calls('foodics')).toHaveLength(1), { timeout: patienceMs() });
endHang();

afterEach(() => {
  vendors.clearFaults();
  vendors.forgetCalls();
});

describe.each(PUSHES)('$slug', ({ slug, headers, orders = {}, calls }) => {
  test('receives each status that it has a call for, and no other', async () => {
    const installed = await install(slug);
    const taken = await Promise.all(MOVES.map((status) => take(installed, orders[status])));
    vendors.forgetCalls();
    const answers = await Promise.all(MOVES.map((status, index) => move(taken[index]?.ownId ?? '', status)));
    const made = vendors.calls(slug).filter(({ method }) => method !== 'GET');
    for (const [index, status] of MOVES.entries()) {
      const { id = '', ownId = '' } = taken[index] ?? {};
      const wanted = calls(id)[status];
      const { status: answered, body, text } = answers[index] ?? {};
      expect(answered, `${status}: ${text}`).toBe(200);
      expect(body.data, status).toMatchObject({ id: ownId, forwarded_to: wanted === undefined ? null : slug });
      expect(await statusOf(ownId), status).toBe(status);
      if (wanted === undefined) continue;
      expect(made, status).toContainEqual(
        expect.objectContaining({
          ...wanted,
          ...(wanted.fields === undefined ? {} : { fields: expect.objectContaining(wanted.fields) }),
          headers: expect.objectContaining(headers),
        }),
      );
    }
    const isToken = (path: string) => /token$|login$/.test(path);
    const pushed = MOVES.filter((status, index) => calls(taken[index]?.id ?? '')[status] !== undefined);
    expect(made.filter(({ path }) => !isToken(path))).toHaveLength(pushed.length);
  });
});

describe('what the vendor does not do', () => {
  const unmoved = async (ownId: string) => {
    expect(await statusOf(ownId)).toBe('RECEIVED');
    expect(await shop.eventsOf(ownId)).toEqual(['order.created']);
  };

  test('refused: 502 with its words, and nothing has changed', async () => {
    const { ownId } = await take(salla);
    vendors.addFault({ vendor: 'salla', method: 'POST', kind: 'refuse', status: 422, message: 'لا يمكن تغيير الحالة' });
    const { status, body } = await move(ownId, 'DISPATCHED');
    expect(status).toBe(502);
    expect(body).toMatchObject({
      error: 'Vendor refused',
      details: { app_slug: 'salla', vendor_status: 422, message: 'لا يمكن تغيير الحالة' },
    });
    await unmoved(ownId);
  });

  test('in trouble: 502 after one more attempt where that is safe', async () => {
    const { ownId } = await take(salla);
    vendors.addFault({ vendor: 'salla', method: 'POST', kind: 'fail', status: 503 });
    vendors.forgetCalls();
    const { status, body } = await move(ownId, 'DISPATCHED');
    expect(status).toBe(502);
    expect(body).toMatchObject({ error: 'Vendor unavailable', details: { app_slug: 'salla' } });
    expect(vendors.calls('salla').filter(({ method }) => method === 'POST')).toHaveLength(2);
    await unmoved(ownId);
  });

  test.each([
    ['fails', { kind: 'fail', status: 503 }],
    ['closes every connection', { kind: 'cut' }],
  ] as const)('that %s: 502 for every repeat, and the status once it is back', async (_, fault) => {
    const { ownId } = await take(salla);
    vendors.addFault({ vendor: 'salla', ...fault });
    for (const status of ['DISPATCHED', 'DISPATCHED', 'DELIVERED']) {
      const { status: answered, body } = await move(ownId, status);
      expect([answered, body.error, body.details.app_slug]).toEqual([502, 'Vendor unavailable', 'salla']);
    }
    await unmoved(ownId);
    vendors.clearFaults();
    expect((await move(ownId, 'DISPATCHED')).body.data).toMatchObject({ forwarded_to: 'salla' });
    expect(await statusOf(ownId)).toBe('DISPATCHED');
  });

  test('that fails for a moment receives the status by the second attempt', async () => {
    const { ownId } = await take(salla);
    vendors.addFault({ vendor: 'salla', method: 'POST', kind: 'fail', times: 1 });
    expect((await move(ownId, 'DISPATCHED')).body.data).toMatchObject({ forwarded_to: 'salla' });
  });

  test('without an answer: 502 by its limit', async () => {
    const { status, body } = (await unanswered) ?? {};
    expect([status, body.error]).toEqual([502, 'Vendor unavailable']);
    await unmoved(hanging.ownId);
  });

  test('not connected to be called: moved here alone, and said why', async () => {
    const { id, ...withoutKey } = await install('salla', { access_token: null });
    const { ownId } = await take({ id, ...withoutKey });
    vendors.forgetCalls();
    const { status, body } = await move(ownId, 'DISPATCHED');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ forwarded_to: null, not_forwarded: expect.stringContaining('access_token') });
    expect(await statusOf(ownId)).toBe('DISPATCHED');
    expect(vendors.calls()).toEqual([]);
  });

  test('switched off: moved here alone', async () => {
    const other = await install('salla');
    const { ownId } = await take(other);
    expect((await ask(`PATCH /apps/${other.id}`, { body: { enabled: false } })).status).toBe(200);
    vendors.forgetCalls();
    expect((await move(ownId, 'DISPATCHED')).body.data.forwarded_to).toBeNull();
    expect(await statusOf(ownId)).toBe('DISPATCHED');
    expect(vendors.calls()).toEqual([]);
  });
});

describe('an answer that is lost', () => {
  test.each([
    ['woocommerce', 'DELIVERED', 'PUT'],
    ['shopify', 'DISPATCHED', 'POST'],
    ['magento2', 'DISPATCHED', 'POST'],
    ['square', 'READY_FOR_PICKUP', 'PUT'],
    ['zid', 'DISPATCHED', 'POST'],
    ['ubereats', 'CANCELLED', 'POST'],
  ] as const)(
    'from %s after it accepted the change: its order is fetched, and that status is stored',
    async (slug, status, method) => {
      const installed = await install(slug, slug === 'magento2' ? { completed_means: 'delivered' } : {});
      // A shop of Magento completes an order that is paid as soon as it is sent: past what was asked for is there, too.
      const { ownId } = await take(installed, slug === 'magento2' ? { total_due: 0 } : {});
      vendors.addFault({ vendor: slug, method, path: /orders?\/|fulfillments/, kind: 'lose' });
      const moved = await move(ownId, status);
      expect(moved.status, moved.text).toBe(200);
      expect(moved.body.data.forwarded_to).toBe(slug);
      expect(await statusOf(ownId)).toBe(status);
    },
  );

  test.each([
    ['talabat', 'DISPATCHED'],
    // An order that was not accepted looks the same as one that was.
    ['ubereats', 'ACCEPTED'],
  ] as const)('from %s, which cannot say whether it did: 502', async (slug, status) => {
    const { ownId } = await take(await install(slug));
    vendors.addFault({ vendor: slug, method: 'POST', path: /orders?\//, kind: 'lose' });
    const moved = await move(ownId, status);
    expect([moved.status, moved.body.error]).toEqual([502, 'Vendor unavailable']);
    expect(await statusOf(ownId)).toBe('RECEIVED');
  });

  test('is settled by what the vendor says later', async () => {
    const talabat = await install('talabat');
    const made = await take(talabat);
    vendors.addFault({ vendor: 'talabat', method: 'POST', path: /order\/status/, kind: 'lose' });
    expect((await move(made.ownId, 'DISPATCHED')).status).toBe(502);
    const { stagingId } = await shop.send(talabat, made, {
      method: 'PUT',
      path: `/remoteId/remote-7/remoteOrder/${made.id}/posOrderStatus`,
      notice: { status: 'ORDER_PICKED_UP' },
    });
    expect(await shop.settled(stagingId)).toMatchObject({ outcome: 'updated', order_id: made.ownId });
    expect(await statusOf(made.ownId)).toBe('DISPATCHED');
  });
});

describe("the vendor's echo", () => {
  const events = async (ownId: string, count: number) => {
    await expect.poll(() => shop.eventsOf(ownId)).toHaveLength(count);
    return shop.eventsOf(ownId);
  };

  test.each([
    ['woocommerce', 'DELIVERED', { status: 'completed', date_modified_gmt: '2026-11-15T09:10:00' }],
    ['shopify', 'DISPATCHED', { fulfillment_status: 'fulfilled', updated_at: '2026-11-15T12:10:00+03:00' }],
    ['salla', 'DELIVERED', { status: { id: 9, name: 'تم التوصيل', slug: 'delivered' } }],
    ['zid', 'DISPATCHED', { order_status: { code: 'indelivery' }, updated_at: '2026-11-15 12:10:00' }],
    ['deliverect', 'DISPATCHED', { status: 80, _updated: '2026-11-15T09:10:00.000000Z' }],
    ['foodics', 'READY_FOR_PICKUP', { delivery_status: 2, updated_at: '2026-11-15 09:40:00' }],
  ] as const)('of %s is no second event', async (slug, status, after) => {
    const installed = await install(slug);
    const made = await take(installed);
    expect((await move(made.ownId, status)).body.data.forwarded_to).toBe(slug);
    expect(await events(made.ownId, 2)).toEqual(['order.created', 'order.status_changed']);
    const order = { ...made.order, ...after };
    vendors.shop(slug).orders.set(made.id, order);
    const { stagingId } = await shop.send(installed, { id: made.id, order }, slug === 'zid' ? { notice: order } : {});
    expect(await shop.settled(stagingId)).toMatchObject({ status: 'processed', outcome: 'unchanged' });
    expect(await events(made.ownId, 2)).toHaveLength(2);
  });
});

describe('before any vendor hears of it', () => {
  test('a way back is refused', async () => {
    const { ownId } = await take(deliverect);
    await move(ownId, 'DISPATCHED');
    vendors.forgetCalls();
    expect((await move(ownId, 'READY_FOR_PICKUP')).status).toBe(422);
    expect(vendors.calls()).toEqual([]);
  });

  test('an account of another branch finds no order', async () => {
    const { ownId } = await take(deliverect);
    const { token: otherBranch } = await testAccount(shop.service.sql, shop.shop.id, 'member', {
      branchId: shop.branches.JED ?? '',
    });
    vendors.forgetCalls();
    const reply = await ask(`PATCH /orders/${ownId}/status`, {
      token: otherBranch,
      body: { order_status: 'DISPATCHED' },
    });
    expect(reply.status).toBe(404);
    const updates = [{ id: ownId, order_status: 'DISPATCHED' }];
    const bulk = await ask('PATCH /orders/bulk/status', { token: otherBranch, body: { updates } });
    expect(bulk.body.data).toMatchObject({ failed: 1, errors: { [ownId]: 'Order not found' } });
    expect(vendors.calls()).toEqual([]);
    expect(await statusOf(ownId)).toBe('RECEIVED');
  });

  test('one of many that is wrong in itself is refused', async () => {
    const { ownId } = await take(deliverect);
    vendors.forgetCalls();
    const updates = [{ id: ownId, order_status: 'DISPATCHED', payment_status: 'nonsense' }];
    const { body } = await ask('PATCH /orders/bulk/status', { body: { updates } });
    expect(body.data.failed).toBe(1);
    expect(vendors.calls()).toEqual([]);
  });
});

describe('many at once', () => {
  test('over two vendors, of which one refuses: each is answered for by itself', async () => {
    const [willing, unwilling] = [await install('deliverect'), await install('salla')];
    const moved = await Promise.all([take(willing), take(willing)]);
    const stayed = await take(unwilling);
    vendors.addFault({ vendor: 'salla', method: 'POST', kind: 'refuse', message: 'Not today' });
    const updates = [...moved, stayed].map(({ ownId }) => ({ id: ownId, order_status: 'DISPATCHED' }));
    const { status, body } = await ask('PATCH /orders/bulk/status', { body: { updates } });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ failed: 1, errors: { [stayed.ownId]: 'Vendor refused: Not today' } });
    expect(await Promise.all([...moved, stayed].map(({ ownId }) => statusOf(ownId)))).toEqual([
      'DISPATCHED',
      'DISPATCHED',
      'RECEIVED',
    ]);
  });

  test('of one order go in turn, each judged from where the one before has left it', async () => {
    const { id, ownId } = await take(deliverect);
    vendors.forgetCalls();
    const updates = ['READY_FOR_PICKUP', 'CANCELLED', 'DELIVERED'].map((order_status) => ({ id: ownId, order_status }));
    const { body } = await ask('PATCH /orders/bulk/status', { body: { updates } });
    expect(body.data).toMatchObject({ failed: 1 });
    expect(vendors.calls('deliverect').map(({ path, fields }) => [path, fields.status])).toEqual([
      [`/orderStatus/${id}`, 70],
      [`/orderStatus/${id}`, 110],
    ]);
    expect(await statusOf(ownId)).toBe('CANCELLED');
  });

  test('of one install are no more than eight at a time', async () => {
    const installed = await install('deliverect');
    const taken = await Promise.all(Array.from({ length: 20 }, () => take(installed)));
    vendors.forgetCalls();
    const release = vendors.holdBack('deliverect');
    const updates = taken.map(({ ownId }) => ({ id: ownId, order_status: 'DISPATCHED' }));
    const answer = ask('PATCH /orders/bulk/status', { body: { updates } });
    await expect.poll(() => vendors.calls('deliverect').length).toBe(8);
    // Each released one admits another.
    release(3);
    await expect.poll(() => vendors.calls('deliverect').length).toBe(11);
    release();
    expect((await answer).body.data).toMatchObject({ failed: 0 });
    expect(vendors.calls('deliverect')).toHaveLength(20);
  });
});
