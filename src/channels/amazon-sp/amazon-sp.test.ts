import { describe, expect, test } from 'vitest';
import { parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import { toText } from '../../platform/money.ts';
import { amountsDiffer } from '../contract.ts';
import { ID, ITEM, MADE } from '../testing/amazon-order.ts';
import { absentTotalOf, callOf, orderIn, RIYADH } from '../testing/calls.ts';
import { readsAnything } from '../testing/odd-payloads.ts';
import { samplesOf } from '../testing/samples.ts';
import { amazonSp } from './index.ts';

const NOTICE = {
  NotificationType: 'ORDER_CHANGE',
  Payload: { OrderChangeNotification: { AmazonOrderId: ID, Summary: { OrderStatus: 'Unshipped' } } },
  NotificationMetadata: { NotificationId: 'd0e9e693' },
};
const readOrder = (order: object, items: object[] = [ITEM]) => {
  const parsed = amazonSp.readOrder?.(readerOf({ ...order, OrderItems: items }), RIYADH);
  if (parsed === undefined) throw new Error('not parsed');
  return parsed;
};

describe('a notification', () => {
  const inbound = amazonSp.app.inbound;
  const context = { settings: {}, ingestToken: 'ours', ingestUrl: '', now: RIYADH.receivedAt };

  test('is verified by the ingest token, in a header or in the URL', () => {
    expect(inbound?.verify(callOf(NOTICE, { headers: { 'x-ingest-token': 'ours' } }), context)).toBe(true);
    expect(inbound?.verify(callOf(NOTICE, { query: { token: 'ours' } }), context)).toBe(true);
    expect(inbound?.verify(callOf(NOTICE, { headers: { 'x-ingest-token': 'theirs' } }), context)).toBe(false);
    expect(inbound?.verify(callOf(NOTICE), context)).toBe(false);
    expect(inbound?.verify(callOf(NOTICE, { query: { token: '' } }), { ...context, ingestToken: '' })).toBe(false);
  });

  test('has a delivery id; invalid input has none', () => {
    expect(inbound?.findDeliveryId?.(callOf(NOTICE))).toBe('d0e9e693');
    expect(inbound?.findDeliveryId?.(callOf({ detail: NOTICE }))).toBe('d0e9e693');
    for (const garbage of ['', '{', '[[', '{"NotificationMetadata":{"NotificationId":{}}}'])
      expect(inbound?.findDeliveryId?.(callOf(garbage))).toBeUndefined();
  });

  test.each([
    ['as it is', NOTICE],
    ['through EventBridge', { 'detail-type': 'ORDER_CHANGE', detail: NOTICE }],
    ['through SNS', { Type: 'Notification', Message: JSON.stringify(NOTICE) }],
    ['as an order', { payload: MADE }],
  ])('%s requests a fetch of the order', (_how, body) => {
    expect(amazonSp.read(callOf(body), { ...RIYADH, settings: { access_token: 'Atza|now' } })).toMatchObject({
      kind: 'fetch',
      orderId: ID,
    });
  });

  test('of another kind is ignored', () => {
    const offer = { NotificationType: 'ANY_OFFER_CHANGED', Payload: {} };
    expect(amazonSp.read(callOf(offer), RIYADH)).toEqual({ kind: 'ignored', event: 'ANY_OFFER_CHANGED' });
  });
});

describe('an order', () => {
  test('has exact amounts that include tax', () => {
    const order = orderIn(readOrder(MADE));
    expect(order).toMatchObject({
      id: ID,
      reference: ID,
      placedAt: new Date('2026-11-15T08:00:00Z'),
      revision: 1_794_731_400_000_000n,
      currency: 'SAR',
      isVatIncluded: true,
      storeId: 'A17E79C6D8DWNP',
      customer: { name: 'Sara Al-Otaibi' },
      paymentMethod: 'credit_card',
      fulfillmentMethod: 'shipping',
      lines: [{ productId: 'B000HONEY1', sku: 'HON-1' }],
    });
    expect(order.lines.map(({ unitPrice }) => toText(unitPrice))).toEqual(['33.333333']);
    expect([order.vatAmount, order.deliveryFee, order.discountsAmount].map(toText)).toEqual([
      '14.61',
      '12.00',
      '10.00',
    ]);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test('with tax on top is recognised by its sum', () => {
    const reading = readOrder({ ...MADE, OrderTotal: { CurrencyCode: 'USD', Amount: '116.61' } });
    expect(reading).toMatchObject({ order: { isVatIncluded: false } });
    expect(reading.kind === 'order' && amountsDiffer(reading.order, 'USD')).toBe(false);
  });

  test.each([
    ['Pending', 'RECEIVED', 'pending', 'None'],
    ['PendingAvailability', 'RECEIVED', 'pending', 'None'],
    ['Unshipped', 'RECEIVED', 'paid', 'None'],
    ['InvoiceUnconfirmed', 'RECEIVED', 'paid', 'None'],
    ['PartiallyShipped', 'DISPATCHED', 'paid', 'Partial'],
    ['Shipped', 'DISPATCHED', 'paid', 'Full'],
    ['Canceled', 'CANCELLED', 'cancelled', 'None'],
    ['Unfulfillable', undefined, undefined, undefined],
    ['constructor', undefined, undefined, undefined],
  ])('%s is %s, %s, %s', (OrderStatus, status, paymentStatus, fulfillmentStatus) => {
    expect(readOrder({ ...MADE, OrderStatus })).toMatchObject({ order: { status, paymentStatus, fulfillmentStatus } });
  });

  test('with cash on delivery is not paid before it is shipped', () => {
    const cash = { ...MADE, PaymentMethod: 'COD' };
    expect(readOrder(cash)).toMatchObject({ order: { paymentStatus: 'pending', paymentMethod: 'cash' } });
    expect(readOrder({ ...cash, OrderStatus: 'Shipped' })).toMatchObject({ order: { paymentStatus: 'paid' } });
  });

  test('without a total is ignored, a cancellation, or does not mention the total', () => {
    const { OrderTotal, ...rest } = MADE;
    const { ItemPrice, ...unpriced } = ITEM;
    const pending = { ...rest, OrderStatus: 'Pending' };
    expect(readOrder(pending, [unpriced])).toMatchObject({ kind: 'ignored', orderId: ID });
    const priced = readOrder(pending);
    expect(priced.kind === 'order' && toText(priced.order.totalAmount)).toBe('102.00');
    expect(readOrder({ ...rest, OrderStatus: 'Canceled' })).toMatchObject({ kind: 'change', status: 'CANCELLED' });
    expect(absentTotalOf(readOrder(rest))).toBe('OrderTotal.Amount');
  });
});

test('a complete order is parsed, and a partial one if the install cannot fetch', () => {
  const KEYS = { access_token: 'Atza|now' };
  const readWith = (settings: object, body: object) => amazonSp.read(callOf(body), { ...RIYADH, settings });
  expect(readWith(KEYS, { payload: { ...MADE, OrderItems: [ITEM] } })).toMatchObject({
    kind: 'order',
    order: { id: ID },
  });
  expect(readWith(KEYS, { payload: MADE })).toMatchObject({ kind: 'fetch', orderId: ID });
  expect(readWith({}, { payload: MADE })).toMatchObject({ kind: 'order', order: { id: ID, lines: [] } });
});

describe('an order of the 2026-01-01 API', () => {
  const money = (amount: string, currencyCode = 'SAR') => ({ amount, currencyCode });
  const part = (type: string, amount: string) => ({ type, subtotal: money(amount) });
  const NEWER = {
    orderId: ID,
    createdTime: '2026-11-15T08:00:00Z',
    lastUpdatedTime: '2026-11-15T08:30:00Z',
    programs: ['PRIME'],
    salesChannel: { channelName: 'AMAZON', marketplaceId: 'A17E79C6D8DWNP' },
    buyer: { buyerName: 'Sara Al-Otaibi', buyerEmail: 'relay@marketplace.amazon.sa' },
    recipient: {
      deliveryAddress: {
        name: 'Noura',
        addressLine1: 'King Fahd Road',
        city: 'Riyadh',
        countryCode: 'SA',
        phone: '+9665',
      },
    },
    proceeds: {
      grandTotal: money('105.00'),
      breakdowns: [
        part('ITEM', '100.00'),
        part('SHIPPING', '12.00'),
        part('DISCOUNT', '-10.00'),
        part('TAX', '13.70'),
        part('DELIVERY_TIP', '3.00'),
      ],
    },
    payment: { paymentExecutions: [{ paymentMethod: 'CreditCard', paymentAmount: money('105.00') }] },
    fulfillment: {
      fulfillmentStatus: 'UNSHIPPED',
      fulfilledBy: 'MERCHANT',
      deliverByWindow: { latestDateTime: '2026-11-18T20:00:00Z' },
    },
    orderItems: [
      {
        orderItemId: '05015851154158',
        quantityOrdered: 3,
        product: { asin: 'B000HONEY1', title: 'Sidr honey', sellerSku: 'HON-1' },
        proceeds: { breakdowns: [part('ITEM', '100.00')] },
      },
    ],
  };
  const readNewer = (body: object, settings: object = {}) => amazonSp.read(callOf(body), { ...RIYADH, settings });
  const orderOf = (body: object) => {
    return orderIn(readNewer(body));
  };

  test('is parsed as pushed or fetched, with exact amounts', () => {
    const order = orderOf({ order: NEWER });
    expect(order).toMatchObject({
      id: ID,
      placedAt: new Date('2026-11-15T08:00:00Z'),
      revision: 1_794_731_400_000_000n,
      status: 'RECEIVED',
      paymentStatus: 'paid',
      currency: 'SAR',
      isVatIncluded: true,
      storeId: 'A17E79C6D8DWNP',
      customer: { name: 'Sara Al-Otaibi', email: 'relay@marketplace.amazon.sa', phone: '+9665' },
      receiver: { name: 'Noura' },
      shippingAddress: { line1: 'King Fahd Road', city: 'Riyadh', country: 'SA' },
      promisedFor: new Date('2026-11-18T20:00:00Z'),
      transportType: 'MFN',
      fulfillmentMethod: 'shipping',
      paymentMethod: 'credit_card',
      lines: [{ productId: 'B000HONEY1', sku: 'HON-1', name: 'Sidr honey' }],
    });
    const { totalAmount, discountsAmount, vatAmount, deliveryFee, serviceFee } = order;
    expect([totalAmount, discountsAmount, vatAmount, deliveryFee, serviceFee].map(toText)).toEqual([
      '105.00',
      '10.00',
      '13.70',
      '12.00',
      '3.00',
    ]);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
    for (const body of [NEWER, { payload: NEWER }, { payload: { order: NEWER } }]) expect(orderOf(body).id).toBe(ID);
    expect(amazonSp.readOrder?.(readerOf({ order: NEWER }), RIYADH)).toMatchObject({ order: { id: ID } });
  });

  test.each([
    ['PENDING', 'RECEIVED', 'pending', 'None'],
    ['PENDING_AVAILABILITY', 'RECEIVED', 'pending', 'None'],
    ['UNSHIPPED', 'RECEIVED', 'paid', 'None'],
    ['PARTIALLY_SHIPPED', 'DISPATCHED', 'paid', 'Partial'],
    ['SHIPPED', 'DISPATCHED', 'paid', 'Full'],
    ['CANCELLED', 'CANCELLED', 'cancelled', 'None'],
    ['UNFULFILLABLE', undefined, undefined, undefined],
  ])('%s is %s, %s, %s', (fulfillmentStatus, status, paymentStatus, shipped) => {
    const order = orderOf({ ...NEWER, fulfillment: { fulfillmentStatus } });
    expect([order.status, order.paymentStatus, order.fulfillmentStatus]).toEqual([status, paymentStatus, shipped]);
  });

  test('does not mention what includedData omits, and is pending with cash on delivery', () => {
    const { buyer, recipient, proceeds, ...rest } = NEWER;
    expect(absentTotalOf(readNewer(rest))).toBe('proceeds.grandTotal.amount');
    const { mentioned } = orderOf(rest);
    for (const part of ['customerName', 'customerEmail', 'receiverName', 'shippingAddress', 'deliveryFee'] as const)
      expect(mentioned.has(part), part).toBe(false);
    for (const part of ['lines', 'promisedFor', 'storeId'] as const) expect(mentioned.has(part), part).toBe(true);
    const cash = { paymentExecutions: [{ paymentMethod: 'CashOnDelivery' }] };
    expect(orderOf({ ...NEWER, payment: cash })).toMatchObject({ paymentStatus: 'pending', paymentMethod: 'cash' });
    expect(orderOf({ ...NEWER, programs: ['IN_STORE_PICK_UP', 'PREORDER'] })).toMatchObject({
      fulfillmentMethod: 'pickup',
      isPreorder: true,
    });
  });

  test('without a price is ignored, or a change if cancelled; a list is ignored', () => {
    const { proceeds, ...rest } = NEWER;
    const status = (fulfillmentStatus: string) => ({ ...rest, fulfillment: { fulfillmentStatus } });
    expect(readNewer(status('PENDING'))).toMatchObject({ kind: 'ignored', orderId: ID });
    expect(readNewer(status('CANCELLED'))).toMatchObject({ kind: 'change', status: 'CANCELLED' });
    expect(readNewer({ orders: [NEWER] })).toMatchObject({ kind: 'ignored', event: 'orders' });
  });

  test('of any shape is parsed or throws Unreadable', () =>
    readsAnything((payload) => amazonSp.read(callOf(payload), RIYADH), [{ order: NEWER }]));
});

describe('sample payloads', () => {
  test.each([...samplesOf('amazon-sp').map(({ name, json }): [string, unknown] => [name, json]), ['ours', NOTICE]])(
    '%s is a notice to fetch, or a list',
    (_name, json) => {
      expect(['fetch', 'ignored']).toContain(amazonSp.read(callOf(json), RIYADH).kind);
    },
  );

  test('an order without a price is ignored', () => {
    for (const { json } of samplesOf('amazon-sp').filter(({ name }) => name.endsWith('get_order.json')))
      expect(amazonSp.readOrder?.(readerOf(json), RIYADH).kind).toBe('ignored');
  });
});

test('any input is parsed or throws Unreadable', () => {
  readsAnything((payload) => amazonSp.read(callOf(payload), RIYADH), [NOTICE, { Message: '{}' }]);
  const order = { ...MADE, OrderItems: [ITEM] };
  readsAnything((payload) => amazonSp.readOrder?.(readerOf(parseExactJson(payload)), RIYADH), [order]);
});
