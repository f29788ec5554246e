import { describe, expect, test } from 'vitest';
import { type PushedOrder, VendorUnavailable } from '../contract.ts';
import { ID, ITEM, MADE, PATH } from '../testing/amazon-order.ts';
import { RIYADH } from '../testing/calls.ts';
import { byRoute, pushedOrder, vendorOf } from '../testing/vendor.ts';
import { amazonSp } from './index.ts';

describe('calls to Amazon', () => {
  test('assemble an order from its parts, without those that need a permission', async () => {
    const { ShippingAddress, BuyerInfo, ...bare } = MADE;
    const vendor = vendorOf(
      byRoute({
        [`GET ${PATH}`]: { payload: bare },
        [`GET ${PATH}/orderItems`]: ({ query }: { query?: { NextToken?: string } }) =>
          query?.NextToken === 'more'
            ? { payload: { OrderItems: [{ ...ITEM, OrderItemId: '2' }] } }
            : { payload: { OrderItems: [ITEM], NextToken: 'more' } },
        [`GET ${PATH}/address`]: { payload: { AmazonOrderId: ID, ShippingAddress } },
      }),
    );
    expect(await amazonSp.fetchOrder?.(ID, vendor.client, {})).toMatchObject({
      AmazonOrderId: ID,
      OrderItems: [{ OrderItemId: '05015851154158' }, { OrderItemId: '2' }],
      ShippingAddress: { City: 'Riyadh' },
    });
    expect(vendor.calls.at(-1)?.path).toBe(`${PATH}/buyerInfo`);
  });

  test('fail as a whole if a part is unavailable', async () => {
    const late = new VendorUnavailable('slow', false);
    const { ShippingAddress, ...bare } = MADE;
    const vendor = vendorOf(
      byRoute({
        [`GET ${PATH}`]: { payload: bare },
        [`GET ${PATH}/orderItems`]: { payload: { OrderItems: [ITEM] } },
        [`GET ${PATH}/address`]: late,
      }),
    );
    await expect(amazonSp.fetchOrder?.(ID, vendor.client, {})).rejects.toBe(late);
  });

  const now = new Date('2026-11-15T10:00:00Z');

  test('poll page by page, and start the next round where the last ended', async () => {
    const pages: Record<string, object> = {
      '': { Orders: [MADE], NextToken: 'two' },
      two: { Orders: [{ ...MADE, LastUpdateDate: '2026-11-15T08:45:00Z' }] },
    };
    const vendor = vendorOf(
      byRoute({
        'GET /orders/v0/orders': ({ query }: { query: { NextToken?: string } }) => ({
          payload: pages[query.NextToken ?? ''],
        }),
        [`GET ${PATH}/orderItems`]: { payload: { OrderItems: [ITEM] } },
      }),
    );
    const since = new Date('2026-11-15T08:00:00Z');
    const first = await amazonSp.poll?.({ cursor: undefined, since, now }, vendor.client, {});
    expect(vendor.calls[0]?.query).toMatchObject({
      MarketplaceIds: 'A17E79C6D8DWNP',
      LastUpdatedAfter: '2026-11-15T08:00:00.000Z',
    });
    // As listed: the items of each are fetched when it is read.
    expect(first).toMatchObject({ orders: [{ AmazonOrderId: ID }], hasMore: true });
    expect(vendor.calls).toHaveLength(1);
    const second = await amazonSp.poll?.({ cursor: first?.cursor, since, now }, vendor.client, {});
    expect(second).toMatchObject({ orders: [{}], hasMore: false });
    vendor.calls.length = 0;
    await amazonSp.poll?.({ cursor: second?.cursor, since, now }, vendor.client, { shop_id: 'A2VIGQ35RCS4UG' });
    expect(vendor.calls[0]?.query).toMatchObject({
      MarketplaceIds: 'A2VIGQ35RCS4UG',
      LastUpdatedAfter: '2026-11-15T08:45:00Z',
    });
  });

  test('do not move past orders that were not listed', async () => {
    const answers: unknown[] = [];
    const vendor = vendorOf(byRoute({ 'GET /orders/v0/orders': () => answers.shift() }));
    const after = '2026-11-15T08:00:00Z';
    const cursor = JSON.stringify({ after, token: 'two', newest: '2026-11-15T08:30:00Z' });
    const poll = (from: string) => amazonSp.poll?.({ cursor: from, since: new Date(0), now }, vendor.client, {});
    answers.push('<html>Maintenance</html>', { payload: {} });
    await expect(poll(cursor)).rejects.toThrow('not a list of orders');
    await expect(poll(cursor)).rejects.toThrow('not a list of orders');
    const dated = (LastUpdateDate: string) => ({ ...MADE, LastUpdateDate });
    const Orders = ['2099-01-01T00:00:00Z', 'soon', '2026-11-15T08:20:00Z', '2026-11-15T08:10:00Z'].map(dated);
    answers.push({ payload: { Orders } });
    expect((await poll(JSON.stringify({ after })))?.cursor).toBe(JSON.stringify({ after: '2026-11-15T08:20:00Z' }));
    answers.push({ payload: { Orders: [] } }, { payload: { Orders: [] } });
    for (const stuck of ['2099-01-01T00:00:00Z', 'soon']) await poll(JSON.stringify({ after: stuck }));
    expect(vendor.calls.slice(-2).map(({ query }) => query?.LastUpdatedAfter)).toEqual(
      Array(2).fill('1970-01-01T00:00:00.000Z'),
    );
  });

  test.each([
    ['stored with the install', 'x'.repeat(6_001)],
    ['put into an address', '٪'.repeat(1_001)],
  ])('refuse a page token too long to be %s', async (_use, NextToken) => {
    const vendor = vendorOf(byRoute({ 'GET /orders/v0/orders': { payload: { Orders: [MADE], NextToken } } }));
    const polled = amazonSp.poll?.({ cursor: undefined, since: new Date(0), now }, vendor.client, {});
    await expect(polled).rejects.toThrow('too long');
  });

  test('restart the round if a page token has expired', async () => {
    const vendor = vendorOf(byRoute({}));
    const cursor = JSON.stringify({ after: '2026-11-15T08:00:00Z', token: 'old', newest: '2026-11-15T08:30:00Z' });
    await expect(amazonSp.poll?.({ cursor, since: new Date(0), now }, vendor.client, {})).rejects.toThrow('Not found');
    expect(vendor.calls.map(({ query }) => query?.NextToken ?? query?.LastUpdatedAfter)).toEqual([
      'old',
      '2026-11-15T08:00:00Z',
    ]);
  });

  test('carry the given access token, or one fetched from the token host', () => {
    expect(amazonSp.credentials?.({ access_token: 'Atza|now' })).toEqual({
      kind: 'headers',
      headers: { 'x-amz-access-token': 'Atza|now' },
    });
    const keys = { client_id: 'app', client_secret: 'shh' };
    const refreshed = amazonSp.credentials?.({ ...keys, access_token: 'Atzr|long' });
    expect(refreshed).toMatchObject({
      request: {
        baseUrl: 'https://api.amazon.com',
        path: '/auth/o2/token',
        form: { grant_type: 'refresh_token', refresh_token: 'Atzr|long', ...keys },
      },
    });
    const played = amazonSp.credentials?.({ ...keys, api_base_url: 'https://amazon.example.com' });
    if (played?.kind !== 'token') throw new Error(played?.kind);
    expect(played.request).not.toHaveProperty('baseUrl');
    expect(played.request.form).toMatchObject({ grant_type: 'client_credentials' });
    expect(played.read({ status: 200, json: { access_token: 'Atza|new', expires_in: 1800 } })).toEqual({
      headers: { 'x-amz-access-token': 'Atza|new' },
      livesForSeconds: 1800,
    });
    expect(() => played.read({ status: 200, json: undefined })).toThrow('access_token');
    expect(amazonSp.credentials?.({})).toEqual({ kind: 'missing', setting: 'access_token' });
    expect(amazonSp.credentials?.({ client_id: 'app' })).toEqual({ kind: 'missing', setting: 'client_secret' });
  });
});

describe('pushing to Amazon', () => {
  const pushed = (status: PushedOrder['status'], payload: object, note?: string) =>
    pushedOrder({ id: ID, status, payload, note, at: RIYADH.receivedAt });

  test('confirms the shipment of a dispatched order', async () => {
    const vendor = vendorOf(byRoute({ [`POST ${PATH}/shipmentConfirmation`]: {} }));
    const order = pushed('DISPATCHED', { ...MADE, OrderItems: [ITEM] }, 'SMSA-290012345');
    expect(await amazonSp.push?.(order, vendor.client, {})).toBe(true);
    expect(vendor.calls).toMatchObject([
      {
        json: {
          marketplaceId: 'A17E79C6D8DWNP',
          packageDetail: {
            trackingNumber: 'SMSA-290012345',
            shipDate: '2026-11-15T09:00:00.000Z',
            orderItems: [{ orderItemId: '05015851154158', quantity: 3 }],
          },
        },
      },
    ]);
  });

  test('fetches items that are not stored', async () => {
    const vendor = vendorOf(
      byRoute({
        [`GET ${PATH}/orderItems`]: { payload: { OrderItems: [ITEM] } },
        [`POST ${PATH}/shipmentConfirmation`]: {},
      }),
    );
    expect(await amazonSp.push?.(pushed('DISPATCHED', MADE, 'left with the guard'), vendor.client, {})).toBe(true);
    expect(vendor.calls[1]?.json).toMatchObject({ packageDetail: { trackingNumber: 'ours' } });
  });

  test('pushes no other status, and nothing for orders fulfilled by Amazon', async () => {
    const vendor = vendorOf(byRoute({}));
    for (const status of ['RECEIVED', 'READY_FOR_PICKUP', 'DELIVERED', 'CANCELLED'] as const)
      expect(await amazonSp.push?.(pushed(status, MADE), vendor.client, {})).toBe(false);
    expect(await amazonSp.push?.(pushed('DISPATCHED', { ...MADE, FulfillmentChannel: 'AFN' }), vendor.client, {})).toBe(
      false,
    );
    expect(vendor.calls).toEqual([]);
  });
});
