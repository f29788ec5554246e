import { apportion } from '../../../platform/apportion.ts';

/**
 * A partner is paid for all its tenants together; each tenant shows its part, in proportion to the commission that is left
 * after refunds. No part exceeds its tenant's commission while the payouts do not exceed all commission.
 *
 * Refunds may leave less commission than was paid out. The excess goes to the tenants whose refunds caused it, in proportion
 * to the commission they reversed, and shows there as a negative due. A payout never exceeds what is due when it is made, so
 * the excess never exceeds all reversals.
 */
export function apportionPayouts(paid: bigint, earned: readonly bigint[], reversed: readonly bigint[]): bigint[] {
  const total = earned.reduce((sum, amount) => sum + amount, 0n);
  const covered = paid < total ? paid : total;
  const excess = apportion(paid - covered, reversed);
  return apportion(covered, earned).map((part, index) => part + (excess[index] ?? 0n));
}
