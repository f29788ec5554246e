import { describe, expect, test } from 'vitest';
import { parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import { toText } from '../../platform/money.ts';
import { type AppSettings, amountsDiffer, type OrderStatus, VendorRefused, VendorUnavailable } from '../contract.ts';
import { absentTotalOf, callOf, exactJson, orderIn, RIYADH } from '../testing/calls.ts';
import { readsAnything } from '../testing/odd-payloads.ts';
import { samplesOf } from '../testing/samples.ts';
import { pushedOrder, vendorOf } from '../testing/vendor.ts';
import { magento2 } from './index.ts';

const simple = { product_type: 'simple', is_virtual: 0, qty_shipped: 0, qty_canceled: 0 };
const MADE = {
  entity_id: 9_007_199_254_740_993n,
  increment_id: '000000003',
  state: 'processing',
  status: 'closed_exchange_success',
  store_id: 1,
  created_at: '2026-11-15 09:00:00',
  updated_at: '2026-11-15 09:05:00',
  order_currency_code: 'SAR',
  base_currency_code: 'USD',
  base_grand_total: 1,
  grand_total: 214.5,
  subtotal: 200,
  tax_amount: 24.5,
  shipping_amount: 10,
  discount_amount: -20,
  discount_tax_compensation_amount: 0,
  total_due: 214.5,
  customer_firstname: 'Sara',
  customer_lastname: 'Al-Otaibi',
  customer_email: 's@example.com',
  billing_address: { telephone: '+966500000002', street: ['King Fahd Rd'], city: 'Riyadh', country_id: 'SA' },
  payment: { method: 'cashondelivery' },
  items: [
    { ...simple, item_id: 1, product_id: 67, sku: 'MH01-S-Gray', name: 'Hoodie', price: 52, qty_ordered: 2 },
    { ...simple, item_id: 2, parent_item_id: 1, product_id: 56, sku: 'MH01-S-Gray', price: 0, qty_ordered: 2 },
    { ...simple, item_id: 3, product_id: 51, sku: 'KIT', name: 'Kit', price: 0, qty_ordered: 2 },
    { ...simple, item_id: 4, parent_item_id: 3, product_id: 29, sku: 'BALL', price: 27, qty_ordered: 2 },
    { ...simple, item_id: 5, parent_item: { item_id: 3 }, product_id: 21, sku: 'BRICK', price: 5, qty_ordered: 4 },
    { ...simple, item_id: 6, product_id: 9, sku: 'TEA', name: 'Tea', price: 14.6667, qty_ordered: 1.5 },
  ],
  extension_attributes: {
    shipping_assignments: [
      {
        shipping: {
          method: 'tablerate_bestway',
          address: {
            firstname: 'Noura',
            telephone: '+966500000001',
            street: ['1 Olaya', 'Floor 2'],
            city: 'Riyadh',
            region: 'Riyadh Region',
            postcode: '12345',
            country_id: 'SA',
          },
        },
      },
    ],
  },
};

const read = (body: unknown, settings: AppSettings = {}) => magento2.read(callOf(body), { ...RIYADH, settings });

test('a call is proven by the token we gave out, in its header or its address', () => {
  const verify = (more: object) =>
    magento2.app.inbound?.verify(
      { ...callOf(MADE), ...more },
      { settings: {}, ingestToken: 'tok', ingestUrl: '', now: RIYADH.receivedAt },
    );
  expect(verify({ headers: { 'x-ingest-token': 'tok' } })).toBe(true);
  expect(verify({ query: { token: 'tok' } })).toBe(true);
  expect(verify({ query: { token: 'tokk' } })).toBe(false);
  expect(verify({})).toBe(false);
});

describe('an order', () => {
  test('keeps its digits, its exact amounts and its instants', () => {
    const order = orderIn(read(MADE));
    expect(order).toMatchObject({
      id: '9007199254740993',
      reference: '000000003',
      placedAt: new Date('2026-11-15T09:00:00Z'),
      revision: 1794733500000000n,
      status: 'RECEIVED',
      paymentStatus: 'pending',
      fulfillmentStatus: 'None',
      currency: 'SAR',
      isVatIncluded: false,
      storeId: '1',
      customer: { name: 'Sara Al-Otaibi', phone: '+966500000002', email: 's@example.com' },
      receiver: { name: 'Noura', phone: '+966500000001' },
      shippingAddress: { line1: '1 Olaya', line2: 'Floor 2', region: 'Riyadh Region', country: 'SA' },
      fulfillmentMethod: 'shipping',
      paymentMethod: 'cash',
    });
    expect(toText(order.discountsAmount)).toBe('20');
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test('counts what was sold once: the configurable, not the one chosen; the bundle by its parts', () => {
    const order = orderIn(read(MADE));
    const lines = order.lines.map(({ productId, sku, quantity, unitPrice }) => [
      productId,
      sku,
      toText(quantity),
      toText(unitPrice),
    ]);
    expect(lines).toEqual([
      ['67', 'MH01-S-Gray', '2', '52'],
      ['51', 'KIT', '2', '37.000000'],
      ['9', 'TEA', '1.5', '14.6667'],
    ]);
  });

  test('with a discount off prices that include VAT adds up with it', () => {
    const order = orderIn(
      read({
        ...MADE,
        subtotal: 100,
        subtotal_incl_tax: 115,
        shipping_amount: 10,
        shipping_incl_tax: 11.5,
        discount_amount: -11.5,
        discount_tax_compensation_amount: 1.5,
        tax_amount: 15,
        grand_total: 115,
        items: [{ ...simple, item_id: 1, product_id: 1, price: 100, price_incl_tax: 115, qty_ordered: 1 }],
      }),
    );
    expect(order.isVatIncluded).toBe(true);
    expect([order.subtotal ?? order.totalAmount, order.lines[0]?.unitPrice ?? order.totalAmount].map(toText)).toEqual([
      '115',
      '115',
    ]);
    expect(amountsDiffer(order, 'SAR')).toBe(false);
  });

  test.each([
    ['new', { total_due: 214.5 }, 'RECEIVED', 'pending'],
    ['new', { total_due: 0 }, 'RECEIVED', 'paid'],
    ['pending_payment', {}, 'RECEIVED', 'pending'],
    ['payment_review', {}, 'RECEIVED', 'pending'],
    ['processing', { total_paid: 214.5 }, 'RECEIVED', 'paid'],
    ['processing', { total_paid: 214.49 }, 'RECEIVED', 'pending'],
    ['complete', { total_paid: 214.5 }, 'DELIVERED', 'paid'],
    ['complete', { total_paid: 214.5, total_refunded: 10 }, 'DELIVERED', 'paid'],
    ['closed', { total_refunded: 214.5 }, 'CANCELLED', 'refunded'],
    ['canceled', {}, 'CANCELLED', 'cancelled'],
    ['holded', {}, undefined, undefined],
    ['constructor', {}, undefined, undefined],
  ])('%s with %o is %s, %s', (state, more, status, paymentStatus) => {
    expect(read({ ...MADE, state, ...more })).toMatchObject({ order: { status, paymentStatus } });
  });

  test('complete means what the shop means by it', () => {
    expect(read({ ...MADE, state: 'complete' }, { completed_means: 'dispatched' })).toMatchObject({
      order: { status: 'DISPATCHED', fulfillmentStatus: 'Full' },
    });
  });

  test('is on its way when all of it was shipped, paid or not', () => {
    const shipped = (count: number) => ({
      ...MADE,
      items: MADE.items.map((item, index) => (index < count ? { ...item, qty_shipped: item.qty_ordered } : item)),
    });
    expect(read(shipped(6))).toMatchObject({
      order: { status: 'DISPATCHED', fulfillmentStatus: 'Full', paymentStatus: 'pending' },
    });
    expect(read(shipped(2))).toMatchObject({ order: { status: 'RECEIVED', fulfillmentStatus: 'Partial' } });
  });

  test('that is fetched from a place goes to its branch', () => {
    const collected = {
      ...MADE,
      extension_attributes: {
        pickup_location_code: 'olaya',
        shipping_assignments: [{ shipping: { method: 'instore_pickup' } }],
      },
    };
    expect(read(collected)).toMatchObject({ order: { fulfillmentMethod: 'pickup', storeId: '1' } });
    const ready = collected.items.map((item) => ({ ...item, qty_shipped: item.qty_ordered }));
    expect(read({ ...collected, items: ready })).toMatchObject({ order: { status: 'READY_FOR_PICKUP' } });
    expect(read(collected, { branches: { olaya: 'b1' } })).toMatchObject({ order: { storeId: 'olaya' } });
  });

  test('without a total says where it is missing', () => {
    const { grand_total, ...rest } = MADE;
    expect(absentTotalOf(read(rest))).toBe('grand_total');
  });

  test('is found under its name too; a document of one is a reason to look at it', () => {
    expect(read({ event: 'sales_order_save_after', order: MADE })).toMatchObject({
      event: 'sales_order_save_after',
      order: { reference: '000000003' },
    });
    const invoice = { entity_id: 3, order_id: 8, state: 2, grand_total: 165 };
    expect(read(invoice, { access_token: 't' })).toMatchObject({ kind: 'fetch', orderId: '8' });
    expect(read(invoice)).toMatchObject({ kind: 'ignored', orderId: '8' });
    expect(read({ orderIds: [6] }).kind).toBe('ignored');
  });
});

describe('a status', () => {
  const push = async (
    order: { status: OrderStatus; note?: string; fulfillmentMethod?: string },
    settings: AppSettings,
    answer?: Parameters<typeof vendorOf>[0],
  ) => {
    const { calls, client } = vendorOf(answer);
    const isUpdated = await magento2.push?.(pushedOrder({ id: '3', ...order }), client, settings);
    return { isUpdated, calls };
  };
  const REST = { api_base_url: 'https://shop.example/rest/default' };

  test('on its way ships what is left', async () => {
    expect(await push({ status: 'DISPATCHED' }, REST)).toEqual({
      isUpdated: true,
      calls: [{ method: 'POST', path: '/V1/order/3/ship', json: { notify: false } }],
    });
    const { calls } = await push({ status: 'DISPATCHED', note: 'Box 1' }, REST);
    expect(calls[0]?.json).toEqual({
      notify: false,
      appendComment: true,
      comment: { comment: 'Box 1', is_visible_on_front: 0 },
    });
  });

  test('ready is told of orders that are fetched', async () => {
    const ready = { status: 'READY_FOR_PICKUP', fulfillmentMethod: 'pickup' } as const;
    expect(await push(ready, REST, () => ({ successful: true, failed: [] }))).toEqual({
      isUpdated: true,
      calls: [{ method: 'POST', path: '/V1/order/notify-orders-are-ready-for-pickup', json: { orderIds: [3] } }],
    });
    await expect(push(ready, REST, () => ({ successful: false, failed: [{}] }))).rejects.toThrow(VendorRefused);
    expect(await push({ status: 'READY_FOR_PICKUP' }, REST)).toEqual({ isUpdated: false, calls: [] });
  });

  test.each<OrderStatus>(['RECEIVED', 'DELIVERED', 'CANCELLED'])('%s has no call', async (status) => {
    expect(await push({ status }, REST)).toEqual({ isUpdated: false, calls: [] });
  });

  test("finds the interface from the shop's own address, and does not look twice where it was given", async () => {
    const lost = (path: string) => (path.startsWith('/V1') ? new VendorRefused(404, 'no route') : true);
    const { isUpdated, calls } = await push(
      { status: 'DISPATCHED' },
      { api_base_url: 'https://shop.example' },
      (call) => lost(call.path),
    );
    expect(isUpdated).toBe(true);
    expect(calls.map(({ path }) => path)).toEqual(['/V1/order/3/ship', '/rest/V1/order/3/ship']);
    await expect(push({ status: 'DISPATCHED' }, REST, (call) => lost(call.path))).rejects.toThrow(VendorRefused);
    const down = new VendorUnavailable('down', true);
    await expect(push({ status: 'DISPATCHED' }, {}, () => down)).rejects.toBe(down);
  });

  test('can be looked up afterwards', async () => {
    const { calls, client } = vendorOf(() => parseExactJson(exactJson(MADE)));
    const found = await magento2.fetchOrder?.('3', client, REST);
    expect(calls).toEqual([{ method: 'GET', path: '/V1/orders/3' }]);
    expect(magento2.readOrder?.(readerOf(found), RIYADH)).toMatchObject({ order: { reference: '000000003' } });
    expect(magento2.credentials?.({})).toEqual({ kind: 'missing', setting: 'access_token' });
    expect(magento2.credentials?.({ access_token: 'x' })).toMatchObject({ headers: { authorization: 'Bearer x' } });
  });
});

test('what was paid with a gift card or credit is off what is left to pay', () => {
  const reading = read({ ...MADE, grand_total: 184.5, gift_cards_amount: 20, customer_balance_amount: 10 });
  if (reading.kind !== 'order') throw new Error(reading.kind);
  expect(toText(reading.order.discountsAmount)).toBe('50');
  expect(amountsDiffer(reading.order, 'SAR')).toBe(false);
});

describe('payloads as they came', () => {
  const samples = samplesOf('magento2');
  const orders = samples
    .filter(({ json }) => json.entity_id !== undefined && json.order_id === undefined)
    .map(({ name, json }): [string, unknown] => [name, json]);

  test.each([['one of our own', parseExactJson(exactJson(MADE))], ...orders])('%s: adds up', (_name, json) => {
    for (const reading of [magento2.readOrder?.(readerOf(json), RIYADH), read(json)]) {
      if (reading?.kind !== 'order') throw new Error(reading?.kind);
      expect(amountsDiffer(reading.order, reading.order.currency ?? 'SAR')).toBe(false);
    }
  });

  test.each(samples.filter(({ json }) => json.order_id !== undefined))('$name: a reason to look', ({ bytes }) => {
    expect(read(bytes, { access_token: 't' })).toMatchObject({ kind: 'fetch', orderId: '3' });
  });

  test.each(samples.filter(({ json }) => json.entity_id === undefined))('$name: nothing', ({ bytes }) => {
    expect(read(bytes).kind).toBe('ignored');
  });

  test('or spoilt: read, or it is said why not', () => {
    const all = [parseExactJson(exactJson(MADE)), ...samples.map(({ json }) => json)];
    readsAnything((payload) => read(payload), all);
  });
});
