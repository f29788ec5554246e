import { describe, expect, it } from 'vitest';
import { subtotalOf } from '../src/features/orders/subtotal.ts';

type Priced = Parameters<typeof subtotalOf>[0];
const order = (subtotal: number, totals: readonly (number | null)[]): Priced =>
  ({ amounts: { subtotal }, lines: totals.map((total) => ({ total })) }) as unknown as Priced;

describe('the subtotal of an order', () => {
  it.each([
    ['is the subtotal of the channel', order(17.5, [20]), 17.5],
    ['is the sum of the lines when the channel sends none', order(0, [0.1, 0.2, 12.345]), 12.645],
    ['leaves out lines without a price', order(0, [null, 5]), 5],
    ['is 0 without a subtotal and lines', order(0, []), 0],
  ])('%s', (_what, priced, expected) => {
    expect(subtotalOf(priced)).toBe(expected);
  });
});
