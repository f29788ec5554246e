import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { toText } from '../../platform/money.ts';
import { amountsDiffer, needsWebhookSecret } from '../contract.ts';
import { CHANNELS } from '../list.ts';
import { callOf, orderIn, RIYADH } from '../testing/calls.ts';
import { readsAnything } from '../testing/odd-payloads.ts';
import { generic } from './index.ts';

const MADE = {
  source_transaction_id: 9_007_199_254_740_993n,
  source_reference: 'INV-7',
  source_timestamp: '2026-11-15 12:00:00',
  updated_at: '2026-11-15T09:05:00Z',
  destination: 'BR-1',
  order_status: 'Out for delivery',
  payment_status: 'completed',
  fulfillment_status: 'partial',
  fulfillment_method: 'delivery',
  payment_method: 'cash',
  customer_name: 'Sara',
  customer_phone: '+966500000000',
  skus: ['HON-1'],
  products: [{ product_id: 'P1', sku_id: 'HON-1', name: 'عسل', quantity: 1.5, price: 40.1 }],
  discounts_amount: 5.15,
  delivery_fee: 10,
  vat_amount: 8.49,
  total_amount: 65,
  currency: 'sar',
  shipping_address: { line1: 'King Fahd Road', city: 'Riyadh', floor: 3, inner: { deep: true } },
};
const read = (order: object) => {
  return orderIn(generic.read(callOf(order), RIYADH));
};

describe('a call', () => {
  const body = Buffer.from('{"id":"1"}');
  const signature = createHmac('sha256', 'shh').update(body).digest('hex');
  const verify = (headers: Record<string, string>, webhook_secret?: string) =>
    generic.app.inbound?.verify(callOf(body, { headers }), {
      settings: { ...(webhook_secret !== undefined && { webhook_secret }) },
      ingestToken: 'ours',
      ingestUrl: '',
      now: RIYADH.receivedAt,
    });

  test('is proven by our token or by a signature, and a wrong signature by nothing', () => {
    expect(verify({ 'x-ingest-token': 'ours' })).toBe(true);
    expect(verify({ 'x-ingest-token': 'ours' }, 'shh')).toBe(true);
    expect(verify({ 'x-signature': `sha256=${signature}` }, 'shh')).toBe(true);
    expect(verify({ 'x-signature': `SHA256=${signature.toUpperCase()}` }, 'shh')).toBe(true);
    expect(verify({ 'x-signature': signature }, 'shh')).toBe(false);
    expect(verify({ 'x-signature': `sha256=${signature}` }, 'other')).toBe(false);
    expect(verify({ 'x-signature': `sha256=${signature}` })).toBe(false);
    expect(verify({ 'x-signature': 'sha256=00', 'x-ingest-token': 'ours' }, 'shh')).toBe(false);
    expect(verify({})).toBe(false);
  });

  test('an install needs no secret of its own; one whose vendor signs does', () => {
    const needing = CHANNELS.filter(({ app }) => needsWebhookSecret(app)).map(({ app }) => app.slug);
    expect(needing).not.toContain('generic');
    expect(needing).toContain('square');
    expect(needing).toContain('woocommerce');
  });
});

describe('an order', () => {
  test('is taken as it is told', () => {
    const order = read(MADE);
    expect(order).toMatchObject({
      id: '9007199254740993',
      reference: 'INV-7',
      placedAt: new Date('2026-11-15T09:00:00Z'),
      revision: 1_794_733_500_000_000n,
      status: 'DISPATCHED',
      paymentStatus: 'paid',
      fulfillmentStatus: 'Partial',
      fulfillmentMethod: 'delivery',
      paymentMethod: 'cash',
      currency: 'SAR',
      storeId: 'BR-1',
      isVatIncluded: true,
      shippingAddress: { line1: 'King Fahd Road', city: 'Riyadh', floor: 3 },
      lines: [{ productId: 'P1', sku: 'HON-1', name: 'عسل' }],
    });
    expect(order.lines.map(({ quantity, unitPrice }) => [toText(quantity), toText(unitPrice)])).toEqual([
      ['1.5', '40.1'],
    ]);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test('may have its VAT on top, by its sum or by its word', () => {
    expect(read({ ...MADE, total_amount: 73.49 }).isVatIncluded).toBe(false);
    expect(read({ ...MADE, prices_include_vat: false }).isVatIncluded).toBe(false);
  });

  test.each([
    ['received NEW Accepted confirmed processing preparing', 'RECEIVED', undefined],
    ['pending pending_payment awaiting-payment', 'RECEIVED', 'pending'],
    ['ready Ready-For-Pickup READY_FOR_PICKUP', 'READY_FOR_PICKUP', undefined],
    ['dispatched shipped out_for_delivery Picked-Up', 'DISPATCHED', undefined],
    ['delivered completed FULFILLED', 'DELIVERED', undefined],
    ['cancelled canceled rejected', 'CANCELLED', undefined],
    ['whatever constructor __proto__', undefined, undefined],
  ])('%s: %s, %s', (words, status, paymentStatus) => {
    for (const order_status of words.split(' '))
      expect(read({ ...MADE, order_status, payment_status: undefined })).toMatchObject({ status, paymentStatus });
  });

  test.each([
    ['completed paid CAPTURED', 'paid'],
    ['pending processing authorized', 'pending'],
    ['refunded', 'refunded'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
    ['whatever', undefined],
  ])('payment %s: %s', (words, paymentStatus) => {
    for (const payment_status of words.split(' '))
      expect(read({ ...MADE, payment_status }).paymentStatus).toBe(paymentStatus);
  });

  test('goes by its version where it has one, by its id where it has no other', () => {
    const { source_transaction_id, source_reference, ...rest } = MADE;
    expect(read({ ...rest, id: 'A1', version: 12 })).toMatchObject({ id: 'A1', reference: 'A1', revision: 12n });
    expect(() => read(rest)).toThrow(expect.objectContaining({ code: 'missing', path: 'id' }));
  });

  test('in an event of ours is read too; other events are not for us', () => {
    const event = { event_type: 'order.updated', event_id: 'evt_1', order: MADE };
    expect(generic.read(callOf(event), RIYADH)).toMatchObject({ kind: 'order', event: 'order.updated' });
    expect(generic.app.inbound?.findDeliveryId?.(callOf(event))).toBe('evt_1');
    expect(generic.read(callOf({ event: 'order.deleted', order: { id: 1 } }), RIYADH)).toMatchObject({
      kind: 'change',
      orderId: '1',
      status: 'CANCELLED',
    });
    expect(generic.read(callOf({ event_type: 'webhook.test' }), RIYADH).kind).toBe('ignored');
  });

  test.each([
    ['no total', { total_amount: null }, 'missing', 'total_amount'],
    ['a total below zero', { total_amount: -1 }, 'unexpected', 'total_amount'],
    ['a price that is none', { products: [{ product_id: 1, price: 'free' }] }, 'unexpected', 'products.0.price'],
    ['a line of nothing', { products: [{}] }, 'missing', 'products.0.product_id'],
    ['a list of orders', { orders: [] }, 'unexpected', ''],
  ])('with %s cannot be read, and says where', (_what, more, code, path) => {
    expect(() => read({ ...MADE, ...more })).toThrow(expect.objectContaining({ code, path }));
  });
});

test('whatever comes is read, or it is said why not', () => {
  readsAnything((payload) => generic.read(callOf(payload), RIYADH), [MADE]);
});
