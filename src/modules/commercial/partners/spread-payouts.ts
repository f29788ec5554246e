/**
 * A partner is paid for all its tenants together; each is shown its part, in proportion to the commission that is left after
 * refunds. To the halala: every tenant gets the whole ones, and those left over go to the largest remainders, the earlier
 * first. No tenant's part is above its commission as long as the partner's payouts are not above all commission.
 *
 * Refunds may leave less commission than was paid out. The excess goes to the tenants whose refunds caused it, in proportion
 * to the commission they reversed, and shows there as a negative due. Payouts never exceed what was due when they were
 * made, so the excess never exceeds all reversals.
 */
export function spreadPayouts(paid: bigint, earned: readonly bigint[], reversed: readonly bigint[]): bigint[] {
  const total = totalOf(earned);
  const covered = paid < total ? paid : total;
  const parts = shareOf(covered, earned);
  const excess = shareOf(paid - covered, reversed);
  return parts.map((part, place) => part + (excess[place] ?? 0n));
}

function shareOf(whole: bigint, weights: readonly bigint[]): bigint[] {
  const total = totalOf(weights);
  if (total === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (whole * weight) / total);
  let left = whole - totalOf(parts);
  const byRemainder = weights
    .map((weight, place) => ({ place, remainder: (whole * weight) % total }))
    .sort((one, other) =>
      one.remainder === other.remainder ? one.place - other.place : one.remainder > other.remainder ? -1 : 1,
    );
  for (const { place } of byRemainder) {
    if (left === 0n) break;
    parts[place] = (parts[place] ?? 0n) + 1n;
    left -= 1n;
  }
  return parts;
}

function totalOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
