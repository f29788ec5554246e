import { type Decimal, decimal, sum } from '../../../platform/money.ts';

/** Exact: a sum of floats is off by a few units of the last digit after some hundred days. */
export const sumRevenue = (days: readonly { revenue: number }[]): Decimal =>
  sum(days.map(({ revenue }) => decimal(revenue)));
