import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../test/harness/any-text.ts';
import { decimal, fromMinorUnits, toMinorUnits, toNumber } from '../../platform/money.ts';
import { assessInvoice, type InvoiceAmounts } from './invoice-amounts.ts';
import { REFUSAL_SENTENCES } from './invoice-refusal.ts';
import { invoiceBody, invoiceXml } from './invoice-xml.ts';
import { includedVat, priceSale, totalOf } from './price-sale.ts';
import { readXml, textAt } from './testing/read-xml.ts';
import { amountsOf, CATALOG, headOf, orderOf, SELLER, xmlOf } from './testing/sample-invoice.ts';
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

function addsUp(amounts: InvoiceAmounts): void {
  const extras = totalOf(amounts.extras.map(({ isCharge, net }) => (isCharge ? net : -net)));
  expect(totalOf(amounts.lines.map(({ net }) => net)) + extras).toBe(amounts.net);
  expect(amounts.net + amounts.vat).toBe(amounts.total);
  expect(totalOf(amounts.subtotals.map(({ net }) => net))).toBe(amounts.net);
  expect(totalOf(amounts.subtotals.map(({ vat }) => vat))).toBe(amounts.vat);
  expect([...amounts.lines, ...amounts.extras].every(({ net }) => net >= 0n)).toBe(true);
}

describe('a sale', () => {
  it('totals its lines minus the discount, with VAT as a part of it, in any currency', () => {
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

  it('becomes an invoice with the same total and VAT by rate', () => {
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
        sku_id: anyText({ maxLength: 40 }).map((text) => `S${text}`),
        name: fc.option(anyText({ maxLength: 40 })),
        price: fc.option(money, { nil: undefined }),
        quantity: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  });

  it('is refused, or its document adds up, for arbitrary orders', () => {
    fc.assert(
      fc.property(anyOrder, (fields) => {
        const assessed = assessInvoice(orderOf(fields), CATALOG);
        if ('refusal' in assessed) expect(REFUSAL_SENTENCES).toContain(assessed.refusal.error);
        else expect(totalFaults(xmlOf(assessed.amounts))).toEqual([]);
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

  it('is issued for every consistent order, valid and with totals that add up', () => {
    let issued = 0;
    fc.assert(
      fc.property(soundOrder, anyText({ maxLength: 40 }), anyText({ maxLength: 40 }), (fields, name, branch) => {
        const assessed = assessInvoice(orderOf(fields), CATALOG);
        if (fields.total_amount === 0) {
          expect(assessed).toMatchObject({ refusal: { error: 'Order without a total' } });
          return;
        }
        if ('refusal' in assessed) throw new Error(JSON.stringify(assessed.refusal));
        issued += 1;
        const { amounts } = assessed;
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
