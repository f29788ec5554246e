/**
 * A partner is paid for all its tenants together; each is shown its part, in proportion to what it has earned the partner.
 * To the halala: everyone gets the whole ones, and those left over go to the largest remainders, the earlier first. Nobody
 * gets more than it has earned as long as all of them together do not.
 */
export function spreadPayouts(paid: bigint, earned: readonly bigint[]): bigint[] {
  const total = earned.reduce((sum, one) => sum + one, 0n);
  if (total === 0n) return earned.map(() => 0n);
  const parts = earned.map((one) => (paid * one) / total);
  let left = paid - parts.reduce((sum, part) => sum + part, 0n);
  const byRemainder = earned
    .map((one, place) => ({ place, remainder: (paid * one) % total }))
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
