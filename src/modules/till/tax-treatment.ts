import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  fromMinorUnits,
  multiply,
  negate,
  round,
  subtract,
  sum,
  toNumber,
  ZERO,
} from '../../platform/money.ts';
import type { Order } from '../orders/index.ts';
import type { InvoiceRefusal } from './invoice-refusal.ts';
import { type CatalogRates, INVOICE_CURRENCY, type OrderPart, type OrderParts, readParts } from './order-parts.ts';

/** The tax treatment under which the amounts of an order are consistent. */
export type TaxTreatment = {
  pricesIncludeVat: boolean;
  /** In percent, line by line. */
  lineRates: number[];
  feeRate: number;
};
export type TaxAssessment = { parts: OrderParts; treatment: TaxTreatment } | { refusal: InvoiceRefusal };

const STANDARD_RATE = 15;
const SUPPORTED_RATES: readonly number[] = [0, 5, 15];
const HUNDRED = decimal(100);
/** For comparing quotients; far finer than the tolerance. */
const QUOTIENT_DIGITS = 12;
const MAX_NAMED_PRODUCTS = 10;

/**
 * Finds the tax treatment of an order, or why its amounts are inconsistent. The sums show whether prices include VAT; `vat_amount`
 * shows which rates apply. Rates are those of the lines, otherwise of the catalog. A product whose `vat_value` is 0 may be
 * zero-rated or not rated yet, so both are tried; goods outside the catalog are standard-rated if the order has VAT at all. An
 * order without VAT is accepted unless a line or the catalog taxes its goods.
 */
export function assessTaxes(order: Order, rates: CatalogRates): TaxAssessment {
  const read = readParts(order, rates);
  if ('refusal' in read) return read;
  const { parts } = read;
  const modes = [true, false].filter((pricesIncludeVat) => addsUp(parts, pricesIncludeVat));
  const [firstMode] = modes;
  if (firstMode === undefined) return { refusal: { error: 'Amounts do not add up', figures: sumsOf(parts) } };
  const candidates = ratesToTry(parts);
  for (const pricesIncludeVat of modes) {
    for (const candidate of candidates) {
      const treatment = { pricesIncludeVat, ...candidate };
      if (!isVatNear(parts, treatment)) continue;
      const odd = treatment.lineRates.find((rate) => !SUPPORTED_RATES.includes(rate));
      if (odd === undefined) return { parts, treatment };
      return { refusal: { error: 'VAT rate not supported', figures: { vat_value: odd, supported: SUPPORTED_RATES } } };
    }
  }
  const [candidate] = candidates;
  return { refusal: vatRefusal(parts, { pricesIncludeVat: firstMode, ...candidate }) };
}

type Rates = Omit<TaxTreatment, 'pricesIncludeVat'>;

function ratesToTry({ lines, vat }: OrderParts): [Rates, ...Rates[]] {
  const asRated = (unrated: number, unknown: number, feeRate: number): Rates => ({
    lineRates: lines.map(
      ({ ownRate, catalogRate }) => ownRate ?? (catalogRate === 0 ? unrated : catalogRate) ?? unknown,
    ),
    feeRate,
  });
  if (vat.units === 0n) return lines.some(isTaxed) ? [asRated(0, STANDARD_RATE, STANDARD_RATE)] : [asRated(0, 0, 0)];
  return [asRated(0, STANDARD_RATE, STANDARD_RATE), asRated(STANDARD_RATE, STANDARD_RATE, STANDARD_RATE)];
}

const isTaxed = ({ ownRate = 0, catalogRate = 0 }: OrderPart) => ownRate > 0 || catalogRate > 0;

function addsUp(parts: OrderParts, pricesIncludeVat: boolean): boolean {
  return isNear(totalOf(parts, pricesIncludeVat), parts.total, parts.lines.length);
}

function totalOf({ subtotal, discount, fees, vat }: OrderParts, pricesIncludeVat: boolean): Decimal {
  const parts = add(subtract(subtotal, discount), sum(fees.map(({ amount }) => amount)));
  return pricesIncludeVat ? parts : add(parts, vat);
}

function isVatNear(parts: OrderParts, treatment: TaxTreatment): boolean {
  return isNear(expectedVat(parts, treatment), parts.vat, parts.lines.length + parts.fees.length);
}

/** Half a halala for each amount that may have been rounded separately. */
function isNear(one: Decimal, other: Decimal, roundings: number): boolean {
  const tolerance: Decimal = { units: 5n * BigInt(Math.max(1, roundings)), scale: 3 };
  const difference = subtract(one, other);
  return compare(difference, tolerance) <= 0 && compare(difference, negate(tolerance)) >= 0;
}

/** Unrounded. A discount is taken off the lines in proportion, and off the fees only as far as it exceeds the lines. */
function expectedVat({ lines, subtotal, discount, fees }: OrderParts, treatment: TaxTreatment): Decimal {
  const feeTotal = sum(fees.map(({ amount }) => amount));
  const offLines = compare(discount, subtotal) > 0 ? subtotal : discount;
  const left = (part: Decimal, off: Decimal, whole: Decimal) =>
    whole.units === 0n ? ZERO : divide(multiply(part, subtract(whole, off)), whole, QUOTIENT_DIGITS);
  const vatIn = (amount: Decimal, rate: number) => {
    const percent = decimal(rate);
    const whole = treatment.pricesIncludeVat ? add(HUNDRED, percent) : HUNDRED;
    return divide(multiply(amount, percent), whole, QUOTIENT_DIGITS);
  };
  const ofLines = lines.map(({ amount }, index) => {
    return vatIn(left(amount, offLines, subtotal), treatment.lineRates[index] ?? 0);
  });
  return add(sum(ofLines), vatIn(left(feeTotal, subtract(discount, offLines), feeTotal), treatment.feeRate));
}

function vatRefusal(parts: OrderParts, treatment: TaxTreatment): InvoiceRefusal {
  const taxed = parts.lines.filter(isTaxed);
  const figures = {
    ...sumsOf(parts),
    expected_vat_amount: inRiyals(expectedVat(parts, treatment)),
    prices_include_vat: treatment.pricesIncludeVat,
  };
  if (parts.vat.units !== 0n || taxed.length === 0) return { error: 'VAT does not agree', figures };
  const products = taxed.slice(0, MAX_NAMED_PRODUCTS).map(({ line, ownRate, catalogRate }) => ({
    product_id: line.product_id,
    vat_value: ownRate || catalogRate,
  }));
  return { error: 'VAT missing', figures: { ...figures, products } };
}

function sumsOf(parts: OrderParts): Record<string, unknown> {
  const fee = (name: string) => sum(parts.fees.filter(({ reason }) => reason === name).map(({ amount }) => amount));
  return {
    lines_amount: inRiyals(parts.subtotal),
    discounts_amount: inRiyals(parts.discount),
    delivery_fee: inRiyals(fee('Delivery')),
    service_fee: inRiyals(fee('Service')),
    vat_amount: inRiyals(parts.vat),
    total_amount: inRiyals(parts.total),
    expected_total_with_vat_included: inRiyals(totalOf(parts, true)),
    expected_total_with_vat_added: inRiyals(totalOf(parts, false)),
  };
}

const DIGITS = fromMinorUnits(0n, INVOICE_CURRENCY).scale;
const inRiyals = (amount: Decimal) => toNumber(round(amount, DIGITS));
