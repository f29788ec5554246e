import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import { toText } from '../../platform/money.ts';
import { type AppSettings, amountsDiffer, type OrderStatus } from '../contract.ts';
import { absentTotalOf, callOf, exactJson, orderIn, RIYADH } from '../testing/calls.ts';
import { readsAnything } from '../testing/odd-payloads.ts';
import { samplesOf } from '../testing/samples.ts';
import { pushedOrder, vendorOf } from '../testing/vendor.ts';
import { salla } from './index.ts';

const SECRET = 'a secret';
const sar = (amount: number | string) => ({ amount, currency: 'SAR' });
const ORDER = {
  id: 9_007_199_254_740_993n,
  reference_id: 41_027_662,
  date: { date: '2026-11-15 12:00:00.000000', timezone_type: 3, timezone: 'Asia/Riyadh' },
  status: { id: 1, name: 'قيد التنفيذ', slug: 'in_progress' } as object,
  source: 'store',
  payment_method: 'mada',
  is_pending_payment: false,
  currency: 'SAR',
  amounts: {
    sub_total: sar(174),
    shipping_cost: sar(15),
    cash_on_delivery: sar('1.50'),
    tax: { percent: '15.00', amount: sar(27.83) },
    discounts: [{ title: 'offer', discount: '5.00', discounted_shipping: 0 }],
    total: sar(213.33),
  },
  items: [
    {
      id: 1,
      product_id: 7,
      name: 'بيتزا',
      sku: 'PIZ-1',
      quantity: 2,
      amounts: { price_without_tax: sar(87), total: sar(174) },
      options: [
        {
          name: 'SIZE',
          value: [
            { name: 'BIG', price: sar(20) },
            { name: 'بصل', price: sar(0) },
          ],
        },
        { name: 'Engraving', value: 'سارة' },
        { name: 'Cut', value: { name: 'Square', price: sar(0) } },
        { name: 'File', value: null },
      ],
    },
  ],
  customer: { first_name: 'Sara', last_name: 'Ali', mobile: 500_000_002, mobile_code: '+966', email: 's@example.com' },
  shipping: {
    receiver: { name: 'Noura', phone: '966500000001' },
    address: {
      country: 'SA',
      city: 'جدة',
      shipping_address: 'شارع ابو امية',
      block: 'الزهراء',
      geo_coordinates: { lat: 0, lng: 0 },
    },
  },
  shipment_branch: [{ id: 2_019_138_561 }],
};
const envelope = (event: string, data: unknown) => ({
  event,
  merchant: 1_305_146_709,
  created_at: 'Sun Nov 15 2026 12:05:00 GMT+0300',
  data,
});

const read = (data: unknown, event = 'order.updated', settings: AppSettings = {}) =>
  salla.read(callOf(envelope(event, data)), { ...RIYADH, settings });

describe('a call', () => {
  const body = Buffer.from(exactJson(envelope('order.created', ORDER)));
  const context = { settings: { webhook_secret: SECRET }, ingestToken: 't', ingestUrl: '', now: RIYADH.receivedAt };
  const signature = createHmac('sha256', SECRET).update(body).digest('hex');
  const signed = { 'x-salla-signature': signature };
  const verify = (headers: Record<string, string>, bytes = body) =>
    salla.app.inbound?.verify({ ...callOf(bytes), headers }, context);

  test('that says it is signed is proven by the HMAC of its bytes in hex', () => {
    const strategy = { 'x-salla-security-strategy': 'Signature' };
    expect(verify({ ...strategy, ...signed })).toBe(true);
    expect(verify({ ...strategy, ...signed }, Buffer.from(`${body} `))).toBe(false);
    expect(verify({ ...strategy, authorization: SECRET })).toBe(false);
    expect(verify(strategy)).toBe(false);
  });

  test('that says it has a token is proven by the secret itself, with or without its scheme', () => {
    const strategy = { 'x-salla-security-strategy': 'Token' };
    expect(verify({ ...strategy, authorization: SECRET })).toBe(true);
    expect(verify({ ...strategy, authorization: `Bearer ${SECRET}` })).toBe(true);
    expect(verify({ ...strategy, authorization: `Bearer ${SECRET}x` })).toBe(false);
    expect(verify({ ...strategy, authorization: 'Bearer ' })).toBe(false);
    expect(verify({ ...strategy, ...signed })).toBe(false);
  });

  test('that does not say which may have either, and not none', () => {
    expect(verify(signed)).toBe(true);
    expect(verify({ authorization: SECRET })).toBe(true);
    expect(verify({})).toBe(false);
    expect(verify({ ...signed, 'x-salla-security-strategy': 'None' })).toBe(false);
    expect(salla.app.inbound?.verify({ ...callOf(body), headers: signed }, { ...context, settings: {} })).toBe(false);
  });
});

test.each([
  ['of one', 174, '87'],
  ['of the line', 87, '43.500000'],
  ['of one, its options on top', 214, '107'],
  ['of the line, its options on top', 107, '53.500000'],
])('a price %s is told by the sum of all', (_what, sub_total, unitPrice) => {
  const reading = read({ ...ORDER, amounts: { ...ORDER.amounts, sub_total: sar(sub_total) } });
  expect(reading.kind === 'order' && reading.order.lines.map((line) => toText(line.unitPrice))).toEqual([unitPrice]);
});

describe('an order', () => {
  test('keeps its digits, its exact amounts and its instants', () => {
    const order = orderIn(read(ORDER));
    expect(order).toMatchObject({
      id: '9007199254740993',
      reference: '41027662',
      placedAt: new Date('2026-11-15T09:00:00Z'),
      revision: 1794733500000000n,
      status: 'RECEIVED',
      paymentStatus: 'paid',
      paymentMethod: 'debit_card',
      fulfillmentMethod: 'shipping',
      isVatIncluded: false,
      storeId: '1305146709',
      customer: { name: 'Sara Ali', phone: '+966500000002', email: 's@example.com' },
      receiver: { name: 'Noura', phone: '966500000001' },
      shippingAddress: { line1: 'شارع ابو امية', city: 'جدة', district: 'الزهراء', country: 'SA' },
    });
    expect(order.shippingAddress).not.toHaveProperty('latitude');
    expect(order.lines.map(({ name, unitPrice }) => [name, toText(unitPrice)])).toEqual([
      ['بيتزا (BIG, بصل, سارة, Square)', '87'],
    ]);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test('goes to the branch that the settings know', () => {
    expect(read(ORDER, 'order.updated', { branches: { 2019138561: 'main' } })).toMatchObject({
      order: { storeId: '2019138561' },
    });
  });

  test('says by its total whether VAT is in the prices, and whose discounts are on the shipping', () => {
    const included = { ...ORDER, amounts: { ...ORDER.amounts, total: sar('185.50') } };
    expect(read(included)).toMatchObject({ order: { isVatIncluded: true } });
    const free = {
      ...ORDER.amounts,
      discounts: [{ discount: '-5.00', discounted_shipping: 15 }],
      total: sar('198.33'),
    };
    const order = orderIn(read({ ...ORDER, amounts: free }));
    expect(toText(order.discountsAmount)).toBe('20.00');
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test('has the price of one, though a shop may tell that of the line', () => {
    const [item] = ORDER.items;
    const order = orderIn(read({ ...ORDER, items: [{ ...item, amounts: { price_without_tax: sar(174) } }] }));
    expect(order.lines.map(({ unitPrice }) => toText(unitPrice))).toEqual(['87.000000']);
  });

  test.each([
    ['payment_pending', 'RECEIVED', 'pending'],
    ['waiting_for_payment_confirmation', 'RECEIVED', 'pending'],
    ['payment_failed', 'RECEIVED', 'failed'],
    ['under_review', 'RECEIVED', 'paid'],
    ['in_progress', 'RECEIVED', 'paid'],
    ['waiting to receive it', 'READY_FOR_PICKUP', 'paid'],
    ['shipped', 'DISPATCHED', 'paid'],
    ['delivering', 'DISPATCHED', 'paid'],
    ['delivered', 'DELIVERED', 'paid'],
    ['completed', 'DELIVERED', 'paid'],
    ['canceled', 'CANCELLED', undefined],
    ['restoring', 'CANCELLED', undefined],
    ['restored', 'CANCELLED', 'refunded'],
    ['constructor', undefined, undefined],
  ])('%s is %s, %s', (slug, status, paymentStatus) => {
    expect(read({ ...ORDER, status: { slug } })).toMatchObject({ order: { status, paymentStatus } });
  });

  test('completed means what the shop means by it', () => {
    const completed = { ...ORDER, status: { slug: 'completed' }, payment_method: 'cod' };
    expect(read(completed)).toMatchObject({ order: { status: 'DELIVERED', paymentStatus: 'paid' } });
    expect(read(completed, 'order.updated', { completed_means: 'dispatched' })).toMatchObject({
      order: { status: 'DISPATCHED', paymentStatus: 'pending' },
    });
  });

  test("a status of the shop's own stands under one of the vendor's", () => {
    const status = { slug: 'gift_wrapped', parent: { slug: 'delivering' } };
    expect(read({ ...ORDER, status })).toMatchObject({ order: { status: 'DISPATCHED' } });
  });

  test('is paid by how it is paid', () => {
    const paid = (more: object) => {
      const reading = read({ ...ORDER, ...more });
      return reading.kind === 'order' && reading.order.paymentStatus;
    };
    expect(paid({ payment_method: 'cod' })).toBe('pending');
    expect(paid({ payment_method: 'bank', status: { slug: 'under_review' } })).toBe('pending');
    expect(paid({ payment_method: 'bank' })).toBe('paid');
    expect(paid({ payment_method: 'bank', status: { slug: 'delivering' } })).toBe(undefined);
    expect(paid({ is_pending_payment: true })).toBe('pending');
    expect(paid({ payment: { status: 'refunded' } })).toBe('refunded');
    expect(paid({ payment: { status: 'partial_refunded' } })).toBe('paid');
  });

  test('without a total says where it is missing; a draft is none yet', () => {
    const { total, ...amounts } = ORDER.amounts;
    expect(absentTotalOf(read({ ...ORDER, amounts }))).toBe('data.amounts.total');
    expect(() => read({ ...ORDER, amounts: { ...amounts, total: null } })).toThrow(
      expect.objectContaining({ code: 'missing', path: 'data.amounts.total' }),
    );
    expect(read({ ...ORDER, draft: true }).kind).toBe('ignored');
  });
});

describe('events', () => {
  test('a status that changed is told with the order, whose id is not that of the change', () => {
    const change = { id: 5, status: 'جاري التوصيل', order: { ...ORDER, status: { slug: 'delivering' } } };
    expect(read(change, 'order.status.updated')).toMatchObject({
      kind: 'order',
      event: 'order.status.updated',
      order: { id: '9007199254740993', status: 'DISPATCHED' },
    });
    const thin = { id: 5, order: { id: 6, status: { slug: 'delivered' } } };
    expect(read(thin, 'order.status.updated')).toMatchObject({ kind: 'change', orderId: '6', status: 'DELIVERED' });
  });

  test('cancelled, refunded and deleted say so by themselves', () => {
    expect(read(ORDER, 'order.cancelled')).toMatchObject({ order: { status: 'CANCELLED' } });
    expect(read(ORDER, 'order.refunded')).toMatchObject({ order: { paymentStatus: 'refunded' } });
    expect(read({ id: 6 }, 'order.cancelled')).toMatchObject({ kind: 'change', orderId: '6', status: 'CANCELLED' });
    expect(read({ id: 6 }, 'order.refunded')).toMatchObject({ kind: 'change', paymentStatus: 'refunded' });
    expect(read({ id: 6 }, 'order.deleted')).toMatchObject({ kind: 'change', status: 'CANCELLED' });
  });

  test.each(['product.updated', 'customer.created', 'coupon.applied', 'app.store.authorize', ''])(
    '%s: nothing',
    (event) => {
      expect(read(ORDER, event)).toEqual({ kind: 'ignored', event });
    },
  );

  test('a shipment that was called off leaves the order what it is', () => {
    expect(read({ id: 6, shipping_number: '8' }, 'order.shipment.cancelled')).toMatchObject({
      kind: 'ignored',
      orderId: '6',
    });
    expect(read(ORDER, 'order.shipment.created').kind).toBe('order');
  });
});

describe('a status', () => {
  test.each<[OrderStatus, string]>([
    ['RECEIVED', 'in_progress'],
    ['READY_FOR_PICKUP', 'waiting to receive it'],
    ['DISPATCHED', 'delivering'],
    ['DELIVERED', 'delivered'],
    ['CANCELLED', 'canceled'],
  ])('%s is told as %s', async (status, slug) => {
    const { calls, client } = vendorOf();
    expect(await salla.push?.(pushedOrder({ id: '2116149737', status, note: 'n' }), client, {})).toBe(true);
    expect(calls).toEqual([
      { method: 'POST', path: '/admin/v2/orders/2116149737/status', json: { slug, note: 'n' }, isRepeatable: true },
    ]);
  });

  test('needs a token', () => {
    expect(salla.credentials?.({})).toEqual({ kind: 'missing', setting: 'access_token' });
    expect(salla.credentials?.({ access_token: 'x' })).toEqual({
      kind: 'headers',
      headers: { authorization: 'Bearer x' },
    });
  });

  test('can be looked up afterwards', async () => {
    const { calls, client } = vendorOf(() => ({ data: parseExactJson(exactJson(ORDER)) }));
    const found = await salla.fetchOrder?.('2116149737', client, {});
    expect(calls).toEqual([{ method: 'GET', path: '/admin/v2/orders/2116149737' }]);
    expect(salla.readOrder?.(readerOf(found), RIYADH)).toMatchObject({ order: { reference: '41027662' } });
  });
});

describe('payloads as they came', () => {
  const samples = samplesOf('salla');
  const sampleRead = (payload: unknown) => salla.read(callOf(payload), RIYADH);

  test.each(samples.filter(({ json }) => (json.data?.order ?? json.data)?.amounts))('$name: adds up', ({ bytes }) => {
    const order = orderIn(sampleRead(bytes));
    expect(amountsDiffer(order, order.currency ?? 'SAR')).toBe(false);
    expect(order.placedAt).toBeInstanceOf(Date);
    expect(order.revision).toBeGreaterThan(0n);
  });

  test.each(samples.filter(({ json }) => !(json.data?.order ?? json.data)?.amounts))('$name: nothing', ({ bytes }) => {
    expect(sampleRead(bytes).kind).toBe('ignored');
  });

  test('or spoilt: read, or it is said why not', () => {
    const made = parseExactJson(exactJson(envelope('order.updated', ORDER)));
    readsAnything(sampleRead, [made, ...samples.map(({ json }) => json)]);
  });
});
