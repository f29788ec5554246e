import { describe, expect, it } from 'vitest';
import { subtotalOf } from '../src/features/orders/subtotal.ts';

type Priced = Parameters<typeof subtotalOf>[0];
const order = (subtotal: number, totals: readonly (number | null)[]): Priced =>
  ({ amounts: { subtotal }, lines: totals.map((total) => ({ total })) }) as unknown as Priced;

describe('the subtotal of an order', () => {
  it.each([
    ['is what the channel says', order(17.5, [20]), 17.5],
    ['is what the lines add up to where it says nothing', order(0, [0.1, 0.2, 12.345]), 12.645],
    ['leaves out lines without a price', order(0, [null, 5]), 5],
    ['is nothing where nothing is known', order(0, []), 0],
  ])('%s', (_what, given, expected) => {
    expect(subtotalOf(given)).toBe(expected);
  });
});
