import { type Decimal, decimal, divide, fromMinorUnits, multiply, toMinorUnits, ZERO } from '../../platform/money.ts';
import type { Order, OrderLine } from '../orders/index.ts';
import {
  addedVat,
  includedVat,
  type PricedSale,
  priceSale,
  STANDARD_VAT_PERCENT,
  shareOut,
  totalOf,
} from './price-sale.ts';
import { TILL_CHANNEL } from './till.ts';
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
export type Extra = { isCharge: boolean; reason: string; net: bigint; percent: Decimal };

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

const UNIT_PRICE_DIGITS = 8;

/** Nothing where the order's own amounts make no sense: VAT that leaves nothing of the total. */
export function findAmounts(order: Order): InvoiceAmounts | undefined {
  const sale = findSale(order);
  return sale === undefined ? amountsOfOrder(order) : amountsOfSale(order, sale);
}

/** The till knows the rate of every line. Once somebody has replaced the order it is any order. */
function findSale(order: Order): PricedSale | undefined {
  if (order.app_slug !== TILL_CHANNEL.app_slug || order.organization_app_id !== '') return undefined;
  const lines = order.products.flatMap((line) => {
    const percent = line.vat_value;
    const isRate = typeof percent === 'number' && percent >= 0 && percent <= 100;
    return isRate ? [{ price: priceOf(line), quantity: quantityOf(line), vatPercent: decimal(percent) }] : [];
  });
  if (lines.length < order.products.length) return undefined;
  const units = unitsIn(order.currency);
  const discount = units(order.discounts_amount);
  const sale = priceSale(lines, discount, order.currency);
  const isAsSold =
    discount <= sale.subtotal && sale.total === units(order.total_amount) && sale.vat === units(order.vat_amount);
  return isAsSold ? sale : undefined;
}

function amountsOfSale(order: Order, { grosses, groups, total, vat }: PricedSale): InvoiceAmounts {
  const nets: bigint[] = [];
  const extras: Extra[] = [];
  const subtotals = groups.map(({ percent, lines, gross, discount, vat: groupVat }) => {
    // From what the lines come to without the discount, so that they add up whatever was rounded.
    const before = gross - includedVat(gross, percent);
    const shares = shareOut(
      before,
      lines.map((index) => grosses[index] ?? 0n),
    );
    lines.forEach((index, place) => {
      nets[index] = shares[place] ?? 0n;
    });
    const net = gross - discount - groupVat;
    if (before > net) extras.push({ isCharge: false, reason: 'Discount', net: before - net, percent });
    return { percent, net, vat: groupVat };
  });
  const percents = new Map(groups.flatMap(({ percent, lines }) => lines.map((index) => [index, percent] as const)));
  return {
    currency: order.currency,
    lines: order.products.map((line, index) =>
      invoiceLine(line, order.currency, nets[index] ?? 0n, percents.get(index) ?? STANDARD_VAT_PERCENT),
    ),
    extras,
    subtotals,
    net: total - vat,
    vat,
    total,
  };
}

/**
 * An order of any source: its total and its VAT stand. One that names no VAT includes 15 %. Whether its prices include VAT
 * is seen from what they add up to; what is left between lines, discounts, fees and total is told as an adjustment.
 */
function amountsOfOrder(order: Order): InvoiceAmounts | undefined {
  const { currency } = order;
  const units = unitsIn(currency);
  const total = units(order.total_amount);
  const given = units(order.vat_amount);
  const vat = given > 0n ? given : includedVat(total, STANDARD_VAT_PERCENT);
  const net = total - vat;
  if (total < 0n || given < 0n || net < 0n || (net === 0n && total > 0n)) return undefined;

  const grosses = order.products.map((line) => atLeastNothing(lineTotal(line, currency)));
  const sum = totalOf(grosses);
  const fees = [
    { isCharge: false, reason: 'Discount', amount: units(order.discounts_amount) },
    { isCharge: true, reason: 'Delivery', amount: units(order.delivery_fee) },
    { isCharge: true, reason: 'Service', amount: units(order.service_fee) },
  ].filter(({ amount }) => amount > 0n);
  const parts = sum + totalOf(fees.map(({ isCharge, amount }) => (isCharge ? amount : -amount)));
  const tolerance = BigInt(grosses.length + fees.length);
  const isNear = (one: bigint, other: bigint) => one - other <= tolerance && other - one <= tolerance;
  const isStandard = isNear(vat, includedVat(total, STANDARD_VAT_PERCENT));
  const percent = isStandard
    ? STANDARD_VAT_PERCENT
    : divide(decimal((vat * 100n).toString()), decimal(net.toString()), 2);
  const pricesExcludeVat = !isNear(parts, total) && isNear(parts + vat, total);
  const netOf = (amount: bigint) => (pricesExcludeVat ? amount : amount - includedVat(amount, percent));

  const extras: Extra[] = fees.map(({ isCharge, reason, amount }) => ({
    isCharge,
    reason,
    net: netOf(amount),
    percent,
  }));
  const extraNet = totalOf(extras.map((extra) => (extra.isCharge ? extra.net : -extra.net)));
  const rest = net - extraNet - netOf(sum);
  // A few halalas of rounding belong to the lines; anything else is no line's.
  const isRounding = sum > 0n && isNear(rest, 0n) && netOf(sum) + rest >= 0n;
  const nets = shareOut(netOf(sum) + (isRounding ? rest : 0n), grosses);
  if (!isRounding && rest !== 0n) {
    const reason = 'Adjustment to the total of the order';
    extras.push({ isCharge: rest > 0n, reason, net: rest > 0n ? rest : -rest, percent });
  }
  return {
    currency,
    lines: order.products.map((line, index) => invoiceLine(line, currency, nets[index] ?? 0n, percent)),
    extras,
    subtotals: [{ percent, net, vat }],
    net,
    vat,
    total,
  };
}

function invoiceLine(line: OrderLine, currency: string, net: bigint, percent: Decimal): InvoiceLine {
  const quantity = quantityOf(line);
  const netAmount = fromMinorUnits(net, currency);
  return {
    name: textOf(line.name_ar) || textOf(line.name) || String(line.product_id),
    skuId: String(line.sku_id),
    quantity,
    unitPrice: quantity.units === 0n ? priceOf(line) : divide(netAmount, quantity, UNIT_PRICE_DIGITS),
    net,
    vat: addedVat(net, percent),
    percent,
  };
}

const textOf = (value: unknown) => (typeof value === 'string' ? writable(value).trim() : '');
const numberOf = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? decimal(value) : undefined);
const priceOf = (line: OrderLine): Decimal => numberOf(line.price) ?? ZERO;
const quantityOf = (line: OrderLine): Decimal => numberOf(line.quantity) ?? decimal(1);
const lineTotal = (line: OrderLine, currency: string) =>
  toMinorUnits(multiply(priceOf(line), quantityOf(line)), currency);
const unitsIn = (currency: string) => (amount: number) => toMinorUnits(decimal(amount), currency);
const atLeastNothing = (amount: bigint) => (amount < 0n ? 0n : amount);
