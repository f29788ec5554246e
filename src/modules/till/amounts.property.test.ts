import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, fromMinorUnits, toMinorUnits, toNumber } from '../../platform/money.ts';
import type { Order } from '../orders/index.ts';
import { findAmounts, type InvoiceAmounts } from './invoice-amounts.ts';
import { FIRST_PREVIOUS_HASH, type InvoiceHead, invoiceBody, invoiceXml } from './invoice-xml.ts';
import { includedVat, priceSale, shareOut, totalOf } from './price-sale.ts';
import { qrOf } from './qr.ts';
import { readTlv } from './testing/read-tlv.ts';
import { nodesAt, readXml, textAt } from './testing/read-xml.ts';
import { faultsOf } from './testing/ubl-order.ts';

const price = fc.integer({ min: 0, max: 10_000_000 }).map((fils) => decimal(String(fils / 1000)));
const quantity = fc.oneof(
  fc.integer({ min: 1, max: 500 }).map((count) => decimal(count)),
  fc.integer({ min: 1, max: 99_999 }).map((grams) => decimal(String(grams / 1000))),
);
const vatPercent = fc.constantFrom(15, 15, 15, 5, 2.5).map((percent) => decimal(percent));
const lines = fc.array(fc.record({ price, quantity, vatPercent }), { minLength: 1, maxLength: 12 });
const currency = fc.constantFrom('SAR', 'KWD', 'JPY');
const anyText = fc.string({ unit: 'binary', maxLength: 40 });

function orderOf(fields: Partial<Order>): Order {
  return { app_slug: 'api', organization_app_id: '', currency: 'SAR', ...fields } as Order;
}

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

  it('is shared out to the last unit, to nobody more than a unit off', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 9n), fc.array(fc.bigInt(0n, 10n ** 9n), { minLength: 1 }), (whole, weights) => {
        const all = totalOf(weights);
        const shares = shareOut(whole, weights);
        expect(totalOf(shares)).toBe(all === 0n ? 0n : whole);
        shares.forEach((share, index) => {
          const off = share * all - whole * (weights[index] ?? 0n);
          expect(off < all || all === 0n).toBe(true);
          expect(off > -all || all === 0n).toBe(true);
        });
      }),
    );
  });

  it('becomes an invoice of the same total and VAT, by rates', () => {
    fc.assert(
      fc.property(lines, currency, fc.integer({ min: 0, max: 1000 }), (sold, money, perMille) => {
        const { subtotal } = priceSale(sold, 0n, money);
        const discount = (subtotal * BigInt(perMille)) / 1000n;
        const sale = priceSale(sold, discount, money);
        const amount = (units: bigint) => toNumber(fromMinorUnits(units, money));
        const order = orderOf({
          app_slug: 'till',
          currency: money,
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
        const amounts = findAmounts(order);
        if (amounts === undefined) throw new Error('a sale has amounts');
        addsUp(amounts);
        expect(amounts.subtotals).toHaveLength(sale.groups.length);
        expect({ total: amounts.total, vat: amounts.vat }).toEqual({ total: sale.total, vat: sale.vat });
      }),
    );
  });
});

describe('an invoice of any order', () => {
  const money = fc.integer({ min: 0, max: 10_000_000 }).map((halalas) => halalas / 100);
  const anyOrder = fc.record({
    total_amount: money,
    vat_amount: fc.oneof(fc.constant(0), money),
    discounts_amount: money,
    delivery_fee: money,
    service_fee: money,
    products: fc.array(
      fc.record({
        product_id: fc.constant('P'),
        sku_id: anyText.map((text) => `S${text}`),
        name: fc.option(anyText),
        price: fc.option(money, { nil: undefined }),
        quantity: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  });

  it('adds up, and is valid, whatever the order says; its hash is that of the text without the QR code', () => {
    fc.assert(
      fc.property(anyOrder, anyText, anyText, (fields, name, branch) => {
        const order = orderOf(fields);
        const amounts = findAmounts(order);
        if (amounts === undefined) {
          expect(fields.vat_amount).toBeGreaterThanOrEqual(fields.total_amount);
          return;
        }
        addsUp(amounts);
        expect(amounts.total).toBe(toMinorUnits(decimal(fields.total_amount), 'SAR'));
        if (fields.vat_amount > 0) expect(amounts.vat).toBe(toMinorUnits(decimal(fields.vat_amount), 'SAR'));
        const head = headOf({ number: `B${branch}-000001`, buyerName: name, seller: { ...SELLER, name: `م${name}` } });
        const { xml, hash } = invoiceXml(head, invoiceBody(amounts));
        const root = readXml(xml);
        expect(faultsOf(root)).toEqual([]);
        expect(textAt(root, 'cac:LegalMonetaryTotal', 'cbc:PayableAmount')).toBe(fields.total_amount.toFixed(2));
        expect(hashWithoutQr(xml)).toBe(hash);
      }),
    );
  });

  it('takes prices with VAT and without for what they are, and tells the difference to the total', () => {
    const products = [{ product_id: 'P', sku_id: 'S', price: 100, quantity: 1 }];
    const fees = { discounts_amount: 0, delivery_fee: 0, service_fee: 0 };
    const without = findAmounts(orderOf({ products, ...fees, total_amount: 115, vat_amount: 15 }));
    expect(without).toMatchObject({ total: 11_500n, vat: 1_500n, extras: [], lines: [{ net: 10_000n, vat: 1_500n }] });
    const including = findAmounts(orderOf({ products, ...fees, total_amount: 100, vat_amount: 13.04 }));
    expect(including).toMatchObject({ vat: 1_304n, extras: [], lines: [{ net: 8_696n, vat: 1_304n }] });
    const unsaid = findAmounts(orderOf({ products, ...fees, total_amount: 100, vat_amount: 0 }));
    expect(unsaid).toMatchObject({ vat: 1_304n, lines: [{ net: 8_696n }] });
    const dearer = findAmounts(orderOf({ products, ...fees, total_amount: 123, vat_amount: 0 }));
    expect(dearer?.extras).toMatchObject([{ isCharge: true, net: 2_000n }]);
    const delivered = findAmounts(orderOf({ products, ...fees, delivery_fee: 23, total_amount: 123, vat_amount: 0 }));
    expect(delivered?.extras).toMatchObject([{ isCharge: true, reason: 'Delivery', net: 2_000n }]);
    expect(findAmounts(orderOf({ products, ...fees, total_amount: 10, vat_amount: 11 }))).toBeUndefined();
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
  const fees = { discounts_amount: 0, delivery_fee: 0, service_fee: 0 };
  const amounts = findAmounts(orderOf({ products, ...fees, total_amount: 1, vat_amount: 0 }));
  if (amounts === undefined) throw new Error('an order has amounts');
  const root = readXml(invoiceXml(headOf({}), invoiceBody(amounts)).xml);
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
