import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apportion } from './apportion.ts';

const sumOf = (parts: readonly bigint[]) => parts.reduce((sum, part) => sum + part, 0n);
const halalas = fc.bigInt(0n, 10n ** 14n);
/** Small weights too, since equal weights and equal remainders are rare among large ones. */
const weights = fc.array(fc.oneof(halalas, fc.bigInt(0n, 6n)), { minLength: 1, maxLength: 40 });

describe('apportion', () => {
  it.each([
    [100n, [100n, 100n, 100n], [34n, 33n, 33n]],
    [10n, [1n, 5n, 7n], [1n, 4n, 5n]],
    [2n, [1n, 3n], [0n, 2n]],
    [2n, [3n, 1n], [2n, 0n]],
    [0n, [5n, 7n], [0n, 0n]],
    [5n, [0n, 0n], [0n, 0n]],
    [0n, [], []],
  ])('splits %s over %s into %s', (amount, over, expected) => {
    expect(apportion(amount, over)).toEqual(expected);
  });

  it('returns shares that sum to the amount exactly', () => {
    fc.assert(
      fc.property(halalas, weights, (amount, over) => {
        expect(sumOf(apportion(amount, over))).toBe(sumOf(over) === 0n ? 0n : amount);
      }),
    );
  });

  it('returns no negative share and none that is a unit or more from its exact quota', () => {
    fc.assert(
      fc.property(halalas, weights, (amount, over) => {
        const total = sumOf(over);
        for (const [index, share] of apportion(amount, over).entries()) {
          expect(share >= 0n).toBe(true);
          const difference = share * total - amount * (over[index] ?? 0n);
          if (total > 0n) expect(difference < total && difference > -total).toBe(true);
        }
      }),
    );
  });

  it('returns no share above its weight when the amount is at most the sum of the weights', () => {
    fc.assert(
      fc.property(weights, fc.bigInt(0n, 1000n), (over, thousandths) => {
        const shares = apportion((sumOf(over) * thousandths) / 1000n, over);
        expect(shares.every((share, index) => share <= (over[index] ?? 0n))).toBe(true);
      }),
    );
  });

  it('gives a weight the same shares in whatever order the weights come', () => {
    const pairs = (amount: bigint, over: readonly bigint[]) =>
      apportion(amount, over)
        .map((share, index) => `${over[index]} ${share}`)
        .sort();
    const shuffled = weights.chain((over) =>
      fc.record({
        over: fc.constant(over),
        other: fc.shuffledSubarray(over, { minLength: over.length, maxLength: over.length }),
      }),
    );
    fc.assert(
      fc.property(fc.oneof(halalas, fc.bigInt(0n, 50n)), shuffled, (amount, { over, other }) => {
        expect(pairs(amount, other)).toEqual(pairs(amount, over));
      }),
    );
  });
});
