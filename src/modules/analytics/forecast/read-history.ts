import { epochDayOf } from './days.ts';
import { maskStockouts } from './mask-stockouts.ts';
import type { DemandHistory } from './types.ts';

/** Older days are left out: a year has every season once, and older days mislead more than they help. */
const MOST_DAYS = 365;
/** Less than a millionth of a piece is not demand, and sums of such values lose precision. */
const LEAST_AMOUNT = 1e-6;

export type ReadHistory = {
  /** From the first sale on; NaN where nothing is known. */
  quantities: Float64Array;
  firstEpochDay: number;
  /** Index of the first of them in what was input. */
  startsAt: number;
  /** Only whole pieces were ever sold. */
  areWhole: boolean;
  maskedStockoutDays: number;
};

/** Before its first sale a SKU was not on offer; zeros of that time are not demand. */
export function readHistory({ firstDay, quantities: input, stockoutDays }: DemandHistory): ReadHistory {
  let startsAt = Math.max(0, input.length - MOST_DAYS);
  while (startsAt < input.length && !((input[startsAt] as number) >= LEAST_AMOUNT)) startsAt += 1;
  const quantities = new Float64Array(input.length - startsAt);
  let areWhole = true;
  for (let i = 0; i < quantities.length; i += 1) {
    const quantity = input[startsAt + i] as number;
    const isKnown = quantity >= 0 && quantity < Number.POSITIVE_INFINITY;
    quantities[i] = isKnown ? (quantity < LEAST_AMOUNT ? 0 : quantity) : Number.NaN;
    if (isKnown && areWhole && !Number.isInteger(quantity)) areWhole = false;
  }
  let maskedStockoutDays = 0;
  if (stockoutDays !== undefined) {
    const flags = new Uint8Array(quantities.length);
    for (let i = 0; i < flags.length; i += 1) flags[i] = stockoutDays[startsAt + i] ? 1 : 0;
    maskedStockoutDays = maskStockouts(quantities, flags);
  }
  return { quantities, firstEpochDay: epochDayOf(firstDay) + startsAt, startsAt, areWhole, maskedStockoutDays };
}
