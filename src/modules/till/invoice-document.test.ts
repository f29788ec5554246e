import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal } from '../../platform/money.ts';
import type { Order } from '../orders/index.ts';
import { assessInvoice } from './invoice-amounts.ts';
import { FIRST_PREVIOUS_HASH } from './invoice-xml.ts';
import { qrOf } from './qr.ts';
import { readTlv } from './testing/read-tlv.ts';
import { nodesAt, textAt } from './testing/read-xml.ts';
import { amountsOf, CATALOG, orderOf, QR, xmlOf } from './testing/sample-invoice.ts';

describe('the assessment of an order', () => {
  const line = (price: number, product_id = 'UNKNOWN', quantity = 1) => ({ product_id, sku_id: 'S', price, quantity });
  const NOTHING = { discounts_amount: 0, delivery_fee: 0, service_fee: 0 };
  const assess = (fields: Partial<Order>) => assessInvoice(orderOf({ ...NOTHING, ...fields }), CATALOG);

  it.each<[string, Partial<Order>, object]>([
    [
      'VAT added to the price',
      { products: [line(100)], vat_amount: 15, total_amount: 115 },
      { vat: 1500n, extras: [] },
    ],
    ['VAT within the price', { products: [line(100)], vat_amount: 13.04, total_amount: 100 }, { vat: 1304n }],
    ['no VAT', { products: [line(100)], vat_amount: 0, total_amount: 100 }, { vat: 0n, net: 10_000n }],
    ['no VAT on zero-rated goods', { products: [line(9, 'ZERO')], vat_amount: 0, total_amount: 9 }, { vat: 0n }],
    [
      'VAT on goods whose vat_value is 0',
      { products: [line(115, 'ZERO')], vat_amount: 15, total_amount: 115 },
      { vat: 1500n, lines: [{ percent: decimal(15) }] },
    ],
    [
      'three rates',
      {
        products: [line(115, 'TAXED'), line(105, 'REDUCED'), line(50, 'ZERO')],
        vat_amount: 20,
        total_amount: 270,
      },
      { vat: 2000n, subtotals: [{ vat: 1500n }, { vat: 500n }, { vat: 0n, net: 5000n }] },
    ],
    [
      'a delivery fee',
      { products: [line(115)], delivery_fee: 23, vat_amount: 18, total_amount: 138 },
      { extras: [{ isCharge: true, reason: 'Delivery', net: 2000n }] },
    ],
    [
      'a discount above the goods, taken off the fee',
      { products: [line(10)], discounts_amount: 15, delivery_fee: 16.5, vat_amount: 1.5, total_amount: 11.5 },
      { total: 1150n, vat: 150n },
    ],
    [
      'a line without a quantity',
      { products: [{ product_id: 'UNKNOWN', sku_id: 'S', price: 115 }], vat_amount: 15, total_amount: 115 },
      { lines: [{ quantity: decimal(1) }] },
    ],
    ['half a halala', { products: [line(0.333, 'TAXED', 10)], vat_amount: 0.43, total_amount: 3.33 }, { total: 333n }],
  ])('issues: %s', (_name, fields, amounts) => {
    expect(assess(fields)).toMatchObject({ amounts });
  });

  it.each<[string, Partial<Order>, string]>([
    ['lines 100, total 230', { products: [line(100)], vat_amount: 0, total_amount: 230 }, 'Amounts do not add up'],
    ['a halala between', { products: [line(100)], vat_amount: 13.04, total_amount: 100.01 }, 'Amounts do not add up'],
    ['a discount above all', { products: [line(1)], discounts_amount: 2, total_amount: 0.01 }, 'Amounts do not add up'],
    ['no total', { products: [line(0)], vat_amount: 0, total_amount: 0 }, 'Order without a total'],
    ['all of it given away', { products: [line(9)], discounts_amount: 9, total_amount: 0 }, 'Order without a total'],
    ['no lines', { products: [], total_amount: 10 }, 'Order without lines'],
    ['a negative price', { products: [line(-1)], total_amount: 10 }, 'Line without an amount'],
    ['no VAT on taxed goods', { products: [line(115, 'TAXED')], vat_amount: 0, total_amount: 115 }, 'VAT missing'],
    ['15 % of a net as gross', { products: [line(100)], vat_amount: 15, total_amount: 100 }, 'VAT does not agree'],
    [
      'VAT on goods, none on the fee',
      { products: [line(115)], delivery_fee: 23, vat_amount: 15, total_amount: 138 },
      'VAT does not agree',
    ],
    ['ten percent', { products: [line(110, 'ODD')], vat_amount: 10, total_amount: 110 }, 'VAT rate not supported'],
    ['dollars', { currency: 'USD', products: [line(1)], total_amount: 1 }, 'Currency not supported'],
    ['cancelled', { order_status: 'canceled', products: [line(1)], total_amount: 1 }, 'Order cancelled'],
    ['rejected by the shop', { order_status: 'REJECTED', products: [line(1)], total_amount: 1 }, 'Order cancelled'],
    ['refunded', { payment_status: 'refunded', products: [line(1)], total_amount: 1 }, 'Order refunded'],
  ])('refuses: %s', (_name, fields, error) => {
    expect(assess({ vat_amount: 0, ...fields })).toMatchObject({ refusal: { error, figures: expect.any(Object) } });
  });
});

describe('the QR code', () => {
  it('holds tags 1 to 5 with lengths in bytes; values over 255 bytes are cut between characters', () => {
    const fits = 'صيدليات نجد المتحدة';
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (sellerName) => {
        const given = [sellerName.toWellFormed(), '300000000000003', '2026-11-15T08:00:00Z', '115.00', '15.00'];
        const [seller = '', vatNumber = '', issuedAt = '', total = '', vat = ''] = given;
        const [first, ...rest] = readTlv(qrOf({ sellerName: seller, vatNumber, issuedAt, total, vat }));
        expect(rest).toEqual(given.slice(1));
        expect(seller.startsWith(first ?? '?')).toBe(true);
        if (Buffer.byteLength(seller) <= 255) expect(first).toBe(seller);
        else expect(Buffer.byteLength(first ?? '')).toBeGreaterThan(251);
      }),
    );
    const of = (sellerName: string) => readTlv(qrOf({ ...QR, sellerName }))[0];
    expect(of(fits)).toBe(fits);
    expect(of('م'.repeat(255))).toBe('م'.repeat(127));
  });
});

it('starts a chain with the previous hash of ZATCA', () => {
  expect(FIRST_PREVIOUS_HASH).toBe(
    'NWZlY2ViNjZmZmM4NmYzOGQ5NTI3ODZjNmQ2OTZjNzljMmRiYzIzOWRkNGU5MWI0NjcyOWQ3M2EyN2ZiNTdlOQ==',
  );
});

it('replaces characters that XML does not allow, and escapes markup', () => {
  const products = [
    { product_id: 'P', sku_id: 'S', price: 1, quantity: 1, name: 'a\u0000\u000b<b>&amp;"\ud800 ]]>\r\n' },
  ];
  const root = xmlOf(amountsOf(orderOf({ products, total_amount: 1, vat_amount: 0 })));
  const [line] = nodesAt(root, 'cac:InvoiceLine');
  expect(line && textAt(line, 'cac:Item', 'cbc:Name')).toBe('a  <b>&amp;"\ufffd ]]>');
});
