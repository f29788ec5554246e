import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { toText } from '../../platform/money.ts';
import { amountsDiffer, type OrderStatus } from '../contract.ts';
import { absentTotalOf, callOf, orderIn, RIYADH } from '../testing/calls.ts';
import { readsAnything } from '../testing/odd-payloads.ts';
import { samplesOf } from '../testing/samples.ts';
import { pushedOrder, vendorOf } from '../testing/vendor.ts';
import { deliverect } from './index.ts';

const MADE = {
  _id: '6655bf36f231f2d853bca910',
  _created: '2026-11-15T09:00:00.000000Z',
  _updated: '2026-11-15T09:00:05.123456Z',
  channelOrderId: 'CH-1000042',
  channelOrderDisplayId: '0042',
  location: 'loc-1',
  channelLink: 'link-1',
  posLocationId: '30458',
  status: 1,
  orderType: 2,
  deliveryIsAsap: false,
  pickupTime: '2026-11-15T11:00:00.000000Z',
  deliveryTime: '2026-11-15T11:30:00.000000Z',
  customer: { name: 'Sara', phoneNumber: '+966500000000', email: 'sara@example.com' },
  deliveryAddress: {
    street: 'Olaya St',
    streetNumber: '7',
    city: 'Riyadh',
    area: 'Olaya',
    postalCode: '12211',
    country: 'SA',
    extraAddressInfo: '3rd floor',
    coordinates: { coordinates: [46.6, 24.7] },
  },
  orderIsAlreadyPaid: false,
  payment: { amount: 6350, type: 1 },
  note: 'no onions',
  decimalDigits: 2,
  items: [
    {
      plu: 'COMBO',
      name: 'Combo',
      price: 1000,
      quantity: 2,
      subItems: [
        {
          plu: 'B',
          name: 'Burger',
          price: 500,
          quantity: 2,
          subItems: [{ plu: 'G', name: 'Gherkin', price: 50, quantity: 3 }],
        },
        { plu: 'S', name: 'Soda', price: 0, quantity: 1, subItems: [] },
      ],
    },
  ],
  deliveryCost: 1000,
  serviceCharge: 300,
  tip: 200,
  bagFee: 50,
  discountTotal: -200,
};

const read = (payload: unknown, settings = {}) => deliverect.read(callOf(payload), { ...RIYADH, settings });

function orderOf(payload: unknown, settings = {}) {
  return orderIn(read(payload, settings));
}

test('a call is proven by the HMAC of its bytes, in either header', () => {
  const body = Buffer.from(JSON.stringify(MADE));
  const verify = (headers: Record<string, string>, bytes = body) =>
    deliverect.app.inbound?.verify(
      { ...callOf(bytes), headers },
      { settings: { webhook_secret: 'key' }, ingestToken: 't', ingestUrl: '', now: RIYADH.receivedAt },
    );
  const signature = createHmac('sha256', 'key').update(body).digest('hex');
  expect(verify({ 'x-server-authorization-hmac-sha256': signature })).toBe(true);
  expect(verify({ 'x-deliverect-signature': signature.toUpperCase() })).toBe(true);
  expect(verify({ 'x-server-authorization-hmac-sha256': signature }, Buffer.from(`${body} `))).toBe(false);
  expect(verify({ 'x-server-authorization-hmac-sha256': `${signature.slice(2)}00` })).toBe(false);
  expect(verify({})).toBe(false);
});

describe('an order', () => {
  test('is told whole', () => {
    const order = orderOf(MADE);
    expect(order).toMatchObject({
      id: MADE._id,
      reference: '0042',
      placedAt: new Date('2026-11-15T09:00:00Z'),
      revision: 1794733205123000n,
      status: 'RECEIVED',
      paymentStatus: 'pending',
      paymentMethod: 'cash',
      currency: undefined,
      storeId: 'loc-1',
      customer: { name: 'Sara', phone: '+966500000000', email: 'sara@example.com' },
      shippingAddress: {
        line1: 'Olaya St 7',
        line2: '3rd floor',
        district: 'Olaya',
        postal_code: '12211',
        latitude: 24.7,
        longitude: 46.6,
      },
      comment: 'no onions',
      promisedFor: new Date('2026-11-15T11:30:00Z'),
      isPreorder: true,
      orderType: 'delivery',
      fulfillmentMethod: 'delivery',
    });
    // 10.00, two burgers of 5.00 and six gherkins of 0.50.
    expect(
      order.lines.map(({ sku, name, quantity, unitPrice }) => [sku, name, toText(quantity), toText(unitPrice)]),
    ).toEqual([['COMBO', 'Combo (2 × Burger, 6 × Gherkin, Soda)', '2', '23.00']]);
    expect([order.totalAmount, order.discountsAmount, order.deliveryFee, order.serviceFee].map(toText)).toEqual([
      '63.50',
      '2.00',
      '10.00',
      '5.50',
    ]);
  });

  test('adds up, or is said not to', () => {
    const adding = { ...MADE, payment: { amount: 5950 } };
    expect(amountsDiffer(orderOf(adding), 'SAR')).toBe(false);
    expect(amountsDiffer(orderOf(MADE), 'SAR')).toBe(true);
    const taxed = orderOf({ ...MADE, payment: { amount: 6642 }, taxTotal: 692, taxes: [{ total: 692 }] });
    expect([toText(taxed.vatAmount), taxed.isVatIncluded, amountsDiffer(taxed, 'SAR')]).toEqual(['6.92', false, false]);
    const remitted = orderOf({ ...adding, taxes: [{ total: 500 }, { total: 192 }], taxRemitted: 692 });
    expect([toText(remitted.vatAmount), remitted.isVatIncluded]).toEqual(['6.92', true]);
    const fees = { deliveryCostTax: 150, serviceChargeTax: 45 };
    const feesTaxed = orderOf({ ...MADE, payment: { amount: 6837 }, taxes: [{ total: 692 }], ...fees });
    expect([toText(feesTaxed.vatAmount), amountsDiffer(feesTaxed, 'SAR')]).toEqual(['8.87', false]);
    const tipped = orderOf({ ...adding, driverTip: 400 });
    expect([toText(tipped.serviceFee), amountsDiffer(tipped, 'SAR')]).toEqual(['5.50', false]);
  });

  test('is counted in as many digits as it says', () => {
    expect(toText(orderOf({ ...MADE, decimalDigits: 3 }).totalAmount)).toBe('6.350');
    expect(toText(orderOf({ ...MADE, decimalDigits: 0 }).totalAmount)).toBe('6350');
    expect(() => read({ ...MADE, decimalDigits: 40 })).toThrow(expect.objectContaining({ path: 'decimalDigits' }));
  });

  const TABLE: [OrderStatus | undefined, number[]][] = [
    ['RECEIVED', [1, 2, 3, 4, 10, 20, 25, 40, 50, 60]],
    ['READY_FOR_PICKUP', [70]],
    ['DISPATCHED', [80, 87, 89]],
    ['DELIVERED', [90, 95]],
    ['CANCELLED', [35, 100, 110, 115]],
    [undefined, [5, 30, 81, 83, 84, 85, 120, 121, 124, 999]],
  ];
  test.each(TABLE.flatMap(([ours, codes]) => codes.map((code) => [code, ours] as const)))('%s is %s', (code, ours) => {
    expect(orderOf({ ...MADE, status: code }).status).toBe(ours);
    expect(read({ orderId: MADE._id, status: code })).toMatchObject(
      ours === undefined ? { kind: 'ignored' } : { kind: 'change', orderId: MADE._id, status: ours },
    );
  });

  test('comes again as a cancel, later than whatever it says of its own change', () => {
    expect(orderOf({ ...MADE, status: 100 })).toMatchObject({ id: MADE._id, status: 'CANCELLED', revision: undefined });
    expect(read({ _id: MADE._id, channelOrderId: 'CH-1000042', status: 100 })).toEqual({
      kind: 'change',
      event: 'status.100',
      orderId: MADE._id,
      revision: undefined,
      status: 'CANCELLED',
    });
  });

  test.each([
    [1, 'pickup', 'pickup'],
    [2, 'delivery', 'delivery'],
    [3, 'eat_in', 'pickup'],
    [4, 'curbside', 'pickup'],
    [0, undefined, undefined],
  ])('of type %s is %s, %s', (orderType, word, fulfillmentMethod) => {
    expect(orderOf({ ...MADE, orderType })).toMatchObject({ orderType: word, fulfillmentMethod });
  });

  test('is for the shop that the settings name by any of its ids', () => {
    expect(orderOf(MADE, { branches: { '30458': 'b' } }).storeId).toBe('30458');
  });

  test('without a total says where it is missing', () => {
    expect(absentTotalOf(read({ ...MADE, payment: { type: 0 } }))).toBe('payment.amount');
    expect(() => read({ ...MADE, payment: { amount: null } })).toThrow(
      expect.objectContaining({ code: 'missing', path: 'payment.amount' }),
    );
    expect(read({ hello: 1 })).toEqual({ kind: 'ignored', event: 'notice' });
    expect(read({ status: 'PAUSED', locationId: 'l' })).toEqual({ kind: 'ignored', event: 'PAUSED' });
  });

  test('of any shape is read or refused', () => {
    readsAnything(read, [MADE, { _id: 'x', status: 100 }]);
  });
});

test('the vendor is told by a code', async () => {
  const { client, calls } = vendorOf();
  const statuses = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'CANCELLED'] as const;
  for (const status of statuses) {
    expect(await deliverect.push?.(pushedOrder({ id: 'a/b', status }), client, {})).toBe(true);
  }
  expect(calls.map(({ json }) => json)).toEqual([20, 70, 80, 90, 110].map((status) => ({ orderId: 'a/b', status })));
  expect(calls[0]).toMatchObject({ method: 'POST', path: '/orderStatus/a%2Fb' });
  await deliverect.push?.(pushedOrder({ status: 'CANCELLED', note: 'closed' }), client, {});
  expect(calls.at(-1)?.json).toMatchObject({ reason: 'closed' });
});

test('calls carry a token that was given, or one that is fetched', () => {
  expect(deliverect.credentials?.({})).toEqual({ kind: 'missing', setting: 'access_token' });
  expect(deliverect.credentials?.({ access_token: 'abc' })).toEqual({
    kind: 'headers',
    headers: { authorization: 'Bearer abc' },
  });
  const fetched = deliverect.credentials?.({ client_id: 'me', client_secret: 'shh' });
  expect(fetched).toMatchObject({ kind: 'token', request: { path: '/oauth/token', json: { client_id: 'me' } } });
});

describe('payloads as they came', () => {
  const samples = samplesOf('deliverect').map(({ name, json }): [string, typeof json] => [name, json]);
  const isOrder = (json: { items?: unknown }) => json.items !== undefined;

  test.each([
    ['one of our own', { ...MADE, payment: { amount: 5950 } }],
    ...samples.filter(([, json]) => isOrder(json)),
  ])('%s: adds up', (_name, json) => expect(amountsDiffer(orderOf(json), 'SAR')).toBe(false));

  test.each([['one of our own', { orderId: 'x', status: 110 }], ...samples.filter(([, json]) => !isOrder(json))])(
    '%s: is a change or nothing for us',
    (_name, json) => expect(['change', 'ignored']).toContain(read(json).kind),
  );
});
