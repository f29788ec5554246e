import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadPayouts } from './spread-payouts.ts';

const sumOf = (parts: readonly bigint[]) => parts.reduce((sum, part) => sum + part, 0n);

describe('payouts spread over tenants', () => {
  it('give the halalas left over to the largest remainders', () => {
    expect(spreadPayouts(100n, [100n, 100n, 100n])).toEqual([34n, 33n, 33n]);
    expect(spreadPayouts(10n, [1n, 5n, 7n])).toEqual([1n, 4n, 5n]);
    expect(spreadPayouts(0n, [5n, 7n])).toEqual([0n, 0n]);
    expect(spreadPayouts(0n, [])).toEqual([]);
    expect(spreadPayouts(0n, [0n])).toEqual([0n]);
  });

  it('are all of it, and nobody’s is above what it has earned or a halala off its share', () => {
    const earnings = fc.array(fc.bigInt(0n, 10n ** 14n), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(earnings, fc.bigInt(0n, 1000n), (earned, thousandths) => {
        const total = sumOf(earned);
        const paid = (total * thousandths) / 1000n;
        const parts = spreadPayouts(paid, earned);
        expect(sumOf(parts)).toBe(paid);
        for (const [place, part] of parts.entries()) {
          const own = earned[place] ?? 0n;
          expect(part >= 0n && part <= own).toBe(true);
          if (total > 0n) expect(part - (paid * own) / total <= 1n).toBe(true);
        }
      }),
    );
  });
});
