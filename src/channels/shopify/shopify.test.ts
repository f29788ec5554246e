import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import { toText } from '../../platform/money.ts';
import { amountsDiffer, type OrderStatus, VendorUnavailable } from '../contract.ts';
import { absentTotalOf, callOf, exactJson, orderIn, RIYADH } from '../testing/calls.ts';
import { readsAnything } from '../testing/odd-payloads.ts';
import { samplesOf } from '../testing/samples.ts';
import { pushedOrder, vendorOf } from '../testing/vendor.ts';
import { shopify } from './index.ts';

const SECRET = 'hush';
const MADE = {
  id: 9_007_199_254_740_993n,
  name: '#1042',
  order_number: 1042,
  created_at: '2026-11-15T12:00:00+03:00',
  updated_at: '2026-11-15T12:05:00+03:00',
  cancelled_at: null,
  currency: 'SAR',
  financial_status: 'paid',
  fulfillment_status: null as string | null,
  taxes_included: true,
  total_line_items_price: '59.70',
  total_discounts: '9.70',
  total_tax: '8.48',
  total_tip_received: '5.00',
  total_price: '70.00',
  payment_gateway_names: ['Cash on Delivery (COD)'],
  source_name: 'web',
  note: 'بدون سكر',
  location_id: 655_441_491,
  line_items: [
    { id: 1, product_id: 7, variant_id: 8, name: 'عسل - 500 جم', sku: 'HON-1', quantity: 3, price: '19.90' },
    { id: 2, product_id: null, variant_id: null, title: 'Tip jar', quantity: 1, price: '0.00' },
  ],
  shipping_lines: [
    { price: '15.00', discounted_price: '5.30', code: 'Standard' },
    { price: '99.00', is_removed: true, code: 'Express' },
  ],
  customer: { first_name: 'Sara', last_name: 'Al-Otaibi', email: 'sara@example.com', phone: null },
  phone: '+966500000000',
  shipping_address: {
    first_name: 'Noura',
    last_name: 'Al-Otaibi',
    phone: '+966500000001',
    address1: 'King Fahd Rd',
    city: 'Riyadh',
    zip: '12345',
    country: 'Saudi Arabia',
    country_code: 'SA',
    latitude: 24.7136,
    longitude: 46.6753,
  },
};

const duties = (amount: string) => ({ shop_money: { amount, currency_code: 'SAR' } });

const read = (body: unknown, topic = 'orders/updated', settings = {}) =>
  shopify.read(callOf(body, { headers: topic ? { 'x-shopify-topic': topic } : {} }), { ...RIYADH, settings });

describe('a call', () => {
  const body = Buffer.from(exactJson(MADE));
  const context = { settings: { webhook_secret: SECRET }, ingestToken: 't', ingestUrl: '', now: RIYADH.receivedAt };
  const signature = createHmac('sha256', SECRET).update(body).digest('base64');

  test('is proven by the HMAC of its bytes in base64, and by nothing else', () => {
    const verify = (headers: Record<string, string>, bytes = body) =>
      shopify.app.inbound?.verify({ ...callOf(bytes), headers }, context);
    expect(verify({ 'x-shopify-hmac-sha256': signature })).toBe(true);
    expect(verify({ 'x-shopify-hmac-sha256': signature }, Buffer.from(`${body} `))).toBe(false);
    expect(verify({ 'x-shopify-hmac-sha256': Buffer.from(signature, 'base64').toString('hex') })).toBe(false);
    expect(verify({ 'x-ingest-token': 't' })).toBe(false);
    expect(verify({})).toBe(false);
  });

  test("is known again by the shop's id of the delivery", () => {
    const headers = { 'x-shopify-webhook-id': 'b54557e4' };
    expect(shopify.app.inbound?.findDeliveryId?.({ ...callOf(body), headers })).toBe('b54557e4');
    expect(shopify.app.inbound?.findDeliveryId?.(callOf(body))).toBeUndefined();
  });
});

describe('an order', () => {
  test('keeps its digits, its exact amounts and its instants', () => {
    const parsed = read(MADE);
    const order = orderIn(parsed);
    expect(parsed.event).toBe('orders/updated');
    expect(order).toMatchObject({
      id: '9007199254740993',
      reference: '#1042',
      placedAt: new Date('2026-11-15T09:00:00Z'),
      revision: 1794733500000000n,
      isVatIncluded: true,
      storeId: '655441491',
      customer: { name: 'Sara Al-Otaibi', phone: '+966500000000', email: 'sara@example.com' },
      receiver: { name: 'Noura Al-Otaibi', phone: '+966500000001' },
      shippingAddress: { line1: 'King Fahd Rd', country: 'SA', latitude: 24.7136, longitude: 46.6753 },
      comment: 'بدون سكر',
      paymentMethod: 'cash',
      fulfillmentMethod: 'shipping',
      fulfillmentStatus: 'None',
    });
    expect([order.deliveryFee, order.serviceFee, order.discountsAmount].map(toText)).toEqual(['15.00', '5.00', '9.70']);
    expect(order.lines.map(({ productId, sku, unitPrice }) => [productId, sku, toText(unitPrice)])).toEqual([
      ['7', 'HON-1', '19.90'],
      ['2', undefined, '0.00'],
    ]);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test.each<[string, object, string, string]>([
    ['a discount that is off the shipping alone', { total_discounts: '0.00', total_price: '70.00' }, '5.30', '5.00'],
    ['taxes on top', { taxes_included: false, total_price: '78.48' }, '15.00', '5.00'],
    ['duties but no tip', { original_total_duties_set: duties('7.00'), total_price: '72.00' }, '15.00', '7.00'],
    ['duties and a tip', { original_total_duties_set: duties('7.00'), total_price: '77.00' }, '15.00', '12.00'],
  ])('with %s adds up', (_what, more, shipping, fees) => {
    const order = orderIn(read({ ...MADE, ...more }));
    expect([order.deliveryFee, order.serviceFee].map(toText)).toEqual([shipping, fees]);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test.each([
    ['pending', null, 'RECEIVED', 'pending'],
    ['authorized', null, 'RECEIVED', 'pending'],
    ['partially_paid', null, 'RECEIVED', 'pending'],
    ['paid', null, 'RECEIVED', 'paid'],
    ['paid', 'partial', 'RECEIVED', 'paid'],
    ['paid', 'fulfilled', 'DISPATCHED', 'paid'],
    ['partially_refunded', 'fulfilled', 'DISPATCHED', 'paid'],
    ['refunded', 'fulfilled', 'DISPATCHED', 'refunded'],
    ['refunded', null, undefined, 'refunded'],
    ['voided', null, undefined, 'cancelled'],
    ['constructor', 'restocked', undefined, undefined],
  ])('%s and %s is %s, %s', (financial_status, fulfillment_status, status, paymentStatus) => {
    expect(read({ ...MADE, financial_status, fulfillment_status })).toMatchObject({
      order: { status, paymentStatus },
    });
  });

  test('is cancelled whatever else it is', () => {
    const cancelled = { ...MADE, fulfillment_status: 'fulfilled', cancelled_at: '2026-11-15T12:06:00+03:00' };
    expect(read(cancelled)).toMatchObject({ order: { status: 'CANCELLED', paymentStatus: 'paid' } });
  });

  test('is delivered when each of its parcels is', () => {
    const withParcels = (...words: (string | null)[]) =>
      read({
        ...MADE,
        fulfillment_status: 'fulfilled',
        fulfillments: [
          { status: 'cancelled', shipment_status: null },
          ...words.map((word) => ({ status: 'success', shipment_status: word })),
        ],
      });
    expect(withParcels('delivered', 'delivered')).toMatchObject({ order: { status: 'DELIVERED' } });
    expect(withParcels('delivered', 'in_transit')).toMatchObject({ order: { status: 'DISPATCHED' } });
    expect(withParcels()).toMatchObject({ order: { status: 'DISPATCHED', fulfillmentStatus: 'Full' } });
  });

  test('counts a tip once, though it is told as a line too', () => {
    const order = orderIn(
      read({
        ...MADE,
        total_line_items_price: '64.70',
        line_items: [...MADE.line_items, { id: 3, title: 'Tip', quantity: 1, price: '5.00' }],
      }),
    );
    expect(toText(order.serviceFee)).toBe('0');
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test('without a total says where it is missing', () => {
    const { total_price, ...rest } = MADE;
    expect(absentTotalOf(read(rest))).toBe('total_price');
  });
});

describe('other topics', () => {
  test.each(['draft_orders/create', 'checkouts/update', 'products/update', 'app/uninstalled'])(
    '%s: nothing',
    (topic) => {
      expect(read(MADE, topic)).toEqual({ kind: 'ignored', event: topic });
    },
  );

  test('a deleted order is a cancelled one', () => {
    expect(read({ id: MADE.id }, 'orders/delete')).toMatchObject({
      kind: 'change',
      orderId: '9007199254740993',
      status: 'CANCELLED',
    });
  });

  test('what tells a part of an order asks for the order where it can', () => {
    const refund = { id: 1, order_id: MADE.id, transactions: [{ amount: '5.00' }] };
    const edit = { order_edit: { id: 2, order_id: MADE.id } };
    const token = { access_token: 'shpat' };
    expect(read(refund, 'refunds/create', token)).toMatchObject({ kind: 'fetch', orderId: '9007199254740993' });
    expect(read(edit, 'orders/edited', token)).toMatchObject({ kind: 'fetch', orderId: '9007199254740993' });
    expect(read(refund, 'refunds/create')).toMatchObject({ kind: 'ignored', orderId: '9007199254740993' });
  });

  test('a parcel that has arrived', () => {
    const parcel = { order_id: 5, shipment_status: 'delivered', updated_at: '2026-11-15T12:05:00+03:00' };
    expect(read(parcel, 'fulfillments/update')).toMatchObject({ kind: 'change', orderId: '5', status: 'DELIVERED' });
    expect(read(parcel, 'fulfillments/update', { access_token: 't' })).toMatchObject({ kind: 'fetch', orderId: '5' });
    expect(read({ ...parcel, shipment_status: 'in_transit' }, 'fulfillments/update').kind).toBe('ignored');
  });
});

describe('a status', () => {
  const push = async (status: OrderStatus, fulfillment_orders: unknown, note?: string) => {
    const { calls, client } = vendorOf(() => ({ fulfillment_orders }));
    const isUpdated = await shopify.push?.(pushedOrder({ id: '9007199254740993', status, note }), client, {});
    return { isUpdated, calls };
  };

  test('of an order on its way fulfils what is open of it', async () => {
    const parts = [
      { id: 1_046_000_778, status: 'open' },
      { id: '9007199254740995', status: 'in_progress' },
      { id: 3, status: 'closed' },
      { id: 4, status: 'cancelled' },
    ];
    expect(await push('DISPATCHED', parts, 'Two boxes')).toEqual({
      isUpdated: true,
      calls: [
        { method: 'GET', path: '/admin/api/2025-01/orders/9007199254740993/fulfillment_orders.json' },
        {
          method: 'POST',
          path: '/admin/api/2025-01/fulfillments.json',
          json: {
            fulfillment: {
              line_items_by_fulfillment_order: [
                { fulfillment_order_id: 1_046_000_778 },
                { fulfillment_order_id: '9007199254740995' },
              ],
              message: 'Two boxes',
            },
          },
        },
      ],
    });
  });

  test('of an order that was sent already has nothing to tell', async () => {
    const { isUpdated, calls } = await push('DELIVERED', [{ id: 3, status: 'closed' }]);
    expect(isUpdated).toBe(false);
    expect(calls.map(({ method }) => method)).toEqual(['GET']);
  });

  test('cancelled cancels; received and ready have no call', async () => {
    expect(await push('CANCELLED', [])).toMatchObject({
      isUpdated: true,
      calls: [{ method: 'POST', path: '/admin/api/2025-01/orders/9007199254740993/cancel.json' }],
    });
    expect(await push('RECEIVED', [])).toEqual({ isUpdated: false, calls: [] });
    expect(await push('READY_FOR_PICKUP', [])).toEqual({ isUpdated: false, calls: [] });
  });

  test('is not told to a shop whose answer makes no sense', async () => {
    await expect(push('DISPATCHED', 'soon')).rejects.toThrow(VendorUnavailable);
    await expect(push('DISPATCHED', [{ id: 1, status: {} }])).rejects.toThrow(VendorUnavailable);
  });

  test('needs a token', () => {
    expect(shopify.credentials?.({})).toEqual({ kind: 'missing', setting: 'access_token' });
    expect(shopify.credentials?.({ access_token: 'shpat' })).toEqual({
      kind: 'headers',
      headers: { 'x-shopify-access-token': 'shpat' },
    });
  });

  test('can be looked up afterwards', async () => {
    const { calls, client } = vendorOf(() => ({ order: parseExactJson(exactJson(MADE)) }));
    const found = await shopify.fetchOrder?.('1/../2', client, {});
    expect(calls).toEqual([{ method: 'GET', path: '/admin/api/2025-01/orders/1%2F..%2F2.json' }]);
    expect(shopify.readOrder?.(readerOf(found), RIYADH)).toMatchObject({ order: { reference: '#1042' } });
  });
});

describe('payloads as they came', () => {
  const samples = samplesOf('shopify');
  const orders = samples
    .filter(({ json }) => (json.order ?? json).line_items !== undefined)
    .map(({ name, json }): [string, unknown] => [name, json]);

  test.each([['one of our own', parseExactJson(exactJson(MADE))], ...orders])('%s: adds up', (_name, json) => {
    for (const reading of [shopify.readOrder?.(readerOf(json), RIYADH), read(json), read(json, '')]) {
      if (reading?.kind !== 'order') throw new Error(reading?.kind);
      expect(amountsDiffer(reading.order, reading.order.currency ?? 'SAR')).toBe(false);
    }
  });

  test.each(samples.filter(({ json }) => json.refund !== undefined))('$name: is no order', ({ bytes }) => {
    expect(read(bytes, 'refunds/create')).toMatchObject({ kind: 'ignored', orderId: '450789469' });
    expect(read(bytes, '')).toMatchObject({ kind: 'ignored' });
  });

  test('or spoilt: read, or it is said why not', () => {
    const all = [parseExactJson(exactJson(MADE)), ...samples.map(({ json }) => json)];
    const topics = ['orders/updated', 'refunds/create', 'orders/edited', 'orders/delete', 'fulfillments/update', ''];
    let turn = 0;
    readsAnything((payload) => {
      turn += 1;
      return read(payload, topics[turn % topics.length]);
    }, all);
  });
});
