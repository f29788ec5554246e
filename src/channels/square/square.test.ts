import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import { toText } from '../../platform/money.ts';
import { amountsDiffer, type ChannelOrder, type PushedOrder } from '../contract.ts';
import { absentTotalOf, callOf, orderIn, RIYADH } from '../testing/calls.ts';
import { readsAnything } from '../testing/odd-payloads.ts';
import { samplesOf } from '../testing/samples.ts';
import { byRoute, pushedOrder, vendorOf } from '../testing/vendor.ts';
import { square } from './index.ts';

const ID = 'eA3vssLHKJrv9H0IdJCM3gNqfdcZY';
const sar = (amount: number) => ({ amount, currency: 'SAR' });
const PICKUP = {
  uid: 'f1',
  type: 'PICKUP',
  state: 'PROPOSED',
  pickup_details: {
    schedule_type: 'SCHEDULED',
    pickup_at: '2026-11-15T10:00:00Z',
    note: 'Ring twice',
    recipient: { display_name: 'Sara', phone_number: '+966500000000', email_address: 'sara@example.com' },
  },
};
const MADE = {
  id: ID,
  location_id: 'L1',
  state: 'OPEN',
  version: 7,
  created_at: '2026-11-15T09:00:00.123Z',
  updated_at: '2026-11-15T09:05:00Z',
  line_items: [
    {
      uid: 'u1',
      catalog_object_id: 'CAT1',
      name: 'Latte',
      variation_name: 'Large',
      quantity: '2',
      base_price_money: sar(1500),
      modifiers: [
        { name: 'Oat milk', quantity: '1', base_price_money: sar(300) },
        { name: 'Shot', quantity: '2', base_price_money: sar(200) },
      ],
    },
    { uid: 'u2', name: 'Beans', variation_name: 'Regular', quantity: '0.333', base_price_money: sar(799) },
  ],
  taxes: [{ uid: 't', type: 'INCLUSIVE', applied_money: sar(500) }],
  service_charges: [
    { name: 'Delivery fee', applied_money: sar(1000) },
    { name: 'Packaging', applied_money: sar(200) },
  ],
  total_discount_money: sar(400),
  total_tax_money: sar(500),
  total_service_charge_money: sar(1200),
  total_tip_money: sar(250),
  // 44.00 + 2.66 - 4.00 + 12.00 + 2.50
  total_money: sar(5716),
  fulfillments: [PICKUP],
};
const notice = (type: string, object: object) => ({ type, event_id: 'evt-1', data: { id: ID, object } });
const readOrder = (order: object) => {
  return orderIn(square.readOrder?.(readerOf({ order }), RIYADH));
};

describe('a call', () => {
  const body = Buffer.from(JSON.stringify(notice('order.created', {})));
  const ours = 'https://dukkan.example.com/ingest/1';
  const sign = (url: string) => createHmac('sha256', 'shh').update(url).update(body).digest('base64');
  const verify = (given: string | undefined, settings: object, bytes = body) =>
    square.app.inbound?.verify(callOf(bytes, { headers: given ? { 'x-square-hmacsha256-signature': given } : {} }), {
      settings: { webhook_secret: 'shh', ...settings },
      ingestToken: 't',
      ingestUrl: ours,
      now: RIYADH.receivedAt,
    });

  test('is proven by the HMAC of its address and its bytes', () => {
    expect(verify(sign(ours), {})).toBe(true);
    expect(verify(sign(ours), { notification_url: '' })).toBe(true);
    expect(verify(sign('https://proxy.example.com/'), { notification_url: 'https://proxy.example.com/' })).toBe(true);
    expect(verify(sign(ours), { notification_url: 'https://proxy.example.com/' })).toBe(false);
    expect(verify(sign(ours), {}, Buffer.from(`${body} `))).toBe(false);
    expect(verify(sign(''), {})).toBe(false);
    expect(verify(undefined, {})).toBe(false);
    expect(verify(sign(ours), { webhook_secret: undefined })).toBe(false);
  });

  test('has the id of its event', () => {
    expect(square.app.inbound?.findDeliveryId?.(callOf(body))).toBe('evt-1');
    expect(square.app.inbound?.findDeliveryId?.(callOf('not json'))).toBeUndefined();
  });

  test.each([
    ['order.created', { order_created: { order_id: ID } }, 'fetch'],
    ['order.updated', {}, 'fetch'],
    ['order.fulfillment.updated', { order_fulfillment_updated: { order_id: ID } }, 'fetch'],
    ['payment.updated', { payment: { order_id: ID } }, 'fetch'],
    ['refund.created', { refund: { order_id: ID } }, 'fetch'],
    ['payment.created', { payment: {} }, 'ignored'],
    ['inventory.count.updated', { inventory_counts: [] }, 'ignored'],
  ])('%s of %j: %s', (type, object, kind) => {
    expect(square.read(callOf(notice(type, object)), RIYADH)).toMatchObject({
      kind,
      event: type,
      ...(kind === 'fetch' && { orderId: ID }),
    });
  });
});

describe('an order', () => {
  test('is in major units, its modifiers part of their line', () => {
    const order = readOrder(MADE);
    expect(order).toMatchObject({
      id: ID,
      reference: ID,
      revision: 7n,
      placedAt: new Date('2026-11-15T09:00:00.123Z'),
      promisedFor: new Date('2026-11-15T10:00:00Z'),
      isPreorder: true,
      storeId: 'L1',
      comment: 'Ring twice',
      currency: 'SAR',
      isVatIncluded: true,
      fulfillmentMethod: 'pickup',
      customer: { name: 'Sara', phone: '+966500000000', email: 'sara@example.com' },
    });
    expect(
      order.lines.map(({ name, productId, unitPrice, quantity }) => [
        name,
        productId,
        toText(unitPrice),
        toText(quantity),
      ]),
    ).toEqual([
      ['Latte (Large, Oat milk, 2 × Shot)', 'CAT1', '22.00', '2'],
      ['Beans', 'u2', '7.99', '0.333'],
    ]);
    expect(
      [order.totalAmount, order.deliveryFee, order.serviceFee, order.discountsAmount, order.vatAmount].map(toText),
    ).toEqual(['57.16', '10.00', '4.50', '4.00', '5.00']);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test('in dinars has three digits, in yen none', () => {
    const of = (currency: string) =>
      toText(readOrder({ ...MADE, total_money: { amount: 5716, currency } }).totalAmount);
    expect([of('KWD'), of('JPY')]).toEqual(['5.716', '5716']);
  });

  test('with taxes inside and on top adds up', () => {
    const taxes = [...MADE.taxes, { type: 'ADDITIVE', applied_money: sar(100) }];
    const order = readOrder({ ...MADE, taxes, total_tax_money: sar(600), total_money: sar(5816) });
    expect(order.isVatIncluded).toBe(false);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test('whose total does not have the tip yet adds up too', () => {
    expect(amountsDiffer(readOrder({ ...MADE, total_money: sar(5466) }), 'SAR')).toBe(false);
  });

  test.each([
    ['PICKUP', 'PROPOSED', 'RECEIVED'],
    ['PICKUP', 'RESERVED', 'RECEIVED'],
    ['DELIVERY', 'PREPARED', 'READY_FOR_PICKUP'],
    ['PICKUP', 'COMPLETED', 'DELIVERED'],
    ['DELIVERY', 'COMPLETED', 'DELIVERED'],
    ['SHIPMENT', 'COMPLETED', 'DISPATCHED'],
    ['SHIPMENT', 'CANCELED', 'CANCELLED'],
    ['PICKUP', 'FAILED', 'CANCELLED'],
    ['PICKUP', 'constructor', 'RECEIVED'],
  ])('%s %s is %s', (type, state, status) => {
    expect(readOrder({ ...MADE, fulfillments: [{ uid: 'f', type, state }] }).status).toBe(status);
  });

  test.each([
    ['OPEN', 'RECEIVED'],
    ['COMPLETED', 'DELIVERED'],
    ['CANCELED', 'CANCELLED'],
    ['SOMETHING', undefined],
  ])('%s without a fulfilment is %s', (state, status) => {
    expect(readOrder({ ...MADE, state, fulfillments: [] }).status).toBe(status);
  });

  test('in several parts is as far as the last of them, and a draft is none yet', () => {
    const of = (...states: string[]) =>
      readOrder({ ...MADE, fulfillments: states.map((state) => ({ uid: state, type: 'PICKUP', state })) }).status;
    expect(of('COMPLETED', 'PREPARED')).toBe('READY_FOR_PICKUP');
    expect(of('COMPLETED', 'CANCELED')).toBe('DELIVERED');
    const draft = { ...MADE, state: 'DRAFT', fulfillments: undefined };
    expect(square.readOrder?.(readerOf({ order: draft }), RIYADH)).toMatchObject({ kind: 'ignored', orderId: ID });
  });

  const card = (status: string, amount = 5716) => ({
    type: 'CARD',
    amount_money: sar(amount),
    card_details: { status },
  });
  test.each<[string, object, ChannelOrder['paymentStatus']]>([
    ['nothing tendered', {}, 'pending'],
    ['a card held', { tenders: [card('AUTHORIZED')] }, 'pending'],
    ['a card charged', { tenders: [card('CAPTURED')] }, 'paid'],
    ['half of it charged', { tenders: [card('CAPTURED', 2000)] }, 'pending'],
    ['cash', { tenders: [{ type: 'CASH', amount_money: sar(5716) }] }, 'paid'],
    ['a card let go', { tenders: [card('VOIDED')] }, 'cancelled'],
    ['a card refused', { tenders: [card('FAILED')] }, 'failed'],
    ['done', { state: 'COMPLETED' }, 'paid'],
    ['called off', { state: 'CANCELED' }, 'cancelled'],
    ['nothing due', { net_amount_due_money: sar(0) }, 'paid'],
    ['some given back', { state: 'COMPLETED', refunds: [{ status: 'APPROVED', amount_money: sar(5715) }] }, 'paid'],
    ['all given back', { state: 'COMPLETED', refunds: [{ status: 'APPROVED', amount_money: sar(5716) }] }, 'refunded'],
    ['not yet given back', { state: 'COMPLETED', refunds: [{ status: 'PENDING', amount_money: sar(5716) }] }, 'paid'],
    ['all returned', { state: 'COMPLETED', return_amounts: { total_money: sar(5716) } }, 'refunded'],
  ])('%s', (_what, more, paymentStatus) => {
    expect(readOrder({ ...MADE, ...more }).paymentStatus).toBe(paymentStatus);
  });

  test('has the fees of its service charges where their sum is not told, and no tip that is not in the total', () => {
    const { total_service_charge_money, ...rest } = MADE;
    const order = readOrder({ ...rest, total_money: sar(5466) });
    expect([order.deliveryFee, order.serviceFee].map(toText)).toEqual(['10.00', '2.00']);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test('without a total says where it is missing', () => {
    const { total_money, ...rest } = MADE;
    const reading = square.readOrder?.(readerOf({ order: rest }), RIYADH);
    expect(absentTotalOf(reading)).toBe('order.total_money.amount');
  });
});

describe('asking Square', () => {
  test('a return leads to the order it is of', async () => {
    const vendor = vendorOf(
      byRoute({
        'GET /v2/orders/back': { order: { id: 'back', returns: [{ source_order_id: ID }] } },
        [`GET /v2/orders/${ID}`]: { order: MADE },
      }),
    );
    expect(await square.fetchOrder?.('back', vendor.client, {})).toEqual({ order: MADE });
    expect(await square.fetchOrder?.(ID, vendor.client, {})).toEqual({ order: MADE });
  });

  test('goes with a token', () => {
    expect(square.credentials?.({ access_token: 'EAAA' })).toMatchObject({ headers: { authorization: 'Bearer EAAA' } });
    expect(square.credentials?.({})).toEqual({ kind: 'missing', setting: 'access_token' });
  });
});

describe('telling Square', () => {
  const push = async (status: PushedOrder['status'], now: object, known: unknown = { order: now }) => {
    const vendor = vendorOf(byRoute({ [`GET /v2/orders/${ID}`]: { order: now }, [`PUT /v2/orders/${ID}`]: {} }));
    const isUpdated = await square.push?.(pushedOrder({ id: ID, status, payload: known }), vendor.client, {});
    return { isUpdated, calls: vendor.calls };
  };

  test('names the version there is now, and each part that is still open', async () => {
    const fulfillments = [PICKUP, { uid: 'f2', type: 'PICKUP', state: 'CANCELED' }];
    const { isUpdated, calls } = await push('READY_FOR_PICKUP', { ...MADE, version: 9, fulfillments }, { order: MADE });
    expect(isUpdated).toBe(true);
    expect(calls[1]).toMatchObject({
      method: 'PUT',
      json: { order: { location_id: 'L1', version: 9, fulfillments: [{ uid: 'f1', state: 'PREPARED' }] } },
    });
  });

  test('the same change of the same version has the same key', async () => {
    const keys = await Promise.all(
      [7, 7, 8].map(async (version) => (await push('DELIVERED', { ...MADE, version })).calls[1]?.json),
    );
    const [one, again, other] = keys.map((json) => (json as { idempotency_key: string }).idempotency_key);
    expect(one).toBe(again);
    expect(one).not.toBe(other);
  });

  test.each<[PushedOrder['status'], string, string | undefined]>([
    ['RECEIVED', 'PICKUP', 'RESERVED'],
    ['DELIVERED', 'DELIVERY', 'COMPLETED'],
    ['CANCELLED', 'PICKUP', 'CANCELED'],
    ['DISPATCHED', 'SHIPMENT', 'COMPLETED'],
    ['DISPATCHED', 'DELIVERY', undefined],
  ])('%s of %s: %s', async (status, type, state) => {
    const { isUpdated, calls } = await push(status, { ...MADE, fulfillments: [{ uid: 'f', type, state: 'PROPOSED' }] });
    expect(isUpdated).toBe(state !== undefined);
    if (state !== undefined) expect(calls[1]?.json).toMatchObject({ order: { fulfillments: [{ uid: 'f', state }] } });
    else expect(calls).toEqual([]);
  });

  test('a sale over the counter can only be called off', async () => {
    const sale = { ...MADE, fulfillments: undefined };
    expect((await push('CANCELLED', sale)).calls[1]?.json).toMatchObject({ order: { state: 'CANCELED', version: 7 } });
    expect((await push('DELIVERED', sale)).isUpdated).toBe(false);
    expect((await push('DELIVERED', sale, undefined)).isUpdated).toBe(false);
  });
});

describe('payloads as they came', () => {
  const samples = samplesOf('square');
  const orders = samples.filter(({ json }) => json.order !== undefined).map(({ name, json }) => [name, json.order]);
  test.each([['ours', MADE], ...orders])('%s adds up', (_name, json) => {
    const order = readOrder(json);
    expect(amountsDiffer(order, order.currency ?? 'SAR')).toBe(false);
  });

  const events = samples.filter(({ json }) => json.type !== undefined).map(({ name, json }) => [name, json]);
  test.each([['ours', notice('order.created', {})], ...events])('%s is a notice', (_name, json) => {
    expect(square.read(callOf(json), RIYADH).kind).toBe('fetch');
  });
});

test('whatever comes is read, or it is said why not', () => {
  const event = notice('payment.updated', { payment: { order_id: ID } });
  readsAnything((payload) => square.read(callOf(payload), RIYADH), [event, { order: MADE }]);
  readsAnything((payload) => square.readOrder?.(readerOf(parseExactJson(payload)), RIYADH), [MADE]);
});
