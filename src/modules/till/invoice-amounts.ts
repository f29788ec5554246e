import { apportion } from '../../platform/apportion.ts';
import { type Decimal, decimal, divide, fromMinorUnits, toMinorUnits, toText } from '../../platform/money.ts';
import type { Order } from '../orders/index.ts';
import type { InvoiceRefusal } from './invoice-refusal.ts';
import { type CatalogRates, INVOICE_CURRENCY, type OrderPart, type OrderParts } from './order-parts.ts';

import { addedVat, includedVat, totalOf } from './price-sale.ts';
import { assessTaxes, type TaxTreatment } from './tax-treatment.ts';

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

/** The amounts of an order's invoice, or why it gets none. Pure. */
export function assessInvoice(
  order: Order,
  rates: CatalogRates,
): { amounts: InvoiceAmounts } | { refusal: InvoiceRefusal } {
  const assessed = assessTaxes(order, rates);
  return 'refusal' in assessed ? assessed : { amounts: amountsOf(assessed.parts, assessed.treatment) };
}

/** The lines with one rate, in halalas, with or without VAT as in the order. */
type Group = {
  percent: Decimal;
  lines: number[];
  lineAmount: bigint;
  discount: bigint;
  fees: { reason: ExtraReason; amount: bigint }[];
};

/**
 * VAT is computed once per rate from the gross amount of its lines, so that net plus VAT is the total exactly. The rounding
 * difference between parts and total, at most half a halala per line, goes to the lines of the largest group. For 15 of 115 totals
 * with 15 % included there is no net whose rounded VAT completes the total: there the VAT is 0.01 off net times rate, which the
 * authority's rules accept.
 */
function amountsOf(parts: OrderParts, treatment: TaxTreatment): InvoiceAmounts {
  const total = halalas(parts.total);
  const groups = groupsOf(parts, treatment);
  const grosses = groups.map((group) => grossOf(group, treatment));
  const largest = groups.reduce((best, group, place) => (isLarger(group, groups[best]) ? place : best), 0);
  grosses[largest] = (grosses[largest] ?? 0n) + total - totalOf(grosses);
  const nets: bigint[] = [];
  const extras: Extra[] = [];
  const subtotals = groups.map((group, place) => {
    const { percent } = group;
    const gross = grosses[place] ?? 0n;
    const vat = includedVat(gross, percent);
    const split = splitNet(group, gross - vat, parts, treatment);
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
      invoiceLine(line, nets[index] ?? 0n, decimal(treatment.lineRates[index] ?? 0)),
    ),
    extras,
    subtotals,
    net: total - vat,
    vat,
    total,
  };
}

function groupsOf(parts: OrderParts, treatment: TaxTreatment): Group[] {
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
    const group = groupOf(treatment.lineRates[index] ?? 0);
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
    const group = groupOf(treatment.feeRate);
    group.fees = parts.fees.map(({ reason, amount }) => ({ reason, amount: halalas(amount) }));
    group.discount += discount - offLines;
  }
  return [...groups.values()];
}

function grossOf({ percent, lineAmount, discount, fees }: Group, { pricesIncludeVat }: TaxTreatment): bigint {
  const amount = lineAmount - discount + totalOf(fees.map((fee) => fee.amount));
  return pricesIncludeVat ? amount : amount + addedVat(amount, percent);
}

const isLarger = (one: Group, other: Group | undefined) => other !== undefined && one.lineAmount > other.lineAmount;

/** Discount and fees without VAT; the rest is apportioned to the lines by their amounts. */
function splitNet(
  group: Group,
  net: bigint,
  parts: OrderParts,
  { pricesIncludeVat }: TaxTreatment,
): { lines: bigint[]; extras: Extra[] } {
  const { percent } = group;
  const netOf = (amount: bigint) => (pricesIncludeVat ? amount - includedVat(amount, percent) : amount);
  const fees = group.fees.map(({ reason, amount }) => ({ reason, net: netOf(amount) }));
  let discount = netOf(group.discount);
  let ofLines = net + discount - totalOf(fees.map((fee) => fee.net));
  const weights = group.lines.map((index) => halalas(parts.lines[index]?.amount ?? decimal(0)));
  const [fee] = fees;
  // In a group without lines, or with lines smaller than the rounding difference, the first fee takes the halala.
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

/** Enough decimals that quantity times price is the line's net to a hundredth of a halala for any quantity. */
function priceDigits(quantity: Decimal): number {
  return Math.max(UNIT_PRICE_DIGITS, String(quantity.units).length - quantity.scale + 4);
}

const textOf = (value: unknown) => (typeof value === 'string' ? writable(value).trim() : '');
const halalas = (amount: Decimal) => toMinorUnits(amount, INVOICE_CURRENCY);
