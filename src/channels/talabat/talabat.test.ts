import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { toText } from '../../platform/money.ts';
import { amountsDiffer, type OrderStatus } from '../contract.ts';
import { callOf, orderIn, RIYADH } from '../testing/calls.ts';
import { readsAnything } from '../testing/odd-payloads.ts';
import { samplesOf } from '../testing/samples.ts';
import { pushedOrder, vendorOf } from '../testing/vendor.ts';
import { talabat } from './index.ts';

const MADE = {
  token: '5f373562-591a-4db9-8609-7eec7880f28d',
  code: 'k8x1-w0k1',
  shortCode: '42',
  test: false,
  preOrder: false,
  createdAt: '2026-11-15T09:00:00.000Z',
  expiryDate: '2026-11-15T09:15:00.000Z',
  expeditionType: 'delivery',
  comments: { customerComment: 'بدون بصل' },
  customer: { firstName: 'Sara', lastName: 'Al-Otaibi', mobilePhone: '+965 500', email: 'sara@example.com' },
  delivery: {
    address: {
      street: 'Salem Al Mubarak',
      number: '9',
      city: 'Kuwait City',
      postcode: '22001',
      latitude: 29.3,
      longitude: 48,
    },
    expectedDeliveryTime: '2026-11-15T09:50:00.000Z',
    riderPickupTime: '2026-11-15T09:35:00.000Z',
  },
  localInfo: { countryCode: 'KW', currencySymbol: 'KD', platform: 'Talabat' },
  payment: { status: 'pending', type: 'Cash' },
  platformRestaurant: { id: 'pr-1' },
  price: {
    deliveryFees: [
      { name: 'delivery fee', value: 0.75 },
      { name: 'packaging fee', value: 0.25 },
    ],
    grandTotal: '16.750',
    riderTip: '1.000',
    vatTotal: '0.000',
  },
  products: [
    {
      id: 'P-1',
      remoteCode: 'BURGER',
      name: 'Burger',
      variation: { name: 'Large' },
      unitPrice: '6.250',
      paidPrice: '16.500',
      quantity: '2',
      discounts: [{ name: 'First order', amount: '1.750' }],
      selectedToppings: [
        {
          name: 'Cheese',
          price: '0.500',
          quantity: 2,
          discounts: [{ amount: '0.250' }],
          children: [{ name: 'Chili', price: '0.250', quantity: 1, children: [] }],
        },
      ],
    },
  ],
  callbackUrls: { orderAcceptedUrl: 'https://evil.example/accept' },
};

const ORDER_CALL = { method: 'POST', path: 'order/remote-7' };
const statusCall = (id: string) => ({ method: 'PUT', path: `remoteId/remote-7/remoteOrder/${id}/posOrderStatus` });
const read = (payload: unknown, call: object = ORDER_CALL, settings = {}) =>
  talabat.read(callOf(payload, call), { ...RIYADH, settings });

function orderOf(payload: unknown, call: object = ORDER_CALL, settings = {}) {
  return orderIn(read(payload, call, settings));
}

test('a call is proven by a JWT of the right kind that has not ended, and by nothing else', () => {
  const jwt = (claims: object, { alg = 'HS512', key = 'key', hash = 'sha512' } = {}) => {
    const signed = [{ alg, typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `Bearer ${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`;
  };
  const verify = (authorization?: string) =>
    talabat.app.inbound?.verify(
      { ...callOf(MADE), headers: authorization === undefined ? {} : { authorization } },
      { settings: { webhook_secret: 'key' }, ingestToken: 't', ingestUrl: '', now: RIYADH.receivedAt },
    );
  const nowSeconds = RIYADH.receivedAt.getTime() / 1000;
  expect(verify(jwt({ service: 'middleware' }))).toBe(true);
  const service = 'middleware';
  expect(verify(jwt({ service, exp: nowSeconds + 60 }))).toBe(true);
  expect(verify(jwt({ service, exp: nowSeconds - 1 }))).toBe(false);
  expect(verify(jwt({ service, exp: 'tomorrow' }))).toBe(false);
  expect(verify(jwt({ service }, { key: 'other' }))).toBe(false);
  expect(verify(jwt({ service }, { alg: 'HS256', hash: 'sha256' }))).toBe(false);
  expect(verify(jwt({ service }, { alg: 'none' }))).toBe(false);
  expect(verify(jwt({}))).toBe(false);
  expect(verify(jwt({ service: 'other' }))).toBe(false);
  expect(verify('Bearer a.b.c')).toBe(false);
  expect(verify()).toBe(false);
});

describe('an order', () => {
  test('is told whole', () => {
    const order = orderOf(MADE);
    expect(order).toMatchObject({
      id: MADE.token,
      reference: '42',
      placedAt: new Date('2026-11-15T09:00:00Z'),
      revision: undefined,
      status: 'RECEIVED',
      paymentStatus: 'pending',
      paymentMethod: 'cash',
      currency: 'KWD',
      storeId: 'pr-1',
      customer: { name: 'Sara Al-Otaibi', phone: '+965 500', email: 'sara@example.com' },
      shippingAddress: { line1: 'Salem Al Mubarak 9', city: 'Kuwait City', postal_code: '22001', latitude: 29.3 },
      comment: 'بدون بصل',
      promisedFor: new Date('2026-11-15T09:50:00Z'),
      isPreorder: false,
      orderType: 'delivery',
      transportType: 'LOGISTICS_DELIVERY',
      fulfillmentMethod: 'delivery',
    });
    // 6.250, two of cheese at 0.500, each with chili at 0.250.
    expect(
      order.lines.map(({ sku, name, quantity, unitPrice }) => [sku, name, toText(quantity), toText(unitPrice)]),
    ).toEqual([['BURGER', 'Burger (Large, 2 × Cheese, 2 × Chili)', '2', '7.750']]);
    expect([order.discountsAmount, order.deliveryFee, order.serviceFee].map(toText)).toEqual([
      '2.000',
      '0.75',
      '1.250',
    ]);
    // 15.500 - 2.000 + 0.75 + 0.25 + 1.000 is 15.500: the total says 16.750.
    expect(amountsDiffer(order, 'KWD')).toBe(true);
  });

  test('counts what the total shows', () => {
    const totalling = (grandTotal: string, more: object = {}) =>
      orderOf({ ...MADE, price: { ...MADE.price, grandTotal, ...more } });
    expect(toText(totalling('15.500').serviceFee)).toBe('1.250');
    expect(toText(totalling('14.500').serviceFee)).toBe('0.25');
    const taxed = totalling('16.000', { vatTotal: '1.500' });
    expect([taxed.isVatIncluded, amountsDiffer(taxed, 'KWD')]).toEqual([false, false]);
    expect(toText(orderOf({ ...MADE, discounts: [] }).discountsAmount)).toBe('2.000');
    expect(toText(orderOf({ ...MADE, discounts: [{ amount: '3.000' }] }).discountsAmount)).toBe('3.000');
    expect(toText(totalling('16.500', { discountAmountTotal: '-1.000' }).discountsAmount)).toBe('1.000');
  });

  test('is for the shop that the settings name, by its id or by ours in the path', () => {
    expect(orderOf(MADE, ORDER_CALL, { branches: { 'remote-7': 'b' } }).storeId).toBe('remote-7');
    expect(orderOf({ ...MADE, platformRestaurant: null }).storeId).toBe('remote-7');
  });

  test('is fetched by its customer, or brought by the shop', () => {
    const pickup = { ...MADE, expeditionType: 'pickup', pickup: { pickupTime: '2026-11-15T09:20:00Z' } };
    expect(orderOf(pickup)).toMatchObject({
      fulfillmentMethod: 'pickup',
      promisedFor: new Date('2026-11-15T09:20:00Z'),
    });
    const own = { ...MADE, delivery: { ...MADE.delivery, riderPickupTime: null } };
    expect(orderOf(own)).toMatchObject({ transportType: 'VENDOR_DELIVERY' });
  });

  test.each([
    [{ countryCode: 'SA', currencySymbol: 'SAR' }, 'SAR'],
    [{ countryCode: 'DE', currencySymbol: '€' }, 'EUR'],
    [{ countryCode: 'BH', currencySymbol: 'BD' }, 'BHD'],
    [{ countryCode: 'ZZ' }, undefined],
  ])('in %o is in %s', (localInfo, currency) => {
    expect(orderOf({ ...MADE, localInfo }).currency).toBe(currency);
  });

  test('that is only a test is not cooked; without a total it cannot be read', () => {
    expect(read({ ...MADE, test: true })).toEqual({ kind: 'ignored', event: 'order.test', orderId: MADE.token });
    expect(() => read({ ...MADE, price: {} })).toThrow(
      expect.objectContaining({ code: 'missing', path: 'price.grandTotal' }),
    );
  });

  test('of any shape is read or refused', () => {
    readsAnything((payload) => read(payload), [MADE]);
    readsAnything((payload) => read(payload, statusCall('x')), [{ status: 'ORDER_CANCELLED' }, MADE]);
    readsAnything((payload) => read(payload, { path: '' }), [{}, MADE]);
  });
});

describe('news of an order', () => {
  test.each([
    ['ORDER_CANCELLED', 'CANCELLED', undefined],
    ['order_rejected', 'CANCELLED', undefined],
    ['ORDER_PICKED_UP', 'DISPATCHED', 'DELIVERED'],
    ['order_accepted', 'RECEIVED', undefined],
  ])('%s is %s, of a pickup %s', (status, ours, statusOfPickup) => {
    const reading = read({ status }, statusCall('tok%2F1'));
    expect(reading).toMatchObject({ kind: 'change', orderId: 'tok/1', status: ours });
    expect(reading.kind === 'change' && reading.statusOfPickup).toBe(statusOfPickup);
  });

  test.each([
    'COURIER_ARRIVED_AT_VENDOR',
    'PRODUCT_ORDER_MODIFICATION_SUCCESSFUL',
    'PRODUCT_ORDER_MODIFICATION_FAILED',
    '',
  ])('%s changes nothing', (status) =>
    expect(read({ status }, statusCall('tok'))).toMatchObject({ kind: 'ignored', orderId: 'tok' }),
  );

  test('brings the order again when products of it were exchanged, and leaves it where it stands', () => {
    const updatedOrder = { ...MADE, price: { ...MADE.price, grandTotal: '9.000' } };
    const reading = read({ status: 'PRODUCT_ORDER_MODIFICATION_SUCCESSFUL', updatedOrder }, statusCall('tok'));
    expect(reading).toMatchObject({ kind: 'order', order: { id: MADE.token, status: undefined } });
    expect(reading.kind === 'order' && toText(reading.order.totalAmount)).toBe('9.000');
  });

  test('names the order in its path, or cannot be read', () => {
    for (const id of ['%zz', 'x'.repeat(10_000), '%00']) {
      expect(() => read({ status: 'ORDER_CANCELLED' }, statusCall(id))).toThrow(
        expect.objectContaining({ path: 'path' }),
      );
    }
    expect(read({}, { path: 'menuImport/7' })).toEqual({ kind: 'ignored', event: 'menuImport/7' });
  });
});

describe('the vendor is told', () => {
  const push = async (status: OrderStatus, more: object = {}) => {
    const { client, calls } = vendorOf();
    const order = pushedOrder({ id: 'tok/1', status, fulfillmentMethod: 'delivery', payload: MADE, ...more });
    return [await talabat.push?.(order, client, {}), calls] as const;
  };
  const path = '/v2/order/status/tok%2F1';

  test('at its own address, whatever the order says, and by the name it will use', async () => {
    expect(await push('RECEIVED')).toEqual([
      true,
      [
        {
          method: 'POST',
          path,
          json: { status: 'order_accepted', acceptanceTime: '2026-11-15T09:35:00.000Z', remoteOrderId: 'tok/1' },
        },
      ],
    ]);
    expect(await push('READY_FOR_PICKUP')).toEqual([
      true,
      [{ method: 'POST', path: '/v2/orders/tok%2F1/preparation-completed' }],
    ]);
    expect(await push('DISPATCHED')).toEqual([true, [{ method: 'POST', path, json: { status: 'order_picked_up' } }]]);
    expect((await push('DELIVERED'))[0]).toBe(false);
    expect(await push('DELIVERED', { fulfillmentMethod: 'pickup' })).toEqual([
      true,
      [{ method: 'POST', path, json: { status: 'order_picked_up' } }],
    ]);
  });

  test('why it is turned away', async () => {
    const reject = async (note?: string) => (await push('CANCELLED', { note }))[1][0]?.json;
    expect(await reject()).toEqual({ status: 'order_rejected', reason: 'TOO_BUSY', message: 'Cancelled by the shop' });
    expect(await reject('ITEM_UNAVAILABLE')).toMatchObject({ reason: 'ITEM_UNAVAILABLE' });
    expect(await reject('no bread left')).toMatchObject({ reason: 'TOO_BUSY', message: 'no bread left' });
  });

  test('after logging in by a form', () => {
    expect(talabat.credentials?.({})).toEqual({ kind: 'missing', setting: 'client_id' });
    const credentials = talabat.credentials?.({ client_id: 'me', client_secret: 'shh' });
    if (credentials?.kind !== 'token') throw new Error('no token');
    expect(credentials.request).toMatchObject({
      method: 'POST',
      path: '/v2/login',
      form: { grant_type: 'client_credentials', username: 'me', password: 'shh' },
    });
    expect(credentials.read({ status: 200, json: { access_token: 'abc' } })).toEqual({
      headers: { authorization: 'Bearer abc' },
      livesForSeconds: 1800,
    });
  });
});

test.each([['one of our own', MADE], ...samplesOf('talabat').map(({ name, json }): [string, unknown] => [name, json])])(
  '%s: is an order',
  (_name, json) => {
    const order = orderOf(json);
    expect(order.lines.length).toBeGreaterThan(0);
    expect(order.currency).toMatch(/^[A-Z]{3}$/);
  },
);
