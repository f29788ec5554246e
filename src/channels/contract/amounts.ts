import { Unreadable } from '../../platform/inbound/index.ts';
import {
  add,
  compare,
  type Decimal,
  divide,
  multiply,
  subtract,
  sum,
  toNumber,
  toText,
  ZERO,
} from '../../platform/money.ts';

/** An option of an item: quantity per item, and price of one. */
export type LineOption = {
  name?: string | undefined;
  quantity: Decimal;
  unitPrice: Decimal;
  /** Nested options. */
  options?: readonly LineOption[];
};

export const ONE: Decimal = { units: 1n, scale: 0 };

const MAX_NAME_CHARACTERS = 2_000;
/** Maximum digits of an amount; products of several could exceed any column. */
const MAX_PRICE_DIGITS = 15;

/** Folds options into their item: names in parentheses, prices added per item. */
export function foldOptions(
  item: { name?: string | undefined; unitPrice: Decimal },
  options: readonly LineOption[],
): { name: string | undefined; unitPrice: Decimal } {
  const chosen = flattened(options, ONE);
  const unitPrice = add(item.unitPrice, sum(chosen.map(({ quantity, unitPrice }) => multiply(quantity, unitPrice))));
  if (toText(unitPrice).replace(/^-|\..*$/g, '').length > MAX_PRICE_DIGITS) {
    throw new Unreadable('unexpected', `The price of ${item.name ?? 'an item'} with its options cannot be an amount`);
  }
  const names = chosen
    .filter(({ name }) => name !== undefined)
    .map(({ name, quantity }) => (toNumber(quantity) === 1 ? name : `${toNumber(quantity)} × ${name}`));
  return { name: nameWith(item.name, names), unitPrice };
}

/** `Coffee (large, no sugar)`. */
export function nameWith(name: string | undefined, chosen: readonly (string | undefined)[]): string | undefined {
  const choices = chosen.filter((choice) => choice !== undefined);
  const whole = [name, choices.length > 0 ? `(${choices.join(', ')})` : undefined].filter(Boolean).join(' ');
  return whole === '' ? undefined : whole.slice(0, MAX_NAME_CHARACTERS).toWellFormed();
}

/** Quantities of nested options multiply. */
function flattened(options: readonly LineOption[], times: Decimal): LineOption[] {
  return options.flatMap((option) => {
    const quantity = multiply(option.quantity, times);
    return [{ ...option, quantity }, ...flattened(option.options ?? [], quantity)];
  });
}

/** Vendors round by line: up to five minor units of difference count as equal. */
const ROUNDING: Decimal = { units: 5n, scale: 2 };

/**
 * Vendors list charges (a tip for the rider, tax, a deposit) that are part of the total in one shop and not in another, without
 * saying so. True for each charge of the smallest selection that yields the total; undefined if no selection does.
 */
export function findCharged(
  total: Decimal,
  certain: Decimal,
  perhaps: readonly [Decimal, ...Decimal[]],
): boolean[] | undefined {
  const choices = Array.from({ length: 2 ** perhaps.length }, (_, choice) => {
    const isCharged = perhaps.map((_charge, index) => (choice & (1 << index)) !== 0);
    const charged = sum(perhaps.map((charge, index) => (isCharged[index] ? charge : ZERO)));
    return { isCharged, difference: absolute(subtract(add(certain, charged), total)) };
  });
  const nearest = choices.reduce((best, one) => (compare(one.difference, best.difference) < 0 ? one : best));
  return compare(nearest.difference, ROUNDING) > 0 ? undefined : nearest.isCharged;
}

/** Enough decimals that a price divided by a thousand and multiplied again is exact to the halala. */
const UNIT_PRICE_DIGITS = 6;

/** The unit price, from the price of the whole quantity. */
export function priceOfOne(all: Decimal, quantity: Decimal): Decimal {
  return quantity.units === 0n ? ZERO : divide(all, quantity, UNIT_PRICE_DIGITS);
}

export function absolute(value: Decimal): Decimal {
  return value.units < 0n ? { ...value, units: -value.units } : value;
}
