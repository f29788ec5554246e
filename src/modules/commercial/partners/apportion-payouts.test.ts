import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apportionPayouts } from './apportion-payouts.ts';

const sumOf = (parts: readonly bigint[]) => parts.reduce((sum, part) => sum + part, 0n);

describe('apportionPayouts', () => {
  it('splits payouts in proportion to the commission left after refunds', () => {
    expect(apportionPayouts(100n, [100n, 100n, 100n], [0n, 0n, 0n])).toEqual([34n, 33n, 33n]);
    expect(apportionPayouts(0n, [], [])).toEqual([]);
  });

  it('shows the excess over that commission at the tenants that were refunded', () => {
    expect(apportionPayouts(150n, [0n, 50n], [100n, 0n])).toEqual([100n, 50n]);
    expect(apportionPayouts(150n, [0n, 0n], [100n, 50n])).toEqual([100n, 50n]);
    expect(apportionPayouts(100n, [0n, 100n], [100n, 0n])).toEqual([0n, 100n]);
    expect(apportionPayouts(101n, [0n, 100n, 0n], [1n, 0n, 1n])).toEqual([1n, 100n, 0n]);
  });

  it('returns parts that sum to the payouts, none above what its tenant has earned with refunds added back', () => {
    const tenant = fc.record({ net: fc.bigInt(0n, 10n ** 14n), reversed: fc.bigInt(0n, 10n ** 14n) });
    fc.assert(
      fc.property(fc.array(tenant, { minLength: 1, maxLength: 40 }), fc.bigInt(0n, 1000n), (tenants, thousandths) => {
        const earned = tenants.map(({ net }) => net);
        const reversed = tenants.map((one) => one.reversed);
        const total = sumOf(earned);
        const paid = ((total + sumOf(reversed)) * thousandths) / 1000n;
        const parts = apportionPayouts(paid, earned, reversed);
        expect(sumOf(parts)).toBe(paid);
        for (const [index, part] of parts.entries()) {
          const own = earned[index] ?? 0n;
          expect(part >= 0n && part <= own + (reversed[index] ?? 0n)).toBe(true);
          if (paid <= total) expect(part <= own).toBe(true);
          else expect(part >= own).toBe(true);
        }
      }),
    );
  });
});
