/**
 * Splits an amount in proportion to weights by the largest-remainder method. Amount, weights and shares are whole minor
 * units (halalas, fils) and not negative. The shares sum to the amount exactly; where all weights are zero, all shares are.
 * No share exceeds its weight while the amount does not exceed the sum of the weights.
 *
 * Units left after rounding down go to the largest remainders. Equal remainders are ordered by weight, the larger first, so
 * that what a weight receives does not depend on where it stands; between equal weights the earlier one receives the unit.
 */
export function apportion(amount: bigint, weights: readonly bigint[]): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) return weights.map(() => 0n);
  const quotas = weights.map((weight, index) => ({
    index,
    weight,
    share: (amount * weight) / total,
    remainder: (amount * weight) % total,
  }));
  const leftover = amount - quotas.reduce((sum, { share }) => sum + share, 0n);
  const byRemainder = quotas.toSorted(
    (one, other) =>
      descending(one.remainder, other.remainder) || descending(one.weight, other.weight) || one.index - other.index,
  );
  for (const quota of byRemainder.slice(0, Number(leftover))) quota.share += 1n;
  return quotas.map(({ share }) => share);
}

function descending(one: bigint, other: bigint): number {
  if (one === other) return 0;
  return one > other ? -1 : 1;
}
