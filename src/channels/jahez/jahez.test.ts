import { describe, expect, test } from 'vitest';
import { toText } from '../../platform/money.ts';
import { amountsDiffer } from '../contract.ts';
import { absentTotalOf, callOf, orderIn, RIYADH } from '../testing/calls.ts';
import { readsAnything } from '../testing/odd-payloads.ts';
import { pushedOrder, vendorOf } from '../testing/vendor.ts';
import { jahez } from './index.ts';

const MADE = {
  jahez_id: 9_007_199_254_740_993n,
  branch_id: 'B-4',
  products: [
    {
      product_id: 'PIZZA',
      quantity: 2,
      original_price: 20,
      final_price: 20,
      notes: 'hot',
      modifiers: [
        { modifier_id: 'X', options: [{ id: 'CHEESE', quantity: 2, original_price: 1.25, final_price: 1.25 }] },
      ],
    },
    { product_id: 'COLA', quantity: 1, original_price: 3.5, final_price: 3.5, modifiers: [] },
  ],
  price: 48.5,
  final_price: 43.5,
  payment_method: 'APPLE-PAY-MADA',
  notes: 'اتصل عند الوصول',
  offer: { amount: 5, type: 1 },
  phone_number: '+966500000000',
  customer_name: 'سارة',
  delivery_address: { geolocation: { latitude: 24.7, longitude: 46.6 } },
};
const UPDATE = { event: 'order_status', jahezOrderId: 77, payment_method: 'CASH', status: 'O' };

const read = (payload: unknown) => jahez.read(callOf(payload), RIYADH);

function orderOf(payload: unknown) {
  return orderIn(read(payload));
}

test('a call is proven by the token of its address, as a header or in the query', () => {
  const context = { settings: {}, ingestToken: 'tok', ingestUrl: '', now: RIYADH.receivedAt };
  const verify = (more: object) => jahez.app.inbound?.verify({ ...callOf(MADE), ...more }, context);
  expect(verify({ headers: { 'x-ingest-token': 'tok' } })).toBe(true);
  expect(verify({ query: { token: 'tok' } })).toBe(true);
  expect(verify({ query: { token: 'to' } })).toBe(false);
  expect(verify({})).toBe(false);
});

describe('an order', () => {
  test('is told whole', () => {
    const order = orderOf(MADE);
    expect(order).toMatchObject({
      id: '9007199254740993',
      reference: '9007199254740993',
      status: 'RECEIVED',
      paymentStatus: 'paid',
      paymentMethod: 'wallet',
      currency: undefined,
      storeId: 'B-4',
      customer: { name: 'سارة', phone: '+966500000000' },
      shippingAddress: { latitude: 24.7, longitude: 46.6 },
      comment: 'اتصل عند الوصول',
      fulfillmentMethod: 'delivery',
    });
    expect(
      [order.totalAmount, order.subtotal, order.discountsAmount].map((amount) => amount && toText(amount)),
    ).toEqual(['43.5', '48.5', '5']);
    expect(order.lines.map(({ name, quantity, unitPrice }) => [name, toText(quantity), toText(unitPrice)])).toEqual([
      ['PIZZA (2 × CHEESE)', '2', '22.50'],
      ['COLA', '1', '3.5'],
    ]);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test('has prices of lines, or after a discount, where only so they come to its price', () => {
    const products = [{ product_id: 'P', quantity: 4, original_price: 40, final_price: 32 }];
    const unitPriceAt = (price: number) =>
      toText(orderOf({ ...MADE, products, price }).lines[0]?.unitPrice ?? { units: 0n, scale: 0 });
    expect(unitPriceAt(160)).toBe('40');
    expect(unitPriceAt(40)).toBe('10.000000');
    expect(unitPriceAt(128)).toBe('32');
    expect(unitPriceAt(32)).toBe('8.000000');
    expect(unitPriceAt(1)).toBe('40');
  });

  test('may have an offer in percent, or none that is named', () => {
    const discountOf = (more: object) => toText(orderOf({ ...MADE, ...more }).discountsAmount);
    expect(discountOf({ price: 48.5, final_price: 38.8, offer: { amount: 20, type: 2 } })).toBe('9.7');
    expect(discountOf({ offer: undefined })).toBe('5.0');
    expect(amountsDiffer(orderOf({ ...MADE, final_price: 40 }), 'SAR')).toBe(true);
  });

  test.each([
    ['N', 'RECEIVED'],
    ['A', 'RECEIVED'],
    ['O', 'DISPATCHED'],
    ['D', 'DELIVERED'],
    ['C', 'CANCELLED'],
    ['R', 'CANCELLED'],
    ['T', 'CANCELLED'],
    ['Q', undefined],
  ])('%s is %s', (status, ours) => {
    expect(read({ ...UPDATE, status })).toMatchObject({ kind: 'change', orderId: '77', status: ours });
    expect(orderOf({ ...MADE, status }).status).toBe(ours);
  });

  test.each([
    ['CASH', 'pending', 'cash'],
    ['POS', 'pending', undefined],
    ['POS-MADA', 'pending', 'debit_card'],
    ['POS_CREDIT_CARD', 'pending', 'credit_card'],
    ['CREDITCARD', 'paid', 'credit_card'],
    ['APPLE-PAY-CREDIT-CARD', 'paid', 'wallet'],
    ['PAYFORT-CREDIT-CARD', 'paid', 'credit_card'],
    ['BARTER', undefined, undefined],
  ])('%s is %s, %s', (payment_method, paymentStatus, paymentMethod) => {
    expect(orderOf({ ...MADE, payment_method })).toMatchObject({ paymentStatus, paymentMethod });
  });

  test('that says nothing new is ignored; without a total it says where that is missing', () => {
    expect(read({ jahezOrderId: 5 })).toMatchObject({ kind: 'ignored', orderId: '5' });
    expect(absentTotalOf(read({ ...MADE, final_price: undefined }))).toBe('final_price');
    expect(() => read({ ...MADE, final_price: null })).toThrow(
      expect.objectContaining({ code: 'missing', path: 'final_price' }),
    );
  });

  test('of any shape is read or refused', () => readsAnything(read, [MADE, UPDATE]));
});

describe('the vendor is told', () => {
  test('that an order is taken or turned away, and nothing else', async () => {
    const { client, calls } = vendorOf();
    const push = (status: 'RECEIVED' | 'CANCELLED' | 'DISPATCHED', id = '77', note?: string) =>
      jahez.push?.(pushedOrder({ id, status, note }), client, {});
    expect(await push('RECEIVED')).toBe(true);
    expect(await push('CANCELLED', '9007199254740993', 'closed')).toBe(true);
    expect(await push('DISPATCHED')).toBe(false);
    expect(calls).toEqual([
      { method: 'POST', path: '/webhooks/status_update', json: { jahezOrderId: 77, status: 'A' } },
      {
        method: 'POST',
        path: '/webhooks/status_update',
        json: { jahezOrderId: '9007199254740993', status: 'R', reason: 'closed' },
      },
    ]);
  });

  test('with the key and a token for it', () => {
    expect(jahez.credentials?.({ client_id: 'k' })).toEqual({ kind: 'missing', setting: 'client_secret' });
    const credentials = jahez.credentials?.({ client_id: 'k', client_secret: 's' });
    if (credentials?.kind !== 'token') throw new Error('no token');
    expect(credentials.request).toMatchObject({
      method: 'POST',
      path: '/token',
      headers: { 'x-api-key': 'k' },
      json: { secret: 's' },
    });
    expect(credentials.read({ status: 200, json: { token: 'abc' } })).toEqual({
      headers: { 'x-api-key': 'k', authorization: 'Bearer abc' },
      livesForSeconds: 900,
    });
  });
});
