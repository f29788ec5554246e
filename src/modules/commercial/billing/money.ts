import {
  compare,
  decimal,
  divide,
  findDecimal,
  fromMinorUnits,
  multiply,
  round,
  toMinorUnits,
  toNumber,
  toText,
  ZERO,
} from '../../../platform/money.ts';

/** Riyals as decimal text with two places, such as 287.50: how amounts go in and out of SQL and between modules. */
export type Money = string;

/** What rules calculate with: whole halalas. */
export type Halalas = bigint;

const SAR = 'SAR';
const MAX_AMOUNT = decimal(1_000_000_000);
const HUNDRED = decimal(100);

export function toHalalas(money: Money): Halalas {
  return toMinorUnits(decimal(money), SAR);
}

export function fromHalalas(halalas: Halalas): Money {
  return toText(fromMinorUnits(halalas, SAR));
}

/** For JSON. */
export function moneyToNumber(money: Money): number {
  return toNumber(decimal(money));
}

/** A valid amount to pay, credit or refund: above zero, at most 1,000,000,000, in whole halalas; otherwise undefined. */
export function findAmount(value: number | string): Money | undefined {
  const amount = findDecimal(String(value));
  if (amount === undefined || compare(amount, ZERO) <= 0 || compare(amount, MAX_AMOUNT) > 0) return undefined;
  const rounded = round(amount, 2);
  return compare(rounded, amount) === 0 ? toText(rounded) : undefined;
}

/** To the halala, a half upwards. */
export function vatOn(amount: Halalas, vatPercent: string): Halalas {
  return toMinorUnits(divide(multiply(fromMinorUnits(amount, SAR), decimal(vatPercent)), HUNDRED, 2), SAR);
}

export function timesQuantity(price: Money, quantity: number): Halalas {
  return toMinorUnits(multiply(decimal(price), decimal(quantity)), SAR);
}

/**
 * How much of a fee's VAT the first `paid` halalas of its total hold. A part payment has the difference of this before and
 * after it, so that the parts add up to the VAT of the fee, however it was cut.
 */
export function vatWithin(fee: { vat: Halalas; total: Halalas }, paid: Halalas): Halalas {
  if (fee.total === 0n) return 0n;
  return divide({ units: fee.vat * paid, scale: 0 }, { units: fee.total, scale: 0 }, 0).units;
}

export function sumHalalas(values: Iterable<Halalas>): Halalas {
  let total = 0n;
  for (const value of values) total += value;
  return total;
}
