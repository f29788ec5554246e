import { describe, expect, test } from 'vitest';
import { findChannel } from '../../channels/list.ts';
import { exactJson, RIYADH } from '../../channels/testing/calls.ts';
import { readPayload } from './read-payload.ts';
import type { QueuedPayload } from './sql/queue.ts';
import { wooOrder } from './testing/vendor.ts';

function read(slug: string, body: unknown, settings: object, fetched?: unknown) {
  const channel = findChannel(slug);
  if (channel === undefined) throw new Error(slug);
  const row = {
    method: 'POST',
    path: '',
    query: {},
    headers: {},
    payload: Buffer.from(exactJson(body)),
    fetched: fetched === undefined ? null : Buffer.from(exactJson(fetched)),
  } as unknown as QueuedPayload;
  return readPayload(channel, row, { ...RIYADH, settings });
}

const KEYS = { client_id: 'ck', client_secret: 'cs' };

describe('an order that came without its lines', () => {
  const { line_items, ...bare } = wooOrder();

  test.each([
    ['left out', bare],
    ['empty', { ...bare, line_items: [] }],
  ])('(%s) is fetched where the vendor can be asked', (_how, body) => {
    expect(read('woocommerce', body, KEYS)).toEqual({ kind: 'fetch', event: 'order.updated', orderId: '1' });
    expect(read('woocommerce', body, KEYS, wooOrder())).toMatchObject({
      kind: 'order',
      order: { lines: [{ sku: 'HON-1' }] },
    });
    // The vendor has none either: asking again would give the same.
    expect(read('woocommerce', body, KEYS, body)).toMatchObject({ kind: 'order', order: { lines: [] } });
  });

  test('is processed as it is without credentials, or with a total of zero', () => {
    expect(read('woocommerce', bare, {})).toMatchObject({ kind: 'order', order: { lines: [] } });
    expect(read('woocommerce', { ...bare, total: '0.00' }, KEYS)).toMatchObject({ kind: 'order' });
    expect(read('generic', { id: 1, total_amount: 5 }, {})).toMatchObject({ kind: 'order', order: { lines: [] } });
  });

  test('is fetched when its total is missing', () => {
    const { total, ...unpriced } = wooOrder();
    expect(read('woocommerce', unpriced, KEYS)).toMatchObject({ kind: 'fetch', orderId: '1' });
  });

  test.each([
    ['shopify', { access_token: 'x' }, { id: 1, line_items: [], total_price: '5.00' }],
    ['salla', { access_token: 'x' }, { event: 'order.created', data: { id: 1, amounts: { total: { amount: 5 } } } }],
    ['magento2', { access_token: 'x' }, { entity_id: 1, grand_total: 5 }],
    ['foodics', { access_token: 'x' }, { event: 'order.created', order: { id: '1', status: 1, total_price: 5 } }],
    ['zid', { access_token: 'x', client_secret: 'y' }, { id: 1, order_total: '5.00' }],
    ['square', { access_token: 'x' }, { order: { id: '1', total_money: { amount: 500, currency: 'SAR' } } }],
    ['ubereats', KEYS, { id: '1', payment: { charges: { total: { amount: 500, currency_code: 'SAR' } } } }],
    [
      'amazon-sp',
      { access_token: 'Atza|x' },
      {
        payload: { AmazonOrderId: '1', OrderStatus: 'Unshipped', OrderTotal: { Amount: '5.00', CurrencyCode: 'SAR' } },
      },
    ],
  ])('of %s is fetched', (slug, settings, body) => {
    expect(read(slug, body, settings)).toMatchObject({ kind: 'fetch', orderId: '1' });
    expect(read(slug, body, {})).toMatchObject({ kind: 'order', order: { lines: [] } });
  });
});
