import { describe, expect, test } from 'vitest';
import { toText } from '../../platform/money.ts';
import { amountsDiffer, MissingCredentials, type OrderStatus } from '../contract.ts';
import { absentTotalOf, callOf, orderIn, RIYADH } from '../testing/calls.ts';
import { readsAnything } from '../testing/odd-payloads.ts';
import { pushedOrder, vendorOf } from '../testing/vendor.ts';
import { hungerstation } from './index.ts';

const MADE = {
  order_id: '9d4a63b5-3e07-4440-96af-aa04797da3a0',
  external_order_id: '123456789',
  order_code: '42',
  status: 'RECEIVED',
  order_type: 'DELIVERY',
  transport_type: 'LOGISTICS_DELIVERY',
  isPreorder: true,
  promised_for: '2026-11-15T12:30:00Z',
  comment: 'بدون كيس',
  client: { id: 'c-1', chain_id: 'chain 1', store_id: 'st-7', external_partner_config_id: 'ext-7' },
  customer: {
    first_name: 'Sara',
    last_name: 'Al-Otaibi',
    phone_number: '+966500000000',
    delivery_address: {
      street: 'King Fahd Rd',
      number: '12',
      city: 'Riyadh',
      latitude: 24.7,
      longitude: 46.6,
      floor: '3',
    },
  },
  items: [
    {
      _id: 'i-1',
      sku: 'MILK',
      name: 'Milk',
      status: 'IN_CART',
      pricing: { pricing_type: 'UNIT', unit_price: 5.75, quantity: 2, total_price: 11.5 },
    },
    {
      _id: 'i-2',
      sku: 'TOM',
      name: 'Tomatoes',
      barcode: ['6281'],
      pricing: { pricing_type: 'KG', unit_price: 8, quantity: 1, weight: 0.655, total_price: 5.24 },
    },
  ],
  payment: {
    type: 'PAID',
    sub_total: 16.74,
    delivery_fee: 10,
    service_fee: 1,
    discount: -2,
    total_taxes: 2.18,
    order_total: 25.74,
  },
  sys: { created_at: '2026-11-15T09:00:00', updated_at: '2026-11-15T09:05:00.250Z' },
};

const read = (order: unknown, settings = {}) => hungerstation.read(callOf(order), { ...RIYADH, settings });

function orderOf(payload: unknown, settings = {}) {
  return orderIn(read(payload, settings));
}

describe('a call', () => {
  const verify = (webhook_secret: string, authorization?: string) =>
    hungerstation.app.inbound?.verify(
      { ...callOf(MADE), headers: authorization === undefined ? {} : { authorization } },
      { settings: { webhook_secret }, ingestToken: 't', ingestUrl: '', now: RIYADH.receivedAt },
    );

  test('is proven by the configured header, whole, or by Basic of it', () => {
    expect(verify('s3cret', 's3cret')).toBe(true);
    expect(verify('Basic abc=', 'Basic abc=')).toBe(true);
    expect(verify('user:pass', `Basic ${Buffer.from('user:pass').toString('base64')}`)).toBe(true);
    expect(verify('s3cret', 'Bearer s3cret')).toBe(false);
    expect(verify('s3cret', 's3cre')).toBe(false);
    expect(verify('s3cret')).toBe(false);
    expect(verify('', '')).toBe(false);
  });
});

describe('an order', () => {
  test('is told whole', () => {
    const order = orderOf(MADE);
    expect(order).toMatchObject({
      id: MADE.order_id,
      reference: '42',
      placedAt: new Date('2026-11-15T09:00:00Z'),
      revision: 1794733500250000n,
      status: 'RECEIVED',
      paymentStatus: 'paid',
      currency: undefined,
      storeId: 'st-7',
      customer: { name: 'Sara Al-Otaibi', phone: '+966500000000' },
      shippingAddress: { line1: 'King Fahd Rd 12', line2: '3', city: 'Riyadh', latitude: 24.7, longitude: 46.6 },
      promisedFor: new Date('2026-11-15T12:30:00Z'),
      isPreorder: true,
      orderType: 'DELIVERY',
      transportType: 'LOGISTICS_DELIVERY',
      fulfillmentMethod: 'delivery',
      isVatIncluded: true,
    });
    expect(toText(order.discountsAmount)).toBe('2');
    expect(
      order.lines.map(({ sku, barcode, quantity, unitPrice }) => [sku, barcode, toText(quantity), toText(unitPrice)]),
    ).toEqual([
      ['MILK', undefined, '2', '5.75'],
      ['TOM', '6281', '0.655', '8'],
    ]);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test('counts a deposit, a topping up to the minimum and tax where the total shows them', () => {
    const payment = { ...MADE.payment, container_charge: 0.5, difference_to_minimum: 3 };
    expect(toText(orderOf({ ...MADE, payment }).serviceFee)).toBe('1');
    const charged = orderOf({ ...MADE, payment: { ...payment, order_total: 29.24 } });
    expect(toText(charged.serviceFee)).toBe('4.5');
    const withTax = orderOf({ ...MADE, payment: { ...MADE.payment, order_total: 27.92 } });
    expect([withTax.isVatIncluded, amountsDiffer(withTax, 'SAR')]).toEqual([false, false]);
    expect(amountsDiffer(orderOf({ ...MADE, payment: { ...MADE.payment, order_total: 99 } }), 'SAR')).toBe(true);
  });

  test('leaves out what was not found, unless nothing of it is to be had any more', () => {
    const items = [MADE.items[0], { ...MADE.items[1], status: 'NOT_FOUND' }];
    expect(orderOf({ ...MADE, items }).lines).toHaveLength(1);
    expect(orderOf({ ...MADE, items, status: 'CANCELLED' }).lines).toHaveLength(2);
  });

  test.each([
    ['RECEIVED', 'RECEIVED'],
    ['READY_FOR_PICKUP', 'READY_FOR_PICKUP'],
    ['DISPATCHED', 'DISPATCHED'],
    ['DELIVERED', 'DELIVERED'],
    ['CANCELLED', 'CANCELLED'],
    ['UPDATE_CART', undefined],
  ])('%s is %s', (status, ours) => {
    expect(orderOf({ ...MADE, status }).status).toBe(ours);
    const { order_id } = MADE;
    expect(read({ order_id, status })).toMatchObject(
      ours === undefined ? { kind: 'ignored', orderId: order_id } : { kind: 'change', orderId: order_id, status: ours },
    );
  });

  test('is paid only where it says so', () => {
    expect(orderOf({ ...MADE, payment: { ...MADE.payment, type: 'CASH' } })).toMatchObject({
      paymentStatus: 'pending',
      paymentMethod: 'cash',
    });
  });

  test('is for the shop that the settings name by any of its ids', () => {
    expect(orderOf(MADE, { branches: { 'ext-7': 'b' } }).storeId).toBe('ext-7');
  });

  test('without a total says where it is missing; the end of a catalog job is none', () => {
    expect(absentTotalOf(read({ ...MADE, payment: { type: 'PAID' } }))).toBe('payment.order_total');
    expect(() => read({ ...MADE, payment: {} })).toThrow(
      expect.objectContaining({ code: 'missing', path: 'payment.order_total' }),
    );
    expect(read({ job_id: 'j', job_status: 'COMPLETED' })).toEqual({ kind: 'ignored', event: 'job' });
  });

  test('of any shape is read or refused', () => readsAnything(read, [MADE]));
});

describe('the vendor is told', () => {
  const settings = { chain_id: 'ch/1' };
  const push = async (status: OrderStatus, more: object = {}, note?: string) => {
    const { client, calls } = vendorOf();
    const order = pushedOrder({ id: 'o 1', status, note, payload: { ...MADE, ...more } });
    return [await hungerstation.push?.(order, client, settings), calls] as const;
  };

  test('that an order is ready, with its items', async () => {
    const [isUpdated, [call]] = await push('READY_FOR_PICKUP');
    expect(isUpdated).toBe(true);
    expect(call).toEqual({
      method: 'PUT',
      path: '/v2/chains/ch%2F1/orders/o%201',
      json: {
        order_id: 'o 1',
        status: 'READY_FOR_PICKUP',
        items: MADE.items.map(({ _id, sku, pricing }) => ({ _id, sku, pricing, status: 'IN_CART' })),
      },
    });
  });

  test('that it is cancelled, with a reason of its own words and nothing found', async () => {
    const [, [call]] = await push('CANCELLED', {}, 'too_busy');
    expect(call?.json).toMatchObject({
      status: 'CANCELLED',
      items: [{ status: 'NOT_FOUND' }, { status: 'NOT_FOUND' }],
      cancellation: { reason: 'TOO_BUSY', cancelled_by: 'VENDOR' },
    });
    const [, [other]] = await push('CANCELLED', {}, 'we are tired');
    expect(other?.json).toMatchObject({ cancellation: { reason: 'ITEM_UNAVAILABLE' } });
  });

  test('nothing it has no word for', async () => {
    for (const [status, transport_type] of [
      ['RECEIVED', 'LOGISTICS_DELIVERY'],
      ['DELIVERED', 'VENDOR_DELIVERY'],
      ['READY_FOR_PICKUP', 'VENDOR_DELIVERY'],
      ['DISPATCHED', 'LOGISTICS_DELIVERY'],
    ] as const) {
      expect(await push(status, { transport_type })).toEqual([false, []]);
    }
    expect((await push('DISPATCHED', { transport_type: 'VENDOR_DELIVERY' }))[0]).toBe(true);
  });

  test('by the chain of the settings, else of the order', async () => {
    const { client, calls } = vendorOf();
    await hungerstation.push?.(pushedOrder({ id: 'o', status: 'CANCELLED', payload: MADE }), client, {});
    expect(calls[0]?.path).toBe('/v2/chains/chain%201/orders/o');
    await expect(hungerstation.push?.(pushedOrder({ status: 'CANCELLED' }), client, {})).rejects.toThrow(
      MissingCredentials,
    );
  });

  test('with a token for the account', () => {
    expect(hungerstation.credentials?.({})).toEqual({ kind: 'missing', setting: 'client_id' });
    const credentials = hungerstation.credentials?.({ client_id: 'me', client_secret: 'shh' });
    if (credentials?.kind !== 'token') throw new Error('no token');
    expect(credentials.request).toMatchObject({
      method: 'POST',
      path: '/v2/oauth/token',
      form: { grant_type: 'client_credentials', client_id: 'me', client_secret: 'shh' },
    });
    expect(credentials.read({ status: 200, json: { access_token: 'abc', expires_in: 60 } })).toEqual({
      headers: { authorization: 'Bearer abc' },
      livesForSeconds: 60,
    });
    for (const json of [undefined, {}, { access_token: 'a\r\nb' }, { access_token: 5 }]) {
      expect(() => credentials.read({ status: 200, json })).toThrow(expect.objectContaining({ code: 'missing' }));
    }
  });
});
