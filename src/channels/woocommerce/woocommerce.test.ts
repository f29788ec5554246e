import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import { toText } from '../../platform/money.ts';
import { amountsDiffer } from '../contract.ts';
import { absentTotalOf, callOf, exactJson, orderIn, RIYADH } from '../testing/calls.ts';
import { samplesOf } from '../testing/samples.ts';
import { woocommerce } from './index.ts';

const SECRET = 'shh';
const MADE = {
  id: 9_007_199_254_740_993n,
  number: '1042',
  status: 'processing',
  currency: 'SAR',
  date_created: '2026-11-15T12:00:00',
  date_created_gmt: '2026-11-15T09:00:00',
  date_modified_gmt: '2026-11-15T09:05:00',
  total: '52.00',
  total_tax: '6.00',
  discount_total: '4.00',
  shipping_total: '10.00',
  payment_method: 'cod',
  line_items: [{ id: 1, product_id: 7, variation_id: 0, quantity: 1.5, subtotal: '40.00', sku: 'HON-1', name: 'عسل' }],
  shipping_lines: [{ method_id: 'flat_rate', total: '10.00' }],
  billing: {
    first_name: 'Sara',
    last_name: 'Al-Otaibi',
    phone: '+966500000000',
    email: 'sara@example.com',
    city: 'Riyadh',
  },
};

describe('a call', () => {
  const body = Buffer.from(exactJson(MADE));
  const context = { settings: { webhook_secret: SECRET }, ingestToken: 't', ingestUrl: '', now: RIYADH.receivedAt };
  const signature = createHmac('sha256', SECRET).update(body).digest('base64');

  test('is proven by the HMAC of its bytes, and by nothing else', () => {
    const verify = (headers: Record<string, string>, bytes = body) =>
      woocommerce.app.inbound?.verify({ ...callOf(bytes), headers }, context);
    expect(verify({ 'x-wc-webhook-signature': signature })).toBe(true);
    expect(verify({ 'x-wc-webhook-signature': signature }, Buffer.from(`${body} `))).toBe(false);
    expect(verify({ 'x-wc-webhook-signature': `${signature}=` })).toBe(false);
    expect(verify({})).toBe(false);
  });
});

describe('an order', () => {
  const read = (order: object, topic = 'order.updated') =>
    woocommerce.read(callOf(order, { headers: { 'x-wc-webhook-topic': topic } }), RIYADH);

  test('keeps its digits, its exact amounts and its instants', () => {
    const order = orderIn(read(MADE));
    expect(order).toMatchObject({
      id: '9007199254740993',
      reference: '1042',
      placedAt: new Date('2026-11-15T09:00:00Z'),
      status: 'RECEIVED',
      paymentStatus: 'pending',
      paymentMethod: 'cash',
      fulfillmentMethod: 'shipping',
    });
    expect(order.lines.map(({ quantity, unitPrice }) => [toText(quantity), toText(unitPrice)])).toEqual([
      ['1.5', '26.666667'],
    ]);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test.each([
    ['pending', 'RECEIVED', 'pending'],
    ['on-hold', 'RECEIVED', 'pending'],
    ['processing', 'RECEIVED', 'paid'],
    ['completed', 'DELIVERED', 'paid'],
    ['cancelled', 'CANCELLED', 'cancelled'],
    ['refunded', 'CANCELLED', 'refunded'],
    ['failed', 'RECEIVED', 'failed'],
    ['my-own-word', undefined, undefined],
  ])('%s is %s, %s', (status, orderStatus, paymentStatus) => {
    expect(read({ ...MADE, status, payment_method: 'stripe' })).toMatchObject({
      order: { status: orderStatus, paymentStatus },
    });
  });

  test.each(['checkout-draft', 'auto-draft', 'trash'])('%s is none yet', (status) => {
    expect(read({ ...MADE, status }).kind).toBe('ignored');
  });

  test('is refunded only when all of it is', () => {
    const completed = { ...MADE, status: 'completed' };
    expect(read({ ...completed, refunds: [{ total: '-12.00' }] })).toMatchObject({ order: { paymentStatus: 'paid' } });
    expect(read({ ...completed, refunds: [{ total: '-12.00' }, { total: '-40.00' }] })).toMatchObject({
      order: { paymentStatus: 'refunded' },
    });
  });

  test.each<[string, object, string, string]>([
    ['a fee', { fee_lines: [{ total: '3.00' }], total: '55.00' }, '3.00', '4.00'],
    ['a fee that was not charged', { fee_lines: [{ total: '3.00' }] }, '0', '4.00'],
    ['a fee below nothing', { fee_lines: [{ total: '3.00' }, { total: '-5.00' }], total: '50.00' }, '3.00', '9.00'],
  ])('with %s adds up', (_what, more, fees, discounts) => {
    const order = orderIn(read({ ...MADE, ...more }));
    expect([order.serviceFee, order.discountsAmount].map(toText)).toEqual([fees, discounts]);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test('is paid in a way that the shop has a word for', () => {
    const methodOf = (payment_method: string) => {
      const reading = read({ ...MADE, payment_method });
      return reading.kind === 'order' ? reading.order.paymentMethod : reading.kind;
    };
    expect(['cod', 'bacs', 'stripe', 'paypal'].map(methodOf)).toEqual([
      'cash',
      'bank_transfer',
      'credit_card',
      'wallet',
    ]);
    expect(['constructor', '__proto__', 'tabby_installments'].map(methodOf)).toEqual([undefined, undefined, undefined]);
  });

  test('without a total says where it is missing', () => {
    const { total, ...rest } = MADE;
    expect(absentTotalOf(read(rest))).toBe('total');
  });
});

describe('payloads as they came', () => {
  const orders = samplesOf('woocommerce').flatMap(({ name, json }) =>
    (Array.isArray(json) ? json : [json])
      .filter((one) => (one.data ?? one).line_items !== undefined)
      .map((one, index): [string, unknown] => [`${name} ${index}`, one]),
  );

  test.each([['one of our own', parseExactJson(exactJson(MADE))], ...orders])('%s: adds up', (_name, json) => {
    const order = orderIn(woocommerce.readOrder?.(readerOf(json), RIYADH));
    expect(amountsDiffer(order, order.currency ?? 'SAR')).toBe(false);
  });
});
