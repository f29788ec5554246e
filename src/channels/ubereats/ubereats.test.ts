import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import { toText, ZERO } from '../../platform/money.ts';
import { amountsDiffer, type OrderStatus } from '../contract.ts';
import { absentTotalOf, callOf, exactJson, orderIn, RIYADH } from '../testing/calls.ts';
import { readsAnything } from '../testing/odd-payloads.ts';
import { samplesOf } from '../testing/samples.ts';
import { pushedOrder, vendorOf } from '../testing/vendor.ts';
import { ubereats } from './index.ts';

const money = (amount: number, currency_code = 'SAR') => ({ amount, currency_code, formatted_amount: '' });
const MADE = {
  id: 'f9f363d1-e1c2-4595-b477-c649845bc953',
  display_id: 'BC953',
  current_state: 'CREATED',
  type: 'DELIVERY_BY_UBER',
  placed_at: '2026-11-15T12:00:00+03:00',
  estimated_ready_for_pickup_at: '2026-11-15T12:20:00+03:00',
  store: { id: 'store-1', merchant_store_id: 'RUH-1' },
  eater: {
    first_name: 'Sara',
    last_name: 'O.',
    phone: '+966500000000',
    delivery: { location: { street_address: 'Olaya St 7', latitude: 24.7, longitude: 46.6, unit_number: '3' } },
  },
  cart: {
    special_instructions: 'no sugar',
    items: [
      {
        id: 'Muffin',
        title: 'Muffin',
        external_data: 'MUF-1',
        quantity: 2,
        price: { unit_price: money(350), base_unit_price: money(300) },
        selected_modifier_groups: [
          {
            title: 'Flavour',
            selected_items: [{ id: 'C', title: 'Chocolate', quantity: 1, price: { base_unit_price: money(50) } }],
          },
        ],
      },
      {
        id: 'Coffee',
        title: 'Coffee',
        quantity: 1,
        external_data: 'for the coffee machine',
        price: { base_unit_price: money(300) },
        selected_modifier_groups: [
          {
            selected_items: [
              {
                title: 'Milk',
                quantity: 2,
                price: { base_unit_price: money(25) },
                selected_modifier_groups: [
                  { selected_items: [{ title: 'Foam', price: { base_unit_price: money(10) } }] },
                ],
              },
            ],
          },
          { selected_items: null, removed_items: [{ title: 'Sugar', quantity: 0 }] },
        ],
      },
    ],
  },
  payment: {
    charges: {
      total: money(1847),
      sub_total: money(1070),
      tax: money(80),
      total_fee: money(697),
      delivery_fee: money(500),
    },
  },
  deliveries: [{ current_state: 'ARRIVED_AT_PICKUP' }],
};
const EVENT = {
  event_type: 'orders.notification',
  event_id: 'c4d2261e-2779-4eb6-beb0-cb41235c751e',
  event_time: 1_794_733_200,
  meta: { resource_id: MADE.id, status: 'pos', user_id: 'u' },
  resource_href: 'https://evil.example/v2/eats/order/1',
};

function orderOf(payload: unknown, settings = {}) {
  return orderIn(ubereats.readOrder?.(readerOf(parseExactJson(exactJson(payload))), { ...RIYADH, settings }));
}

describe('a call', () => {
  const body = Buffer.from(JSON.stringify(EVENT));

  test('is proven by the HMAC of its bytes, and by nothing else', () => {
    const verify = (headers: Record<string, string>, bytes = body) =>
      ubereats.app.inbound?.verify(
        { ...callOf(bytes), headers },
        { settings: { webhook_secret: 'key' }, ingestToken: 't', ingestUrl: '', now: RIYADH.receivedAt },
      );
    const signature = createHmac('sha256', 'key').update(body).digest('hex');
    expect(verify({ 'x-uber-signature': signature })).toBe(true);
    expect(verify({ 'x-uber-signature': signature }, Buffer.from(`${body} `))).toBe(false);
    expect(verify({ 'x-uber-signature': 'nonsense' })).toBe(false);
    expect(verify({})).toBe(false);
  });

  test('is the same delivery by its event, wants 200, and may be anything', () => {
    const findDeliveryId = (bytes: Buffer) => ubereats.app.inbound?.findDeliveryId?.(callOf(bytes));
    expect(findDeliveryId(body)).toBe(EVENT.event_id);
    for (const garbage of ['', '{', '[]', 'null', '{"event_id": {}}', `{"event_id": "${'x'.repeat(300)}"}`, '\xff']) {
      expect(findDeliveryId(Buffer.from(garbage, 'latin1'))).toBeUndefined();
    }
    expect(ubereats.app.inbound?.successStatus).toBe(200);
  });
});

describe('an event', () => {
  const read = (payload: unknown) => ubereats.read(callOf(payload), RIYADH);

  test.each(['orders.notification', 'orders.scheduled.notification', 'orders.release', 'orders.failure'])(
    '%s has the order fetched by its id, never by an address it brings',
    (event_type) =>
      expect(read({ ...EVENT, event_type })).toEqual({ kind: 'fetch', event: event_type, orderId: MADE.id }),
  );

  test('of a courier names its order', () => {
    const meta = { order_id: 'o-1', resource_id: 'd-1' };
    expect(read({ ...EVENT, event_type: 'delivery.state_changed', meta })).toMatchObject({
      kind: 'fetch',
      orderId: 'o-1',
    });
  });

  test('of a cancel says all there is to say, of a store nothing for us', () => {
    expect(read({ ...EVENT, event_type: 'orders.cancel' })).toEqual({
      kind: 'change',
      event: 'orders.cancel',
      orderId: MADE.id,
      revision: undefined,
      status: 'CANCELLED',
    });
    expect(read({ ...EVENT, event_type: 'store.provisioned' })).toEqual({
      kind: 'ignored',
      event: 'store.provisioned',
    });
  });

  test('that is the order itself is read as one', () => {
    expect(read(MADE)).toMatchObject({ kind: 'order', order: { id: MADE.id } });
    expect(read({ reason: 'Accepted' })).toEqual({ kind: 'ignored', event: 'notice' });
  });

  test('of any shape is read or refused', () =>
    readsAnything((payload) => ubereats.read(callOf(payload), RIYADH), [MADE, EVENT]));
});

describe('an order', () => {
  test('is told whole', () => {
    const order = orderOf(MADE);
    expect(order).toMatchObject({
      id: MADE.id,
      reference: 'BC953',
      placedAt: new Date('2026-11-15T09:00:00Z'),
      status: 'RECEIVED',
      paymentStatus: 'paid',
      currency: 'SAR',
      storeId: 'store-1',
      customer: { name: 'Sara O.', phone: '+966500000000' },
      shippingAddress: { line1: 'Olaya St 7', line2: '3', latitude: 24.7, longitude: 46.6 },
      comment: 'no sugar',
      promisedFor: new Date('2026-11-15T09:20:00Z'),
      orderType: 'DELIVERY_BY_UBER',
      fulfillmentMethod: 'delivery',
    });
    expect(
      order.lines.map(({ sku, name, quantity, unitPrice }) => [sku, name, toText(quantity), toText(unitPrice)]),
    ).toEqual([
      ['MUF-1', 'Muffin (Chocolate)', '2', '3.50'],
      ['Coffee', 'Coffee (2 × Milk, 2 × Foam)', '1', '3.70'],
    ]);
    expect([order.totalAmount, order.subtotal ?? ZERO, order.deliveryFee, order.serviceFee].map(toText)).toEqual([
      '18.47',
      '10.70',
      '5.00',
      '1.97',
    ]);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  const charged = (more: object) => orderOf({ ...MADE, payment: { charges: { ...MADE.payment.charges, ...more } } });

  test('is in minor units of its currency, but for an amount that has slipped', () => {
    expect(toText(charged({ total: money(18_470, 'KWD') }).totalAmount)).toBe('18.470');
    expect(toText(charged({ total: money(18, 'JPY') }).totalAmount)).toBe('18');
    expect(toText(charged({ total: money(18.47) }).totalAmount)).toBe('18.47');
  });

  test('has a promotion taken off, a tip where it is paid, and tax where it is in the prices', () => {
    const promoted = charged({
      sub_total_promo_applied: money(870),
      tax_promo_applied: money(65),
      total_promo_applied: money(1632),
    });
    expect([promoted.discountsAmount, promoted.totalAmount].map(toText)).toEqual(['2.00', '16.32']);
    expect(amountsDiffer(promoted, 'SAR')).toBe(false);
    const tipped = charged({ tip: money(300), total: money(2147) });
    expect([toText(tipped.serviceFee), amountsDiffer(tipped, 'SAR')]).toEqual(['4.97', false]);
    const feeTaxed = charged({ total_fee_tax: money(105), total: money(1952) });
    expect([toText(feeTaxed.vatAmount), amountsDiffer(feeTaxed, 'SAR')]).toEqual(['1.85', false]);
    expect(charged({ total: money(1767) }).isVatIncluded).toBe(true);
    expect(amountsDiffer(charged({ total: money(5000) }), 'SAR')).toBe(true);
  });

  test('is still to be paid only where the shop takes the cash itself', () => {
    const cash = { ...MADE, payment: { charges: { ...MADE.payment.charges, cash_amount_due: money(1847) } } };
    expect(orderOf(cash)).toMatchObject({ paymentStatus: 'paid', paymentMethod: 'cash' });
    expect(orderOf({ ...cash, type: 'DELIVERY_BY_RESTAURANT' })).toMatchObject({ paymentStatus: 'pending' });
    expect(orderOf({ ...cash, type: 'PICK_UP' })).toMatchObject({
      paymentStatus: 'pending',
      fulfillmentMethod: 'pickup',
    });
  });

  test.each<[string, string[], OrderStatus | undefined]>([
    ['CREATED', [], 'RECEIVED'],
    ['ACCEPTED', ['SCHEDULED'], 'RECEIVED'],
    ['ACCEPTED', ['EN_ROUTE_TO_PICKUP'], 'RECEIVED'],
    ['ACCEPTED', ['ARRIVED_AT_PICKUP'], 'RECEIVED'],
    ['ACCEPTED', ['EN_ROUTE_TO_DROPOFF'], 'DISPATCHED'],
    ['ACCEPTED', ['COMPLETED'], 'DELIVERED'],
    ['ACCEPTED', ['FAILED', 'EN_ROUTE_TO_DROPOFF'], 'DISPATCHED'],
    ['ACCEPTED', ['FAILED'], 'RECEIVED'],
    ['FINISHED', [], 'DELIVERED'],
    ['DENIED', [], 'CANCELLED'],
    ['CANCELED', ['EN_ROUTE_TO_DROPOFF'], 'CANCELLED'],
    ['UNKNOWN', [], undefined],
  ])('%s with couriers %o is %s', (current_state, couriers, status) => {
    const deliveries = couriers.map((state) => ({ current_state: state }));
    expect(orderOf({ ...MADE, current_state, deliveries }).status).toBe(status);
  });

  test('is for the shop that the settings name; without a total it cannot be read', () => {
    expect(orderOf(MADE, { branches: { 'RUH-1': 'b' } }).storeId).toBe('RUH-1');
    const { payment, ...rest } = MADE;
    expect(absentTotalOf(ubereats.readOrder?.(readerOf(rest), RIYADH))).toBe('payment.charges.total.amount');
    expect(() => orderOf({ ...MADE, payment: {} })).toThrow(
      expect.objectContaining({ code: 'missing', path: 'payment.charges.total.amount' }),
    );
  });
});

describe('the vendor', () => {
  test('is asked for an order, and told that it is taken or denied', async () => {
    const { client, calls } = vendorOf(() => MADE);
    expect(await ubereats.fetchOrder?.('a/b', client, {})).toEqual(MADE);
    const push = (status: OrderStatus, note?: string) =>
      ubereats.push?.(pushedOrder({ id: 'a/b', status, note }), client, {});
    expect(await push('RECEIVED')).toBe(true);
    expect(await push('CANCELLED', 'closed')).toBe(true);
    expect([await push('READY_FOR_PICKUP'), await push('DISPATCHED'), await push('DELIVERED')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(calls).toEqual([
      { method: 'GET', path: '/v2/eats/order/a%2Fb' },
      {
        method: 'POST',
        path: '/v1/eats/orders/a%2Fb/accept_pos_order',
        json: { reason: 'Accepted', external_reference_id: 'ours' },
      },
      {
        method: 'POST',
        path: '/v1/eats/orders/a%2Fb/deny_pos_order',
        json: { reason: { explanation: 'closed', code: 'OTHER' } },
      },
    ]);
  });

  test('hands out tokens elsewhere, whoever stands in for it in the same place', () => {
    const hostFor = (api_base_url?: string) => {
      const credentials = ubereats.credentials?.({
        client_id: 'me',
        client_secret: 'shh',
        ...(api_base_url === undefined ? {} : { api_base_url }),
      });
      if (credentials?.kind !== 'token') throw new Error('no token');
      expect(credentials.request).toMatchObject({
        method: 'POST',
        path: '/oauth/v2/token',
        form: { grant_type: 'client_credentials', client_id: 'me', client_secret: 'shh', scope: 'eats.order' },
      });
      return credentials.request.baseUrl;
    };
    expect(hostFor()).toBe('https://login.uber.com');
    expect(hostFor('https://api.uber.com/')).toBe('https://login.uber.com');
    expect(hostFor('https://simulator.example')).toBeUndefined();
    expect(hostFor('https://api.uber.com.evil.example')).toBeUndefined();
    expect(ubereats.credentials?.({ client_id: 'me' })).toEqual({ kind: 'missing', setting: 'client_secret' });
  });
});

describe('payloads as they came', () => {
  const samples = samplesOf('ubereats').map(({ name, json }): [string, typeof json] => [name, json]);

  test.each([['one of our own', MADE], ...samples.filter(([, json]) => json.cart !== undefined)])(
    '%s: adds up',
    (_name, json) => {
      const order = orderOf(json);
      expect(amountsDiffer(order, order.currency ?? 'SAR')).toBe(false);
    },
  );

  test.each([['one of our own', EVENT], ...samples.filter(([, json]) => json.event_type !== undefined)])(
    '%s: is fetched',
    (_name, json) => expect(ubereats.read(callOf(json), RIYADH).kind).toBe('fetch'),
  );
});
