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

/** Something that was chosen with an item: how many of it go with one of the item, and what one of it costs. */
export type LineOption = {
  name?: string | undefined;
  quantity: Decimal;
  unitPrice: Decimal;
  /** What was chosen with this in turn. */
  options?: readonly LineOption[];
};

export const ONE: Decimal = { units: 1n, scale: 0 };

const MAX_NAME_CHARACTERS = 2_000;
/** As wide as a single amount may be; products of several could grow beyond any column. */
const MAX_PRICE_DIGITS = 15;

/** One item with all that was chosen with it: names in parentheses, prices added for each one of the item. */
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

/** Two of something that is chosen three times are six. */
function flattened(options: readonly LineOption[], times: Decimal): LineOption[] {
  return options.flatMap((option) => {
    const quantity = multiply(option.quantity, times);
    return [{ ...option, quantity }, ...flattened(option.options ?? [], quantity)];
  });
}

/** Vendors round line by line; five of the smallest coins that matter are no reason to doubt what a charge is. */
const ROUNDING: Decimal = { units: 5n, scale: 2 };

/**
 * Vendors list charges (a tip for the rider, tax, a deposit) that are part of the total in one shop and not in the next, and do
 * not say which. True for each by which the total comes out, as few as will do; nothing where no choice of them does.
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

/** Enough for the price of one out of a thousand, times a thousand, to come out to the halala. */
const UNIT_PRICE_DIGITS = 6;

/** Of one, where what all of them cost is told. */
export function priceOfOne(all: Decimal, quantity: Decimal): Decimal {
  return quantity.units === 0n ? ZERO : divide(all, quantity, UNIT_PRICE_DIGITS);
}

export function absolute(value: Decimal): Decimal {
  return value.units < 0n ? { ...value, units: -value.units } : value;
}
