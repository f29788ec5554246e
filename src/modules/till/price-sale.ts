import { apportion } from '../../platform/apportion.ts';
import { add, type Decimal, decimal, divide, multiply, toMinorUnits, toText } from '../../platform/money.ts';

/** Amounts are in minor units of one currency: halalas, fils. */
export type SaleLine = { price: Decimal; quantity: Decimal; vatPercent: Decimal };

/** The lines with one VAT rate. */
export type RateGroup = {
  percent: Decimal;
  /** Indexes of the lines. */
  lines: number[];
  /** With VAT, before the discount. */
  gross: bigint;
  discount: bigint;
  vat: bigint;
};

export type PricedSale = {
  /** With VAT, by line. */
  grosses: bigint[];
  subtotal: bigint;
  total: bigint;
  vat: bigint;
  groups: RateGroup[];
};

const HUNDRED = decimal(100);
export const STANDARD_VAT_PERCENT = decimal(15);

/** The VAT contained in an amount. */
export function includedVat(gross: bigint, percent: Decimal): bigint {
  return divide(multiply({ units: gross, scale: 0 }, percent), add(HUNDRED, percent), 0).units;
}

/** The VAT to add to an amount. */
export function addedVat(net: bigint, percent: Decimal): bigint {
  return divide(multiply({ units: net, scale: 0 }, percent), HUNDRED, 0).units;
}

/**
 * Prices include VAT. Each line is rounded, because the receipt shows it. VAT is computed once per rate, from its lines after their
 * share of the discount. Rejected: VAT by line, where rounding errors of a hundred lines add up.
 */
export function priceSale(lines: readonly SaleLine[], discount: bigint, currency: string): PricedSale {
  const grosses = lines.map(({ price, quantity }) => toMinorUnits(multiply(price, quantity), currency));
  const groups = new Map<string, RateGroup>();
  lines.forEach(({ vatPercent }, index) => {
    const key = toText(vatPercent);
    const group = groups.get(key) ?? { percent: vatPercent, lines: [], gross: 0n, discount: 0n, vat: 0n };
    group.lines.push(index);
    group.gross += grosses[index] ?? 0n;
    groups.set(key, group);
  });
  const rated = [...groups.values()];
  const discounts = apportion(
    discount,
    rated.map((group) => group.gross),
  );
  rated.forEach((group, index) => {
    group.discount = discounts[index] ?? 0n;
    group.vat = includedVat(group.gross - group.discount, group.percent);
  });
  const subtotal = totalOf(grosses);
  return { grosses, subtotal, total: subtotal - discount, vat: totalOf(rated.map(({ vat }) => vat)), groups: rated };
}

export function totalOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
