import { apportion } from '../../platform/apportion.ts';
import { type Decimal, decimal, divide, fromMinorUnits, toMinorUnits, toText } from '../../platform/money.ts';
import type { Order } from '../orders/index.ts';
import type { InvoiceRefusal } from './invoice-refusal.ts';
import { judgeOrder, type Reading } from './judge-order.ts';
import { type CatalogRates, INVOICE_CURRENCY, type OrderPart, type OrderParts } from './order-parts.ts';
import { addedVat, includedVat, totalOf } from './price-sale.ts';
import { writable } from './xml.ts';

/** Money in minor units of the order's currency. `net` is without VAT. */
export type InvoiceLine = {
  name: string;
  skuId: string;
  quantity: Decimal;
  unitPrice: Decimal;
  net: bigint;
  vat: bigint;
  percent: Decimal;
};

/** What is taken off the whole, or comes on top of it, without VAT. */
export type Extra = { isCharge: boolean; reason: ExtraReason; net: bigint; percent: Decimal };
export type ExtraReason = 'Discount' | 'Delivery' | 'Service';

/** All that was sold at one rate. */
export type TaxSubtotal = { percent: Decimal; net: bigint; vat: bigint };

/**
 * What an invoice adds up from: lines, less allowances, plus charges, is the net; with the VAT it is the total; and the
 * subtotals are the same by rates.
 */
export type InvoiceAmounts = {
  currency: string;
  lines: InvoiceLine[];
  extras: Extra[];
  subtotals: TaxSubtotal[];
  net: bigint;
  vat: bigint;
  total: bigint;
};

/** The amounts of an order's invoice, or why it gets none. Pure: the same order and rates give the same answer. */
export function judgeInvoice(
  order: Order,
  rates: CatalogRates,
): { amounts: InvoiceAmounts } | { refusal: InvoiceRefusal } {
  const judged = judgeOrder(order, rates);
  return 'refusal' in judged ? judged : { amounts: amountsOf(judged.parts, judged.reading) };
}

/** What was sold at one rate, in halalas, as the order has its prices. */
type Group = {
  percent: Decimal;
  lines: number[];
  lineAmount: bigint;
  discount: bigint;
  fees: { reason: ExtraReason; amount: bigint }[];
};

/**
 * VAT is computed once a rate from what the rate's goods come to with VAT, so that net and VAT are the total exactly. What
 * rounding leaves between parts and total, at most half a halala a line, is the lines' of the largest group. Of totals with
 * 15 % included, 15 in 115 have no net whose VAT, rounded, makes up the difference: there the VAT is 0.01 off net times rate,
 * which the authority's rules accept.
 */
function amountsOf(parts: OrderParts, reading: Reading): InvoiceAmounts {
  const total = halalas(parts.total);
  const groups = groupsOf(parts, reading);
  const grosses = groups.map((group) => grossOf(group, reading));
  const largest = groups.reduce((best, group, place) => (isLarger(group, groups[best]) ? place : best), 0);
  grosses[largest] = (grosses[largest] ?? 0n) + total - totalOf(grosses);
  const nets: bigint[] = [];
  const extras: Extra[] = [];
  const subtotals = groups.map((group, place) => {
    const { percent } = group;
    const gross = grosses[place] ?? 0n;
    const vat = includedVat(gross, percent);
    const split = splitNet(group, gross - vat, parts, reading);
    group.lines.forEach((index, at) => {
      nets[index] = split.lines[at] ?? 0n;
    });
    extras.push(...split.extras);
    return { percent, net: gross - vat, vat };
  });
  const vat = totalOf(subtotals.map((subtotal) => subtotal.vat));
  return {
    currency: INVOICE_CURRENCY,
    lines: parts.lines.map((line, index) =>
      invoiceLine(line, nets[index] ?? 0n, decimal(reading.lineRates[index] ?? 0)),
    ),
    extras,
    subtotals,
    net: total - vat,
    vat,
    total,
  };
}

function groupsOf(parts: OrderParts, reading: Reading): Group[] {
  const groups = new Map<string, Group>();
  const groupOf = (rate: number): Group => {
    const percent = decimal(rate);
    const known = groups.get(toText(percent));
    if (known !== undefined) return known;
    const group: Group = { percent, lines: [], lineAmount: 0n, discount: 0n, fees: [] };
    groups.set(toText(percent), group);
    return group;
  };
  parts.lines.forEach(({ amount }, index) => {
    const group = groupOf(reading.lineRates[index] ?? 0);
    group.lines.push(index);
    group.lineAmount += halalas(amount);
  });
  const rated = [...groups.values()];
  const discount = halalas(parts.discount);
  const subtotal = totalOf(rated.map(({ lineAmount }) => lineAmount));
  const offLines = discount > subtotal ? subtotal : discount;
  const shares = apportion(
    offLines,
    rated.map(({ lineAmount }) => lineAmount),
  );
  rated.forEach((group, place) => {
    group.discount = shares[place] ?? 0n;
  });
  if (parts.fees.length > 0) {
    const group = groupOf(reading.feeRate);
    group.fees = parts.fees.map(({ reason, amount }) => ({ reason, amount: halalas(amount) }));
    group.discount += discount - offLines;
  }
  return [...groups.values()];
}

function grossOf({ percent, lineAmount, discount, fees }: Group, { pricesIncludeVat }: Reading): bigint {
  const amount = lineAmount - discount + totalOf(fees.map((fee) => fee.amount));
  return pricesIncludeVat ? amount : amount + addedVat(amount, percent);
}

const isLarger = (one: Group, other: Group | undefined) => other !== undefined && one.lineAmount > other.lineAmount;

/** Discount and fees without VAT, and the lines as what is left, in proportion to their amounts. */
function splitNet(
  group: Group,
  net: bigint,
  parts: OrderParts,
  { pricesIncludeVat }: Reading,
): { lines: bigint[]; extras: Extra[] } {
  const { percent } = group;
  const netOf = (amount: bigint) => (pricesIncludeVat ? amount - includedVat(amount, percent) : amount);
  const fees = group.fees.map(({ reason, amount }) => ({ reason, net: netOf(amount) }));
  let discount = netOf(group.discount);
  let ofLines = net + discount - totalOf(fees.map((fee) => fee.net));
  const weights = group.lines.map((index) => halalas(parts.lines[index]?.amount ?? decimal(0)));
  const [fee] = fees;
  // A group of fees alone, or of lines worth less than what was rounded: the first fee takes the halala.
  if (ofLines < 0n || (ofLines !== 0n && totalOf(weights) === 0n)) {
    if (fee === undefined) discount -= ofLines;
    else fee.net += ofLines;
    ofLines = 0n;
  }
  const extras: Extra[] = [
    { isCharge: false, reason: 'Discount' as const, net: discount, percent },
    ...fees.map((one) => ({ isCharge: true, ...one, percent })),
  ].filter((extra) => extra.net !== 0n);
  return { lines: apportion(ofLines, weights), extras };
}

function invoiceLine({ line, quantity, price }: OrderPart, net: bigint, percent: Decimal): InvoiceLine {
  return {
    name: textOf(line.name_ar) || textOf(line.name) || String(line.product_id),
    skuId: String(line.sku_id),
    quantity,
    unitPrice:
      quantity.units === 0n ? price : divide(fromMinorUnits(net, INVOICE_CURRENCY), quantity, priceDigits(quantity)),
    net,
    vat: addedVat(net, percent),
    percent,
  };
}

const UNIT_PRICE_DIGITS = 8;

/** Enough that quantity times price is the line's net to a hundredth of a halala, however large the quantity. */
function priceDigits(quantity: Decimal): number {
  return Math.max(UNIT_PRICE_DIGITS, String(quantity.units).length - quantity.scale + 4);
}

const textOf = (value: unknown) => (typeof value === 'string' ? writable(value).trim() : '');
const halalas = (amount: Decimal) => toMinorUnits(amount, INVOICE_CURRENCY);
