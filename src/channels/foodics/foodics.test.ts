import { describe, expect, test } from 'vitest';
import { readerOf } from '../../platform/inbound/index.ts';
import { toText } from '../../platform/money.ts';
import { amountsDiffer, type ChannelOrder, type PushedOrder } from '../contract.ts';
import { callOf, orderIn, RIYADH } from '../testing/calls.ts';
import { readsAnything } from '../testing/odd-payloads.ts';
import { samplesOf } from '../testing/samples.ts';
import { byRoute, pushedOrder, vendorOf } from '../testing/vendor.ts';
import { foodics } from './index.ts';

const ID = 'ebf8baa4-c847-41ad-8f04-198f2ee74dc0';
const tax = (amount: number) => [{ rate: 15, pivot: { amount } }];
const MADE = {
  id: ID,
  reference: '00292',
  type: 3,
  source: 1,
  status: 2,
  delivery_status: null as number | null,
  branch: { id: 'branch-1' },
  opened_at: '2026-11-15 09:00:00',
  created_at: '2026-11-15 09:20:00',
  updated_at: '2026-11-15 09:30:00',
  due_at: '2026-11-15 10:00:00',
  closed_at: null as string | null,
  customer_notes: 'No onions',
  customer: { name: 'Sara', dial_code: 966, phone: '0500000000', email: 'sara@example.com' },
  customer_address: {
    name: 'Home',
    description: 'King Fahd Road',
    latitude: '24.7136',
    longitude: '46.6753',
    delivery_zone: { name: 'Olaya' },
  },
  products: [
    {
      product: { id: 'p1', sku: 'TUNA', barcode: '628100', name: 'Tuna' },
      quantity: 2,
      unit_price: 20,
      discount_amount: 6,
      taxes: tax(4.434),
      status: 3,
      options: [
        { modifier_option: { name: 'Cheese' }, quantity: 2, unit_price: 1.5, total_price: 6, taxes: tax(0.783) },
      ],
    },
    { product: { id: 'p2', name: 'Cola' }, quantity: 1, unit_price: 5, status: 5 },
  ],
  combos: [
    {
      combo_size: { id: 's1', name: 'Small', combo: { id: 'c1', sku: 'LUNCH', name: 'Lunch' } },
      quantity: 2,
      discount_amount: 0,
      products: [
        { product: { id: 'p3', name: 'Burger' }, quantity: 2, unit_price: 15, taxes: tax(3.913), options: [] },
        { product: { id: 'p4', name: 'Salad' }, quantity: 2, unit_price: 0, options: [] },
      ],
    },
  ],
  charges: [
    { charge: { name: 'Delivery' }, amount: 10, taxes: tax(1.304) },
    { charge: { name: 'Service Charge' }, amount: 3, taxes: [] },
  ],
  payments: [] as object[],
  discount_amount: 5,
  rounding_amount: -0.05,
  // 46 + 30 - 6 - 5 + 10 + 3 - 0.05
  total_price: 77.95,
};
const read = (order: object, event = 'order.updated') => {
  return orderIn(foodics.read(callOf({ timestamp: 1_794_731_400, event, business: {}, order }), RIYADH));
};

describe('a call', () => {
  test('is proven by the token we gave out', () => {
    const context = { settings: {}, ingestToken: 'ours', ingestUrl: '', now: RIYADH.receivedAt };
    const verify = (query: Record<string, string>) => foodics.app.inbound?.verify(callOf('{}', { query }), context);
    expect(verify({ token: 'ours' })).toBe(true);
    expect(verify({ token: 'Ours' })).toBe(false);
    expect(verify({})).toBe(false);
  });

  test.each(['order.created', 'order.delivery.updated', 'customer.order.created', 'application.order.updated'])(
    '%s is about an order',
    (event) => {
      const reading = foodics.read(callOf({ event, order: MADE }), RIYADH);
      expect(reading).toMatchObject({ kind: 'order', event });
    },
  );

  test.each(['menu.updated', 'customer.created'])('%s is not for us', (event) => {
    expect(foodics.read(callOf({ event, entity: {} }), RIYADH)).toEqual({ kind: 'ignored', event });
  });
});

describe('an order', () => {
  test('has a combo that names no size under its own id', () => {
    const { combo_size, ...combo } = MADE.combos[0] ?? {};
    const order = read({ ...MADE, combos: [{ id: 'combo-9', discount_type: 2, ...combo }] });
    expect(order.lines.at(-1)).toMatchObject({ productId: 'combo-9', name: '(Burger, Salad)' });
    expect(amountsDiffer(order, 'SAR')).toBe(false);
    const withSize = read({ ...MADE, combos: [{ id: 'combo-9', combo_size_id: 's1', ...combo }] });
    expect(withSize.lines.at(-1)).toMatchObject({ productId: 's1' });
  });

  test('has its options in their line, a combo as one line, and its times in UTC', () => {
    const order = read(MADE);
    expect(order).toMatchObject({
      id: ID,
      reference: '00292',
      placedAt: new Date('2026-11-15T09:00:00Z'),
      promisedFor: new Date('2026-11-15T10:00:00Z'),
      revision: 1_794_735_000_000_000n,
      currency: undefined,
      storeId: 'branch-1',
      comment: 'No onions',
      orderType: 'delivery',
      fulfillmentMethod: 'delivery',
      customer: { name: 'Sara', phone: '+966500000000', email: 'sara@example.com' },
      shippingAddress: { line1: 'King Fahd Road', district: 'Olaya', latitude: 24.7136, longitude: 46.6753 },
    });
    expect(
      order.lines.map(({ name, sku, quantity, unitPrice }) => [name, sku, toText(quantity), toText(unitPrice)]),
    ).toEqual([
      ['Tuna (2 × Cheese)', 'TUNA', '2', '23.0'],
      ['Lunch (Small, Burger, Salad)', 'LUNCH', '2', '15.000000'],
    ]);
    expect([order.deliveryFee, order.serviceFee, order.discountsAmount, order.vatAmount].map(toText)).toEqual([
      '10',
      '2.95',
      '11',
      '10.434',
    ]);
    expect(order.isVatIncluded).toBe(true);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test('with the tax on top is seen by its sum', () => {
    const order = read({ ...MADE, total_price: 88.38 });
    expect(order.isVatIncluded).toBe(false);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test.each<[number, number | null, string | null, ChannelOrder['status'], ChannelOrder['paymentStatus']]>([
    [1, null, null, 'RECEIVED', 'pending'],
    [2, null, null, 'RECEIVED', 'pending'],
    [2, 1, null, 'RECEIVED', 'pending'],
    [2, 2, null, 'READY_FOR_PICKUP', 'pending'],
    [2, 3, null, 'READY_FOR_PICKUP', 'pending'],
    [2, 4, null, 'DISPATCHED', 'pending'],
    [2, 5, null, 'DELIVERED', 'paid'],
    [2, 6, null, 'DELIVERED', 'paid'],
    [4, null, null, 'DELIVERED', 'paid'],
    [4, 1, '2026-11-15 09:30:00', 'DELIVERED', 'paid'],
    [2, 1, '2026-11-15 09:30:00', 'DELIVERED', 'paid'],
    [3, null, null, 'CANCELLED', 'cancelled'],
    [7, 5, '2026-11-15 09:30:00', 'CANCELLED', 'cancelled'],
    [5, null, '2026-11-15 09:30:00', 'CANCELLED', 'refunded'],
    [6, null, '2026-11-15 09:30:00', undefined, undefined],
    [99, null, null, undefined, undefined],
    [2, 99, null, undefined, undefined],
  ])('%s, delivery %s, closed %s: %s, %s', (status, delivery_status, closed_at, orderStatus, paymentStatus) => {
    expect(read({ ...MADE, status, delivery_status, closed_at })).toMatchObject({ status: orderStatus, paymentStatus });
  });

  test('is paid when all of it is', () => {
    const pay = (...amounts: number[]) =>
      read({ ...MADE, payments: amounts.map((amount) => ({ amount, payment_method: { name: 'Mada', type: 2 } })) });
    expect(pay(77.94)).toMatchObject({ paymentStatus: 'pending', paymentMethod: 'debit_card' });
    expect(pay(50, 27.95)).toMatchObject({ paymentStatus: 'paid' });
  });

  test('a draft is none yet', () => {
    const reading = foodics.read(callOf({ event: 'order.created', order: { ...MADE, status: 8 } }), RIYADH);
    expect(reading).toMatchObject({ kind: 'ignored', orderId: ID });
  });

  test('without a time of change goes by when it was sent; without a total it cannot be read', () => {
    expect(read({ ...MADE, updated_at: null }).revision).toBe(1_794_731_400_000_000n);
    expect(() => read({ ...MADE, total_price: null })).toThrow(
      expect.objectContaining({ code: 'missing', path: 'order.total_price' }),
    );
  });
});

test('the interface is asked with a token, and told by one call', async () => {
  expect(foodics.credentials?.({ access_token: 'x' })).toMatchObject({ headers: { authorization: 'Bearer x' } });
  expect(foodics.credentials?.({})).toEqual({ kind: 'missing', setting: 'access_token' });
  const vendor = vendorOf(byRoute({ [`GET /v5/orders/${ID}`]: { data: MADE }, [`PUT /v5/orders/${ID}`]: {} }));
  const fetched = foodics.readOrder?.(readerOf(await foodics.fetchOrder?.(ID, vendor.client, {})), RIYADH);
  expect(fetched).toMatchObject({ kind: 'order', order: { id: ID } });
  vendor.calls.length = 0;
  const push = (status: PushedOrder['status']) =>
    foodics.push?.(pushedOrder({ id: ID, status, payload: MADE }), vendor.client, {});
  for (const status of ['RECEIVED', 'DISPATCHED'] as const) expect(await push(status)).toBe(false);
  for (const status of ['READY_FOR_PICKUP', 'DELIVERED', 'CANCELLED'] as const) expect(await push(status)).toBe(true);
  expect(vendor.calls.map(({ json }) => json)).toEqual([{ delivery_status: 2 }, { delivery_status: 5 }, { status: 3 }]);
});

test.each([['ours', MADE], ...samplesOf('foodics').map(({ name, json }): [string, object] => [name, json.order])])(
  '%s adds up',
  (_name, json) => {
    expect(amountsDiffer(read(json), 'SAR')).toBe(false);
  },
);

test('whatever comes is read, or it is said why not', () => {
  const body = { event: 'order.updated', timestamp: 1, order: MADE };
  readsAnything((payload) => foodics.read(callOf(payload), RIYADH), [body]);
});
