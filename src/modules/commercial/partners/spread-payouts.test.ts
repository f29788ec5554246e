import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadPayouts } from './spread-payouts.ts';

const sumOf = (parts: readonly bigint[]) => parts.reduce((sum, part) => sum + part, 0n);
const spread = (paid: bigint, earned: readonly bigint[]) =>
  spreadPayouts(
    paid,
    earned,
    earned.map(() => 0n),
  );

describe('payouts spread over tenants', () => {
  it('give the halalas left over to the largest remainders', () => {
    expect(spread(100n, [100n, 100n, 100n])).toEqual([34n, 33n, 33n]);
    expect(spread(10n, [1n, 5n, 7n])).toEqual([1n, 4n, 5n]);
    expect(spread(0n, [5n, 7n])).toEqual([0n, 0n]);
    expect(spread(0n, [])).toEqual([]);
    expect(spread(0n, [0n])).toEqual([0n]);
  });

  it('show what exceeds the commission left after refunds at the tenants that were refunded', () => {
    expect(spreadPayouts(150n, [0n, 50n], [100n, 0n])).toEqual([100n, 50n]);
    expect(spreadPayouts(150n, [0n, 0n], [100n, 50n])).toEqual([100n, 50n]);
    expect(spreadPayouts(100n, [0n, 100n], [100n, 0n])).toEqual([0n, 100n]);
    expect(spreadPayouts(101n, [0n, 100n, 0n], [1n, 0n, 1n])).toEqual([1n, 100n, 0n]);
  });

  it('are all of it, and none is above what the tenant has earned, with refunds or without', () => {
    const tenant = fc.record({ net: fc.bigInt(0n, 10n ** 14n), reversed: fc.bigInt(0n, 10n ** 14n) });
    fc.assert(
      fc.property(fc.array(tenant, { minLength: 1, maxLength: 40 }), fc.bigInt(0n, 1000n), (tenants, thousandths) => {
        const earned = tenants.map(({ net }) => net);
        const reversed = tenants.map((one) => one.reversed);
        const total = sumOf(earned);
        const paid = ((total + sumOf(reversed)) * thousandths) / 1000n;
        const parts = spreadPayouts(paid, earned, reversed);
        expect(sumOf(parts)).toBe(paid);
        for (const [place, part] of parts.entries()) {
          const own = earned[place] ?? 0n;
          expect(part >= 0n && part <= own + (reversed[place] ?? 0n)).toBe(true);
          if (paid <= total) expect(part <= own).toBe(true);
          else expect(part >= own).toBe(true);
          if (total > 0n && paid <= total) expect(part - (paid * own) / total <= 1n).toBe(true);
        }
      }),
    );
  });
});
