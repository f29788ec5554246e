import { describe, expect, test } from 'vitest';
import { parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import { toText } from '../../platform/money.ts';
import { type AppSettings, amountsDiffer, type OrderStatus } from '../contract.ts';
import { callOf, exactJson, orderIn, RIYADH } from '../testing/calls.ts';
import { readsAnything } from '../testing/odd-payloads.ts';
import { samplesOf } from '../testing/samples.ts';
import { pushedOrder, vendorOf } from '../testing/vendor.ts';
import { zid } from './index.ts';

const row = (code: string, value: string) => ({ code, value });
const MADE = {
  id: 9_007_199_254_740_993n,
  code: 'zrDH30DWiX',
  store_id: 3,
  order_status: { name: 'Preparing', code: 'preparing' } as object | string,
  currency_code: 'SAR',
  order_total: '253.56000086523000',
  payment_status: 'paid',
  source_code: 'catalog',
  created_at: '2026-11-15 12:00:00',
  updated_at: '2026-11-15 12:05:00',
  requires_shipping: true,
  customer: { name: 'Sara', email: 's@example.com', mobile: '966500000002', note: '' },
  consignee: { name: 'Noura', mobile: '966500000001' },
  customer_note: 'اتصل قبل الوصول',
  inventory_address: { id: '9059ae2c' },
  shipping: {
    method: { code: 'zid_zidship' },
    address: {
      street: 'Al Bahar',
      short_address: 'RAWA2931',
      district: 'Al Wadi',
      lat: 24.897959346364,
      lng: 46.328659057617,
      meta: { postcode: '13313' },
      city: { name: 'Riyadh' },
      country: { name: 'Saudi Arabia', code: 'SA' },
    },
  },
  payment: {
    method: { code: 'zidpay', type: 'cc' },
    invoice: [
      row('sub_totals_before_vat', '201.29032327841000'),
      row('products_discount', '-20.00000000000000'),
      row('sub_totals_after_products_discount', '181.29032327841000'),
      row('loyalty_redemption', '-1.00000000000000'),
      row('cod_discount', '1.00000000000000'),
      row('shipping', '20.00000000000000'),
      row('shipping_discount', '-6.00000000000000'),
      row('cod', '17.00000000000000'),
      row('taxable_amount', '210.29032327841000'),
      row('vat', '43.26967758681800'),
      row('sub_totals_after_vat', '253.56000086523000'),
      row('total', '253.56000086523000'),
    ],
  },
  products: [
    {
      id: '23edd6a6-3533-495d',
      name: 'عسل',
      sku: 'HON-1',
      barcode: '6281',
      quantity: 1.5,
      net_price_with_additions: 134.193548852273,
      price: 200,
      options: [{ name: 'Size', value: 'Large' }],
      custom_fields: [
        { label: 'List', name: 'Gift wrap', value: '✔' },
        { label: 'Card', name: 'Card', value: 'مبروك' },
      ],
    },
  ],
};

const read = (body: unknown, settings: AppSettings = {}) => zid.read(callOf(body), { ...RIYADH, settings });
const KEYS = { access_token: 'store', client_secret: 'partner' };

describe('a call', () => {
  const verify = (authorization: string | undefined, webhook_secret = 'dukkan:pass:word') =>
    zid.app.inbound?.verify(
      { ...callOf(MADE), headers: authorization === undefined ? {} : { authorization } },
      { settings: { webhook_secret }, ingestToken: 't', ingestUrl: '', now: RIYADH.receivedAt },
    );

  test('is proven by the name and password chosen for it, or by the value as it is', () => {
    const basic = `Basic ${Buffer.from('dukkan:pass:word').toString('base64')}`;
    expect(verify(basic)).toBe(true);
    expect(verify(basic, basic)).toBe(true);
    expect(verify('my own value', 'my own value')).toBe(true);
    expect(verify(`Basic ${Buffer.from('dukkan:other').toString('base64')}`)).toBe(false);
    expect(verify('Basic !!')).toBe(false);
    expect(verify(undefined)).toBe(false);
    expect(verify('', '')).toBe(false);
  });
});

describe('an order', () => {
  test('keeps its digits, its exact amounts and its instants', () => {
    const order = orderIn(read(MADE));
    expect(order).toMatchObject({
      id: '9007199254740993',
      reference: 'zrDH30DWiX',
      placedAt: new Date('2026-11-15T09:00:00Z'),
      revision: 1794733500000000n,
      status: 'RECEIVED',
      paymentStatus: 'paid',
      paymentMethod: 'credit_card',
      fulfillmentMethod: 'shipping',
      isVatIncluded: false,
      storeId: '3',
      customer: { name: 'Sara', phone: '966500000002', email: 's@example.com' },
      receiver: { name: 'Noura', phone: '966500000001' },
      shippingAddress: { line1: 'Al Bahar', district: 'Al Wadi', postal_code: '13313', country: 'SA' },
      comment: 'اتصل قبل الوصول',
    });
    const { totalAmount, discountsAmount, deliveryFee, serviceFee } = order;
    expect([totalAmount, discountsAmount, deliveryFee, serviceFee].map(toText)).toEqual([
      '253.56',
      '28.00000000000000',
      '20.00000000000000',
      '17.00000000000000',
    ]);
    expect(order.lines).toMatchObject([{ name: 'عسل (Large, Gift wrap, مبروك)', sku: 'HON-1', barcode: '6281' }]);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test('goes to the branch that the settings know', () => {
    expect(read(MADE, { branches: { '9059ae2c': 'main' } })).toMatchObject({ order: { storeId: '9059ae2c' } });
  });

  test('has times by the clock of the store', () => {
    const reading = zid.read(callOf(MADE), { ...RIYADH, timeZone: 'UTC' });
    expect(reading).toMatchObject({ order: { placedAt: new Date('2026-11-15T12:00:00Z') } });
  });

  test.each([
    ['new', 'RECEIVED', 'paid'],
    ['preparing', 'RECEIVED', 'paid'],
    ['processed', 'RECEIVED', 'paid'],
    ['ready', 'READY_FOR_PICKUP', 'paid'],
    ['indelivery', 'DISPATCHED', 'paid'],
    ['inDelivery', 'DISPATCHED', 'paid'],
    ['delivered', 'DELIVERED', 'paid'],
    ['canceled', 'CANCELLED', 'paid'],
    ['cancelled', 'CANCELLED', 'paid'],
    ['denied', 'CANCELLED', 'paid'],
    ['expired', 'CANCELLED', 'paid'],
    ['voided', 'CANCELLED', 'paid'],
    ['refunded', 'CANCELLED', 'refunded'],
    ['reversed', 'CANCELLED', 'refunded'],
    ['partially_reversed', 'CANCELLED', 'paid'],
    ['chargeback', 'CANCELLED', 'refunded'],
    ['failed', 'RECEIVED', 'failed'],
    ['reverse_in_progress', undefined, 'paid'],
    ['processingReverse', undefined, 'paid'],
    ['canceledReversal', undefined, 'paid'],
    ['initial', undefined, 'paid'],
    ['constructor', undefined, 'paid'],
  ])('%s is %s, %s', (code, status, paymentStatus) => {
    expect(read({ ...MADE, order_status: { code } })).toMatchObject({ order: { status, paymentStatus } });
  });

  test.each([
    ['pending', 'pending'],
    ['refunded', 'refunded'],
    ['voided', 'cancelled'],
    ['unpaid', undefined],
  ])('its payment %s is %s', (payment_status, paymentStatus) => {
    expect(read({ ...MADE, payment_status })).toMatchObject({ order: { paymentStatus } });
  });
});

describe('a notice', () => {
  test.each([
    { id: MADE.id, order_status: { code: 'ready' } },
    { order_id: MADE.id },
    { event: 'order.status.update', data: { id: MADE.id } },
  ])('without a total asks for the order', (notice) => {
    expect(read(notice)).toMatchObject({ kind: 'fetch', orderId: '9007199254740993' });
  });

  test('of an unpaid order asks what that means, where it can', () => {
    expect(read({ ...MADE, payment_status: 'unpaid' }, KEYS)).toMatchObject({
      kind: 'fetch',
      orderId: String(MADE.id),
    });
  });

  test.each([
    { id: '23edd6a6-3533-495d', name: 'a product' },
    { id: 7, sku: 'HON-1', price: 5 },
    { id: 257, name: 'Sara', email: 's@example.com' },
    { event: 'product.update', id: 7 },
    { coupons: [] },
    [],
    'text',
  ])('of something else is none', (payload) => {
    expect(read(exactJson(payload)).kind).toBe('ignored');
  });
});

describe('a status', () => {
  test.each<[OrderStatus, string]>([
    ['RECEIVED', 'preparing'],
    ['DISPATCHED', 'indelivery'],
    ['DELIVERED', 'delivered'],
    ['CANCELLED', 'cancelled'],
  ])('%s is told as %s', async (status, order_status) => {
    const { calls, client } = vendorOf();
    expect(await zid.push?.(pushedOrder({ id: '39018491', status, payload: MADE }), client, {})).toBe(true);
    const path = '/v1/managers/store/orders/39018491/change-order-status';
    expect(calls).toEqual([{ method: 'POST', path, json: { order_status }, isRepeatable: true }]);
  });

  test('ready is told with where it can be fetched', async () => {
    const { calls, client } = vendorOf();
    await zid.push?.(pushedOrder({ status: 'READY_FOR_PICKUP', payload: { order: MADE } }), client, {});
    await zid.push?.(pushedOrder({ status: 'READY_FOR_PICKUP' }), client, {});
    expect(calls.map(({ json }) => json)).toEqual([
      { order_status: 'ready', inventory_address_id: '9059ae2c' },
      { order_status: 'ready' },
    ]);
  });

  test('needs the partner and the store', () => {
    expect(zid.credentials?.({ access_token: 'store' })).toEqual({ kind: 'missing', setting: 'client_secret' });
    expect(zid.credentials?.({ client_secret: 'partner' })).toEqual({ kind: 'missing', setting: 'access_token' });
    expect(zid.credentials?.(KEYS)).toEqual({
      kind: 'headers',
      headers: { authorization: 'Bearer partner', 'x-manager-token': 'store' },
    });
  });

  test('can be looked up afterwards', async () => {
    const { calls, client } = vendorOf(() => ({ order: parseExactJson(exactJson(MADE)) }));
    const found = await zid.fetchOrder?.('39018491', client, {});
    expect(calls).toEqual([{ method: 'GET', path: '/v1/managers/store/orders/39018491/view' }]);
    expect(zid.readOrder?.(readerOf(found), RIYADH)).toMatchObject({ order: { reference: 'zrDH30DWiX' } });
  });
});

describe('payloads as they came', () => {
  const samples = samplesOf('zid');
  const orders = samples.flatMap(({ name, json }) =>
    ((json.orders ?? [json.order ?? {}]) as { order_total?: unknown }[])
      .filter(({ order_total }) => order_total !== undefined)
      .map((order, index): [string, unknown] => [`${name} ${index}`, order]),
  );

  test.each([['one of our own', parseExactJson(exactJson(MADE))], ...orders])('%s: adds up', (_name, json) => {
    for (const reading of [zid.readOrder?.(readerOf({ order: json }), RIYADH), read(json)]) {
      if (reading?.kind !== 'order') throw new Error(reading?.kind);
      expect(amountsDiffer(reading.order, reading.order.currency ?? 'SAR')).toBe(false);
    }
  });

  test.each(samples.filter(({ json }) => json.coupons !== undefined))('$name: nothing', ({ bytes }) => {
    expect(read(bytes).kind).toBe('ignored');
  });

  test('or spoilt: read, or it is said why not', () => {
    const all = [
      parseExactJson(exactJson(MADE)),
      ...orders.map(([, order]) => order),
      ...samples.map(({ json }) => json),
    ];
    readsAnything((payload) => read(payload), all);
  });
});
