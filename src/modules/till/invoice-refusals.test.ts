import { beforeAll, describe, expect, it } from 'vitest';
import type { ReplyBody } from '../../../test/harness/index.ts';
import { newOrder } from '../orders/testing/new-order.ts';
import { FIRST_PREVIOUS_HASH } from './invoice-xml.ts';
import { openTill } from './testing/open-till.ts';

const { service, shop, ask, sell, setStock } = await openTill();
const { sql } = service;

type Fields = Record<string, unknown>;
const line = (price: number, more: Fields = {}) => ({
  product_id: 'UNKNOWN',
  sku_id: 'UNKNOWN',
  quantity: 1,
  price,
  ...more,
});
const taxed = (price: number, more: Fields = {}) => line(price, { product_id: 'TAXED', ...more });
const zeroRated = (price: number, more: Fields = {}) => line(price, { product_id: 'MEDICINE', ...more });
const NO_FEES = { discounts_amount: 0, delivery_fee: 0, service_fee: 0 };

async function placed(fields: Fields): Promise<string> {
  const reply = await ask('POST /orders', { body: newOrder({ destination: 'RUH-1', ...NO_FEES, ...fields }) });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data.id;
}
const invoice = (orderId: string) => ask(`POST /orders/${orderId}/invoice`);
const counters = () => sql`
  select branch_iv_id, last_number, last_hash from invoice_counters where organization_id = ${shop.id} order by 1`;

beforeAll(async () => {
  await setStock(1_000);
  await ask('POST /products', { body: { iv_id: 'TAXED', name_en: 'Taxed', average_price: 115, vat_value: 15 } });
  await ask('POST /products', { body: { iv_id: 'MEDICINE', name_en: 'Medicine', average_price: 50, vat_value: 0 } });
  await ask('POST /products', { body: { iv_id: 'ODD', name_en: 'Odd', average_price: 50, vat_value: 10 } });
});

describe('POST /orders/{id}/invoice returns 409 and uses no number for', () => {
  it.each<[string, Fields, string, string, Fields]>([
    [
      'lines of 100 and a total of 230',
      { products: [line(100)], vat_amount: 0, total_amount: 230 },
      'Amounts do not add up',
      'amounts_do_not_add_up',
      { lines_amount: 100, total_amount: 230, expected_total_with_vat_included: 100 },
    ],
    [
      'lines of 100 and a total of 230 with 15 % of it as VAT',
      { products: [line(100)], vat_amount: 30, total_amount: 230 },
      'Amounts do not add up',
      'amounts_do_not_add_up',
      { expected_total_with_vat_added: 130 },
    ],
    [
      'an order without totals',
      { products: [line(100)], vat_amount: undefined, total_amount: undefined },
      'Order without a total',
      'order_without_a_total',
      { total_amount: 0 },
    ],
    [
      'lines without prices and a total',
      { products: [{ product_id: 'P', sku_id: 'P' }], vat_amount: 15, total_amount: 115 },
      'Line without an amount',
      'line_without_an_amount',
      { line: 0, price: null },
    ],
    [
      'US dollars',
      { products: [line(100)], vat_amount: 15, total_amount: 115, currency: 'USD' },
      'Currency not supported',
      'currency_not_supported',
      { currency: 'USD', supported: ['SAR'] },
    ],
    [
      'Kuwaiti dinars',
      { products: [line(100)], vat_amount: 15, total_amount: 115, currency: 'KWD' },
      'Currency not supported',
      'currency_not_supported',
      { currency: 'KWD' },
    ],
    [
      'a refunded order',
      { products: [line(100)], vat_amount: 15, total_amount: 115, payment_status: 'refunded' },
      'Order refunded',
      'order_refunded',
      { payment_status: 'refunded' },
    ],
    [
      'a cancelled order',
      { products: [line(100)], vat_amount: 15, total_amount: 115, order_status: 'CANCELLED' },
      'Order cancelled',
      'order_cancelled',
      { order_status: 'CANCELLED' },
    ],
    [
      'no VAT on goods that the catalog taxes',
      { products: [taxed(115)], vat_amount: 0, total_amount: 115 },
      'VAT missing',
      'vat_missing',
      { vat_amount: 0, expected_vat_amount: 15, products: [{ product_id: 'TAXED', vat_value: 15 }] },
    ],
    [
      'no VAT on one of two goods that the catalog taxes, although the other is zero-rated',
      { products: [zeroRated(50), taxed(115)], vat_amount: 0, total_amount: 165 },
      'VAT missing',
      'vat_missing',
      { expected_vat_amount: 15 },
    ],
    [
      'VAT that is another share of the total',
      { products: [taxed(110)], vat_amount: 10, total_amount: 110 },
      'VAT does not agree',
      'vat_does_not_agree',
      { vat_amount: 10, expected_vat_amount: 14.35, prices_include_vat: true },
    ],
    [
      'VAT of a halala too much',
      { products: [taxed(100)], vat_amount: 13.05, total_amount: 100 },
      'VAT does not agree',
      'vat_does_not_agree',
      { expected_vat_amount: 13.04 },
    ],
    [
      'VAT above the total',
      { products: [line(10)], vat_amount: 11, total_amount: 10 },
      'VAT does not agree',
      'vat_does_not_agree',
      { vat_amount: 11 },
    ],
    [
      'a discount that is not part of the total',
      { products: [line(100)], discounts_amount: 20, vat_amount: 15, total_amount: 115 },
      'Amounts do not add up',
      'amounts_do_not_add_up',
      { discounts_amount: 20 },
    ],
    [
      'a fee that is not part of the total',
      { products: [line(115)], delivery_fee: 10, vat_amount: 15, total_amount: 115 },
      'Amounts do not add up',
      'amounts_do_not_add_up',
      { delivery_fee: 10, expected_total_with_vat_included: 125 },
    ],
    [
      'a rate that the authority does not know',
      { products: [line(110, { product_id: 'ODD' })], vat_amount: 10, total_amount: 110 },
      'VAT rate not supported',
      'vat_rate_not_supported',
      { vat_value: 10, supported: [0, 5, 15] },
    ],
    [
      'a total of half a halala',
      { products: [line(100.005)], vat_amount: 13.04, total_amount: 100.005 },
      'Total too precise',
      'total_too_precise',
      { total_amount: 100.005 },
    ],
  ])('%s', async (_name, fields, error, reason, figures) => {
    const orderId = await placed(fields);
    const before = await counters();
    const reply = await invoice(orderId);
    expect([reply.status, reply.body.error], reply.text).toEqual([409, error]);
    expect(reply.body.details).toMatchObject({ reason, explanation: expect.stringMatching(/\w/), ...figures });
    expect(reply.headers.get('x-error-reason')).toBe(reason.replaceAll('_', '-'));
    expect(await counters()).toEqual(before);
    expect((await ask(`GET /orders/${orderId}/invoice`)).status).toBe(404);
    const events = await sql`
      select 1 from order_changes where organization_id = ${shop.id} and order_id = ${orderId} and type = 'order.invoiced'`;
    expect(events).toEqual([]);
  });

  it('a till sale that was refunded or cancelled before its invoice; one that has its invoice keeps it', async () => {
    const sold = async () => (await sell({ lines: [{ sku_iv_id: 'BREAD_RUH-1', quantity: 2 }] })).body.data.id;
    const [refunded, kept] = [await sold(), await sold()];
    const { data } = (await invoice(kept)).body;
    for (const orderId of [refunded, kept]) {
      const patched = await ask(`PATCH /orders/${orderId}/status`, { body: { payment_status: 'refunded' } });
      expect(patched.status, patched.text).toBe(200);
    }
    expect((await invoice(refunded)).body.details).toMatchObject({ reason: 'order_refunded' });
    const again = await invoice(kept);
    expect([again.status, again.body.data]).toEqual([200, data]);
  });
});

describe('POST /orders/{id}/invoice returns 201 for', () => {
  it.each<[string, Fields, number]>([
    ['prices that include VAT', { products: [taxed(115)], vat_amount: 15, total_amount: 115 }, 15],
    ['prices that exclude VAT', { products: [taxed(100)], vat_amount: 15, total_amount: 115 }, 15],
    ['goods outside the catalog', { products: [line(100)], vat_amount: 13.04, total_amount: 100 }, 13.04],
    ['no VAT on zero-rated goods', { products: [zeroRated(50)], vat_amount: 0, total_amount: 50 }, 0],
    ['no VAT on goods that the catalog does not know', { products: [line(50)], vat_amount: 0, total_amount: 50 }, 0],
    [
      'zero-rated goods beside taxed ones',
      { products: [zeroRated(50), taxed(115)], vat_amount: 15, total_amount: 165 },
      15,
    ],
    [
      'zero-rated goods that are delivered for a fee',
      { products: [zeroRated(50)], delivery_fee: 11.5, vat_amount: 1.5, total_amount: 61.5 },
      1.5,
    ],
    ['goods not yet rated in the catalog', { products: [zeroRated(115)], vat_amount: 15, total_amount: 115 }, 15],
    [
      'a discount and both fees with VAT included',
      {
        products: [taxed(115, { quantity: 2 })],
        discounts_amount: 23,
        delivery_fee: 11.5,
        service_fee: 2.3,
        vat_amount: 28.8,
        total_amount: 220.8,
      },
      28.8,
    ],
    [
      'a discount and a fee with VAT added',
      { products: [taxed(100)], discounts_amount: 10, delivery_fee: 10, vat_amount: 15, total_amount: 115 },
      15,
    ],
    [
      'VAT that was rounded line by line',
      {
        products: [taxed(0.1), taxed(0.1), taxed(0.1)],
        vat_amount: 0.06,
        total_amount: 0.36,
      },
      0.05,
    ],
  ])('%s', async (_name, fields, vat) => {
    const orderId = await placed(fields);
    const reply = await invoice(orderId);
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data).toMatchObject({ total: fields.total_amount, vat });
  });
});

it('numbers have no gap and form one chain when accepted and refused orders are concurrent', async () => {
  await ask('POST /branches', { body: { iv_id: 'MIXED' } });
  const destination = 'MIXED';
  const good = { destination, products: [line(100)], vat_amount: 15, total_amount: 115 };
  const bad: Fields[] = [
    { ...good, total_amount: 230 },
    { ...good, currency: 'KWD' },
    { ...good, payment_status: 'refunded' },
    { ...good, products: [taxed(115)], vat_amount: 0 },
    { ...good, total_amount: undefined },
  ];
  const orders = await Promise.all(
    Array.from({ length: 40 }, (_, index) => placed(index % 2 === 0 ? good : (bad[index % bad.length] ?? good))),
  );
  const replies = await Promise.all(orders.map(invoice));
  expect(replies.map(({ status }) => status)).toEqual(orders.map((_, index) => (index % 2 === 0 ? 201 : 409)));
  const rows = await sql<ReplyBody[]>`
    select invoice_number, hash, previous_hash from invoices
    where organization_id = ${shop.id} and branch_iv_id = 'MIXED' order by position`;
  expect(rows.map((row) => row.invoice_number)).toEqual(
    rows.map((_, index) => `MIXED-${String(index + 1).padStart(6, '0')}`),
  );
  expect(rows).toHaveLength(20);
  expect(rows.map((row) => row.previous_hash)).toEqual([
    FIRST_PREVIOUS_HASH,
    ...rows.slice(0, -1).map((row) => row.hash),
  ]);
  const next = await invoice(await placed(good));
  expect(next.body.data.invoice_number).toBe('MIXED-000021');
});
