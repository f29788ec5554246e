import { describe, expect, test } from 'vitest';
import { parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import { toText } from '../../platform/money.ts';
import { amountsDiffer, type PushedOrder, VendorUnavailable } from '../contract.ts';
import { absentTotalOf, callOf, orderIn, RIYADH } from '../testing/calls.ts';
import { readsAnything } from '../testing/odd-payloads.ts';
import { samplesOf } from '../testing/samples.ts';
import { byRoute, pushedOrder, vendorOf } from '../testing/vendor.ts';
import { amazonSp } from './index.ts';

const ID = '405-1234567-7654321';
const PATH = `/orders/v0/orders/${ID}`;
const sar = (Amount: string) => ({ CurrencyCode: 'SAR', Amount });
const ITEM = {
  ASIN: 'B000HONEY1',
  OrderItemId: '05015851154158',
  SellerSKU: 'HON-1',
  Title: 'Sidr honey',
  QuantityOrdered: 3,
  QuantityShipped: 0,
  ItemPrice: sar('100.00'),
  ItemTax: sar('13.04'),
  ShippingPrice: sar('12.00'),
  ShippingTax: sar('1.57'),
  PromotionDiscount: sar('10.00'),
};
const MADE = {
  AmazonOrderId: ID,
  PurchaseDate: '2026-11-15T08:00:00Z',
  LastUpdateDate: '2026-11-15T08:30:00Z',
  OrderStatus: 'Unshipped',
  FulfillmentChannel: 'MFN',
  PaymentMethod: 'Other',
  PaymentMethodDetails: ['Standard', 'CreditCard'],
  MarketplaceId: 'A17E79C6D8DWNP',
  OrderType: 'StandardOrder',
  OrderTotal: sar('102.00'),
  ShippingAddress: { Name: 'Sara', AddressLine1: 'King Fahd Road', City: 'Riyadh', CountryCode: 'SA' },
  BuyerInfo: { BuyerName: 'Sara Al-Otaibi', BuyerEmail: 'relay@marketplace.amazon.sa' },
};
const NOTICE = {
  NotificationType: 'ORDER_CHANGE',
  Payload: { OrderChangeNotification: { AmazonOrderId: ID, Summary: { OrderStatus: 'Unshipped' } } },
  NotificationMetadata: { NotificationId: 'd0e9e693' },
};
const readOrder = (order: object, items: object[] = [ITEM]) => {
  const reading = amazonSp.readOrder?.(readerOf({ ...order, OrderItems: items }), RIYADH);
  if (reading === undefined) throw new Error('no reading');
  return reading;
};

describe('a notice', () => {
  const inbound = amazonSp.app.inbound;
  const context = { settings: {}, ingestToken: 'ours', ingestUrl: '', now: RIYADH.receivedAt };

  test('is proven by the token we gave out, in a header or in the address', () => {
    expect(inbound?.verify(callOf(NOTICE, { headers: { 'x-ingest-token': 'ours' } }), context)).toBe(true);
    expect(inbound?.verify(callOf(NOTICE, { query: { token: 'ours' } }), context)).toBe(true);
    expect(inbound?.verify(callOf(NOTICE, { headers: { 'x-ingest-token': 'theirs' } }), context)).toBe(false);
    expect(inbound?.verify(callOf(NOTICE), context)).toBe(false);
    expect(inbound?.verify(callOf(NOTICE, { query: { token: '' } }), { ...context, ingestToken: '' })).toBe(false);
  });

  test('has an id of its own; garbage has none', () => {
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
  ])('%s has the order fetched', (_how, body) => {
    expect(amazonSp.read(callOf(body), { ...RIYADH, settings: { access_token: 'Atza|now' } })).toMatchObject({
      kind: 'fetch',
      orderId: ID,
    });
  });

  test('of something else is not for us', () => {
    const offer = { NotificationType: 'ANY_OFFER_CHANGED', Payload: {} };
    expect(amazonSp.read(callOf(offer), RIYADH)).toEqual({ kind: 'ignored', event: 'ANY_OFFER_CHANGED' });
  });
});

describe('an order', () => {
  test('has exact amounts, the tax inside', () => {
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

  test('with the tax on top is seen by its sum', () => {
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

  test('to be paid in cash is not paid before it is sent', () => {
    const cash = { ...MADE, PaymentMethod: 'COD' };
    expect(readOrder(cash)).toMatchObject({ order: { paymentStatus: 'pending', paymentMethod: 'cash' } });
    expect(readOrder({ ...cash, OrderStatus: 'Shipped' })).toMatchObject({ order: { paymentStatus: 'paid' } });
  });

  test('without a total is none yet, cancelled, or does not mention it', () => {
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

test('an order that comes whole is read, and half of one where nobody can be asked', () => {
  const KEYS = { access_token: 'Atza|now' };
  const readWith = (settings: object, body: object) => amazonSp.read(callOf(body), { ...RIYADH, settings });
  expect(readWith(KEYS, { payload: { ...MADE, OrderItems: [ITEM] } })).toMatchObject({
    kind: 'order',
    order: { id: ID },
  });
  expect(readWith(KEYS, { payload: MADE })).toMatchObject({ kind: 'fetch', orderId: ID });
  expect(readWith({}, { payload: MADE })).toMatchObject({ kind: 'order', order: { id: ID, lines: [] } });
});

describe('an order of the 2026-01-01 interface', () => {
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

  test('is read as it was pushed or fetched, with exact amounts', () => {
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

  test('keeps what includedData left out, and takes cash on delivery for unpaid', () => {
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

  test('without a price is none yet, and cancelled it is news of a cancellation; a list is not for us', () => {
    const { proceeds, ...rest } = NEWER;
    const status = (fulfillmentStatus: string) => ({ ...rest, fulfillment: { fulfillmentStatus } });
    expect(readNewer(status('PENDING'))).toMatchObject({ kind: 'ignored', orderId: ID });
    expect(readNewer(status('CANCELLED'))).toMatchObject({ kind: 'change', status: 'CANCELLED' });
    expect(readNewer({ orders: [NEWER] })).toMatchObject({ kind: 'ignored', event: 'orders' });
  });

  test('of any shape is read or refused', () =>
    readsAnything((payload) => amazonSp.read(callOf(payload), RIYADH), [{ order: NEWER }]));
});

describe('asking Amazon', () => {
  test('an order is put together from its pieces, without those we may not see', async () => {
    const { ShippingAddress, BuyerInfo, ...bare } = MADE;
    const vendor = vendorOf(
      byRoute({
        [`GET ${PATH}`]: { payload: bare },
        [`GET ${PATH}/orderItems`]: ({ query }: { query?: { NextToken?: string } }) =>
          query?.NextToken === 'more'
            ? { payload: { OrderItems: [{ ...ITEM, OrderItemId: '2' }] } }
            : { payload: { OrderItems: [ITEM], NextToken: 'more' } },
        [`GET ${PATH}/address`]: { payload: { AmazonOrderId: ID, ShippingAddress } },
      }),
    );
    expect(await amazonSp.fetchOrder?.(ID, vendor.client, {})).toMatchObject({
      AmazonOrderId: ID,
      OrderItems: [{ OrderItemId: '05015851154158' }, { OrderItemId: '2' }],
      ShippingAddress: { City: 'Riyadh' },
    });
    expect(vendor.calls.at(-1)?.path).toBe(`${PATH}/buyerInfo`);
  });

  test('a piece that is late holds up the whole', async () => {
    const late = new VendorUnavailable('slow', false);
    const { ShippingAddress, ...bare } = MADE;
    const vendor = vendorOf(
      byRoute({
        [`GET ${PATH}`]: { payload: bare },
        [`GET ${PATH}/orderItems`]: { payload: { OrderItems: [ITEM] } },
        [`GET ${PATH}/address`]: late,
      }),
    );
    await expect(amazonSp.fetchOrder?.(ID, vendor.client, {})).rejects.toBe(late);
  });

  test('a round of polling goes page by page and starts the next where it ended', async () => {
    const pages: Record<string, object> = {
      '': { Orders: [MADE], NextToken: 'two' },
      two: { Orders: [{ ...MADE, LastUpdateDate: '2026-11-15T08:45:00Z' }] },
    };
    const vendor = vendorOf(
      byRoute({
        'GET /orders/v0/orders': ({ query }: { query: { NextToken?: string } }) => ({
          payload: pages[query.NextToken ?? ''],
        }),
        [`GET ${PATH}/orderItems`]: { payload: { OrderItems: [ITEM] } },
      }),
    );
    const since = new Date('2026-11-15T08:00:00Z');
    const first = await amazonSp.poll?.({ cursor: undefined, since }, vendor.client, {});
    expect(vendor.calls[0]?.query).toMatchObject({
      MarketplaceIds: 'A17E79C6D8DWNP',
      LastUpdatedAfter: '2026-11-15T08:00:00.000Z',
    });
    // As listed: the items of each are fetched when it is read.
    expect(first).toMatchObject({ orders: [{ AmazonOrderId: ID }], hasMore: true });
    expect(vendor.calls).toHaveLength(1);
    const second = await amazonSp.poll?.({ cursor: first?.cursor, since }, vendor.client, {});
    expect(second).toMatchObject({ orders: [{}], hasMore: false });
    vendor.calls.length = 0;
    await amazonSp.poll?.({ cursor: second?.cursor, since }, vendor.client, { shop_id: 'A2VIGQ35RCS4UG' });
    expect(vendor.calls[0]?.query).toMatchObject({
      MarketplaceIds: 'A2VIGQ35RCS4UG',
      LastUpdatedAfter: '2026-11-15T08:45:00Z',
    });
  });

  test('a page token that has ended begins the round anew', async () => {
    const vendor = vendorOf(byRoute({}));
    const cursor = JSON.stringify({ after: '2026-11-15T08:00:00Z', token: 'old', newest: '2026-11-15T08:30:00Z' });
    await expect(amazonSp.poll?.({ cursor, since: new Date(0) }, vendor.client, {})).rejects.toThrow('Not found');
    expect(vendor.calls.map(({ query }) => query?.NextToken ?? query?.LastUpdatedAfter)).toEqual([
      'old',
      '2026-11-15T08:00:00Z',
    ]);
  });

  test('goes with a token: ours as it is, or one fetched from whoever plays Amazon', () => {
    expect(amazonSp.credentials?.({ access_token: 'Atza|now' })).toEqual({
      kind: 'headers',
      headers: { 'x-amz-access-token': 'Atza|now' },
    });
    const keys = { client_id: 'app', client_secret: 'shh' };
    const refreshed = amazonSp.credentials?.({ ...keys, access_token: 'Atzr|long' });
    expect(refreshed).toMatchObject({
      request: {
        baseUrl: 'https://api.amazon.com',
        path: '/auth/o2/token',
        form: { grant_type: 'refresh_token', refresh_token: 'Atzr|long', ...keys },
      },
    });
    const played = amazonSp.credentials?.({ ...keys, api_base_url: 'https://amazon.example.com' });
    if (played?.kind !== 'token') throw new Error(played?.kind);
    expect(played.request).not.toHaveProperty('baseUrl');
    expect(played.request.form).toMatchObject({ grant_type: 'client_credentials' });
    expect(played.read({ status: 200, json: { access_token: 'Atza|new', expires_in: 1800 } })).toEqual({
      headers: { 'x-amz-access-token': 'Atza|new' },
      livesForSeconds: 1800,
    });
    expect(() => played.read({ status: 200, json: undefined })).toThrow('access_token');
    expect(amazonSp.credentials?.({})).toEqual({ kind: 'missing', setting: 'access_token' });
    expect(amazonSp.credentials?.({ client_id: 'app' })).toEqual({ kind: 'missing', setting: 'client_secret' });
  });
});

describe('telling Amazon', () => {
  const pushed = (status: PushedOrder['status'], payload: object, note?: string) =>
    pushedOrder({ id: ID, status, payload, note, at: RIYADH.receivedAt });

  test('a parcel sent is a confirmed shipment', async () => {
    const vendor = vendorOf(byRoute({ [`POST ${PATH}/shipmentConfirmation`]: {} }));
    const order = pushed('DISPATCHED', { ...MADE, OrderItems: [ITEM] }, 'SMSA-290012345');
    expect(await amazonSp.push?.(order, vendor.client, {})).toBe(true);
    expect(vendor.calls).toMatchObject([
      {
        json: {
          marketplaceId: 'A17E79C6D8DWNP',
          packageDetail: {
            trackingNumber: 'SMSA-290012345',
            shipDate: '2026-11-15T09:00:00.000Z',
            orderItems: [{ orderItemId: '05015851154158', quantity: 3 }],
          },
        },
      },
    ]);
  });

  test('items that were never seen are asked for', async () => {
    const vendor = vendorOf(
      byRoute({
        [`GET ${PATH}/orderItems`]: { payload: { OrderItems: [ITEM] } },
        [`POST ${PATH}/shipmentConfirmation`]: {},
      }),
    );
    expect(await amazonSp.push?.(pushed('DISPATCHED', MADE, 'left at the door'), vendor.client, {})).toBe(true);
    expect(vendor.calls[1]?.json).toMatchObject({ packageDetail: { trackingNumber: 'ours' } });
  });

  test('nothing else is told, nor what Amazon sends itself', async () => {
    const vendor = vendorOf(byRoute({}));
    for (const status of ['RECEIVED', 'READY_FOR_PICKUP', 'DELIVERED', 'CANCELLED'] as const)
      expect(await amazonSp.push?.(pushed(status, MADE), vendor.client, {})).toBe(false);
    expect(await amazonSp.push?.(pushed('DISPATCHED', { ...MADE, FulfillmentChannel: 'AFN' }), vendor.client, {})).toBe(
      false,
    );
    expect(vendor.calls).toEqual([]);
  });
});

describe('payloads as they came', () => {
  test.each([...samplesOf('amazon-sp').map(({ name, json }): [string, unknown] => [name, json]), ['ours', NOTICE]])(
    '%s is a notice to fetch, or a list',
    (_name, json) => {
      expect(['fetch', 'ignored']).toContain(amazonSp.read(callOf(json), RIYADH).kind);
    },
  );

  test('an order without a price is none yet', () => {
    for (const { json } of samplesOf('amazon-sp').filter(({ name }) => name.endsWith('get_order.json')))
      expect(amazonSp.readOrder?.(readerOf(json), RIYADH).kind).toBe('ignored');
  });
});

test('whatever comes is read, or it is said why not', () => {
  readsAnything((payload) => amazonSp.read(callOf(payload), RIYADH), [NOTICE, { Message: '{}' }]);
  const order = { ...MADE, OrderItems: [ITEM] };
  readsAnything((payload) => amazonSp.readOrder?.(readerOf(parseExactJson(payload)), RIYADH), [order]);
});
