import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, fromMinorUnits, toMinorUnits, toNumber } from '../../platform/money.ts';
import type { Order } from '../orders/index.ts';
import { type InvoiceAmounts, judgeInvoice } from './invoice-amounts.ts';
import { REFUSAL_SENTENCES } from './invoice-refusal.ts';
import { FIRST_PREVIOUS_HASH, type InvoiceHead, invoiceBody, invoiceXml } from './invoice-xml.ts';
import { includedVat, priceSale, totalOf } from './price-sale.ts';
import { qrOf } from './qr.ts';
import { readTlv } from './testing/read-tlv.ts';
import { nodesAt, readXml, textAt } from './testing/read-xml.ts';
import { totalFaults } from './testing/total-faults.ts';
import { faultsOf } from './testing/ubl-order.ts';

const price = fc.integer({ min: 0, max: 10_000_000 }).map((fils) => decimal(String(fils / 1000)));
const quantity = fc.oneof(
  fc.integer({ min: 1, max: 500 }).map((count) => decimal(count)),
  fc.integer({ min: 1, max: 99_999 }).map((grams) => decimal(String(grams / 1000))),
);
const vatPercent = fc.constantFrom(15, 15, 15, 5).map((percent) => decimal(percent));
const lines = fc.array(fc.record({ price, quantity, vatPercent }), { minLength: 1, maxLength: 12 });
const currency = fc.constantFrom('SAR', 'KWD', 'JPY');
const anyText = fc.string({ unit: 'binary', maxLength: 40 });

function orderOf(fields: Partial<Order>): Order {
  return {
    app_slug: 'api',
    organization_app_id: '',
    order_status: 'RECEIVED',
    payment_status: 'pending',
    currency: 'SAR',
    discounts_amount: 0,
    delivery_fee: 0,
    service_fee: 0,
    ...fields,
  } as Order;
}

const CATALOG = {
  products: new Map([
    ['TAXED', 15],
    ['REDUCED', 5],
    ['ZERO', 0],
    ['ODD', 10],
  ]),
  skus: new Map<string, number>(),
};

function amountsOf(order: Order): InvoiceAmounts {
  const judged = judgeInvoice(order, CATALOG);
  if ('refusal' in judged) throw new Error(JSON.stringify(judged.refusal));
  return judged.amounts;
}

const xmlOf = (amounts: InvoiceAmounts) => readXml(invoiceXml(headOf({}), invoiceBody(amounts)).xml);

function addsUp(amounts: InvoiceAmounts): void {
  const extras = totalOf(amounts.extras.map(({ isCharge, net }) => (isCharge ? net : -net)));
  expect(totalOf(amounts.lines.map(({ net }) => net)) + extras).toBe(amounts.net);
  expect(amounts.net + amounts.vat).toBe(amounts.total);
  expect(totalOf(amounts.subtotals.map(({ net }) => net))).toBe(amounts.net);
  expect(totalOf(amounts.subtotals.map(({ vat }) => vat))).toBe(amounts.vat);
  expect([...amounts.lines, ...amounts.extras].every(({ net }) => net >= 0n)).toBe(true);
}

describe('a sale', () => {
  it('comes to its lines less the discount, of which VAT is a part, whatever the currency', () => {
    fc.assert(
      fc.property(lines, currency, fc.integer({ min: 0, max: 1000 }), (sold, money, perMille) => {
        const { subtotal } = priceSale(sold, 0n, money);
        const discount = (subtotal * BigInt(perMille)) / 1000n;
        const sale = priceSale(sold, discount, money);
        expect(totalOf(sale.grosses)).toBe(subtotal);
        expect(sale.total).toBe(subtotal - discount);
        expect(totalOf(sale.groups.map((group) => group.discount))).toBe(discount);
        for (const group of sale.groups) expect(group.discount <= group.gross && group.discount >= 0n).toBe(true);
        const [only] = sale.groups;
        if (sale.groups.length === 1 && only) expect(sale.vat).toBe(includedVat(sale.total, only.percent));
        expect(sale.vat >= 0n && sale.vat <= sale.total).toBe(true);
      }),
    );
  });

  it('becomes an invoice of the same total and VAT, by rates', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 0, max: 1000 }), (sold, perMille) => {
        const { subtotal } = priceSale(sold, 0n, 'SAR');
        const discount = (subtotal * BigInt(perMille)) / 1000n;
        const sale = priceSale(sold, discount, 'SAR');
        const amount = (units: bigint) => toNumber(fromMinorUnits(units, 'SAR'));
        const order = orderOf({
          app_slug: 'till',
          total_amount: amount(sale.total),
          vat_amount: amount(sale.vat),
          discounts_amount: amount(discount),
          products: sold.map((line) => ({
            product_id: 'P',
            sku_id: 'P_B',
            price: toNumber(line.price),
            quantity: toNumber(line.quantity),
            vat_value: toNumber(line.vatPercent),
          })),
        });
        const amounts = amountsOf(order);
        addsUp(amounts);
        expect(amounts.subtotals).toHaveLength(sale.groups.length);
        expect({ total: amounts.total, vat: amounts.vat }).toEqual({ total: sale.total, vat: sale.vat });
        expect(totalFaults(xmlOf(amounts))).toEqual([]);
      }),
    );
  });
});

describe('an invoice of any order', () => {
  const money = fc.integer({ min: 0, max: 10_000_000 }).map((halalas) => halalas / 100);
  const amount = fc.oneof(fc.constant(0), money);
  const productId = fc.constantFrom('TAXED', 'ZERO', 'REDUCED', 'UNKNOWN');
  const anyOrder = fc.record({
    total_amount: money,
    vat_amount: amount,
    discounts_amount: amount,
    delivery_fee: amount,
    service_fee: amount,
    products: fc.array(
      fc.record({
        product_id: productId,
        sku_id: anyText.map((text) => `S${text}`),
        name: fc.option(anyText),
        price: fc.option(money, { nil: undefined }),
        quantity: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  });

  it('is refused, or its document adds up, whatever the order says', () => {
    fc.assert(
      fc.property(anyOrder, (fields) => {
        const judged = judgeInvoice(orderOf(fields), CATALOG);
        if ('refusal' in judged) expect(REFUSAL_SENTENCES).toContain(judged.refusal.error);
        else expect(totalFaults(xmlOf(judged.amounts))).toEqual([]);
      }),
    );
  });

  /** An order as a channel makes one: VAT within prices or on top, rounded once or line by line. */
  const soundOrder = fc
    .record({
      lines: fc.array(
        fc.record({
          productId,
          price: fc.integer({ min: 1, max: 500_000 }),
          quantity: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(0.25, 0.5, 1.5)),
        }),
        { minLength: 1, maxLength: 12 },
      ),
      discountPercent: fc.constantFrom(0, 0, 5, 33, 100),
      delivery: fc.constantFrom(0, 0, 1, 1000, 1999),
      service: fc.constantFrom(0, 0, 200),
      isIncluded: fc.boolean(),
      isByLine: fc.boolean(),
    })
    .map((given) => soundOrderOf(given));

  it('is issued for every order whose amounts hold, valid and with totals that add up', () => {
    let issued = 0;
    fc.assert(
      fc.property(soundOrder, anyText, anyText, (fields, name, branch) => {
        const judged = judgeInvoice(orderOf(fields), CATALOG);
        if (fields.total_amount === 0) {
          expect(judged).toMatchObject({ refusal: { error: 'Order without a total' } });
          return;
        }
        if ('refusal' in judged) throw new Error(JSON.stringify(judged.refusal));
        issued += 1;
        const { amounts } = judged;
        addsUp(amounts);
        expect(amounts.total).toBe(toMinorUnits(decimal(fields.total_amount), 'SAR'));
        const off = Number(amounts.vat - toMinorUnits(decimal(fields.vat_amount), 'SAR'));
        expect(Math.abs(off)).toBeLessThanOrEqual(Math.ceil((fields.products.length + 2) / 2) + 1);
        const head = headOf({ number: `B${branch}-000001`, buyerName: name, seller: { ...SELLER, name: `م${name}` } });
        const { xml, hash } = invoiceXml(head, invoiceBody(amounts));
        const root = readXml(xml);
        expect(faultsOf(root)).toEqual([]);
        expect(totalFaults(root)).toEqual([]);
        expect(textAt(root, 'cac:LegalMonetaryTotal', 'cbc:PayableAmount')).toBe(fields.total_amount.toFixed(2));
        expect(hashWithoutQr(xml)).toBe(hash);
      }),
      { numRuns: 400 },
    );
    expect(issued).toBeGreaterThan(200);
  });
});

describe('the judgement of an order', () => {
  const line = (price: number, product_id = 'UNKNOWN', quantity = 1) => ({ product_id, sku_id: 'S', price, quantity });
  const NOTHING = { discounts_amount: 0, delivery_fee: 0, service_fee: 0 };
  const judge = (fields: Partial<Order>) => judgeInvoice(orderOf({ ...NOTHING, ...fields }), CATALOG);

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
    expect(judge(fields)).toMatchObject({ amounts });
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
    expect(judge({ vat_amount: 0, ...fields })).toMatchObject({ refusal: { error, figures: expect.any(Object) } });
  });
});

describe('the QR code', () => {
  it('is tags 1 to 5 with lengths in bytes; a value longer than a length can say is cut between characters', () => {
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

it('begins a chain as ZATCA does', () => {
  expect(FIRST_PREVIOUS_HASH).toBe(
    'NWZlY2ViNjZmZmM4NmYzOGQ5NTI3ODZjNmQ2OTZjNzljMmRiYzIzOWRkNGU5MWI0NjcyOWQ3M2EyN2ZiNTdlOQ==',
  );
});

it('writes no character that XML does not have, and takes no text for mark-up', () => {
  const products = [
    { product_id: 'P', sku_id: 'S', price: 1, quantity: 1, name: 'a\u0000\u000b<b>&amp;"\ud800 ]]>\r\n' },
  ];
  const root = xmlOf(amountsOf(orderOf({ products, total_amount: 1, vat_amount: 0 })));
  const [line] = nodesAt(root, 'cac:InvoiceLine');
  expect(line && textAt(line, 'cac:Item', 'cbc:Name')).toBe('a  <b>&amp;"\ufffd ]]>');
});

const SELLER = { name: 'صيدليات نجد', vatNumber: '300000000000003', address: 'شارع العليا' };
const QR = {
  sellerName: '',
  vatNumber: SELLER.vatNumber,
  issuedAt: '2026-11-15T08:00:00Z',
  total: '1.00',
  vat: '0.13',
};

function headOf(fields: Partial<InvoiceHead>): InvoiceHead {
  return {
    number: 'B-000001',
    uuid: '0193a1f0-7c00-7000-8000-000000000702',
    issuedAt: QR.issuedAt,
    position: 1,
    previousHash: FIRST_PREVIOUS_HASH,
    qr: qrOf(QR),
    orderCode: 'DK-1',
    seller: SELLER,
    buyerName: '',
    paymentMethod: 'cash',
    ...fields,
  };
}

function hashWithoutQr(xml: string): string {
  const canonical = xml
    .slice(xml.indexOf('\n') + 1)
    .replace(/<cac:AdditionalDocumentReference><cbc:ID>QR<.*?<\/cac:AdditionalDocumentReference>/, '');
  return createHash('sha256').update(canonical).digest('base64');
}

type SoundInput = {
  lines: { productId: string; price: number; quantity: number }[];
  discountPercent: number;
  delivery: number;
  service: number;
  isIncluded: boolean;
  isByLine: boolean;
};

/** In floats and by other steps than the code under test, as a vendor would; prices and fees are given in halalas. */
function soundOrderOf({ lines, discountPercent, delivery, service, isIncluded, isByLine }: SoundInput) {
  const rateOf = (id: string) => CATALOG.products.get(id) ?? 15;
  const vatIn = (amount: number, rate: number) => (amount * rate) / (isIncluded ? 100 + rate : 100);
  const amounts = lines.map(({ price, quantity }) => Math.round(price * quantity));
  const subtotal = amounts.reduce((sum, amount) => sum + amount, 0);
  const discount = Math.round((subtotal * discountPercent) / 100);
  const share = subtotal === 0 ? 0 : (subtotal - discount) / subtotal;
  const lineVats = lines.map(({ price, quantity, productId }) => vatIn(price * quantity * share, rateOf(productId)));
  const parts = [...lineVats, vatIn(delivery, 15), vatIn(service, 15)];
  const vat = Math.round(parts.reduce((sum, part) => sum + (isByLine ? Math.round(part) : part), 0));
  const total = subtotal - discount + delivery + service + (isIncluded ? 0 : vat);
  return {
    products: lines.map(({ productId, price, quantity }) => ({
      product_id: productId,
      sku_id: 'S',
      price: price / 100,
      quantity,
    })),
    discounts_amount: discount / 100,
    delivery_fee: delivery / 100,
    service_fee: service / 100,
    vat_amount: vat / 100,
    total_amount: total / 100,
  };
}
