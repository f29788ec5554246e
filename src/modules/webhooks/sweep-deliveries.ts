import { inTransaction, type Sql } from '../../platform/database/index.ts';
import { takeOverDirectClaim } from './claim-directly.ts';
import { abandonedOutcome } from './judge-attempt.ts';
import { settleOutcomes } from './settle-outcomes.ts';
import { dropLoggedClaims } from './sql/direct-claims.ts';
import { dropLease, dropSettledLeases, findLostClaims, findLostLease } from './sql/leases.ts';
import { findClosedSubscriptions, lockQueues, skipWaiting } from './sql/subscription-queues.ts';

const SUBSCRIPTIONS_AT_ONCE = 20;
const SKIPPED_AT_ONCE = 1_000;

export type Swept = { takenOver: number; skipped: number; more: boolean };

/** Deliveries of a lost process become due again and are logged as abandoned; those of disabled subscriptions are skipped. */
export async function sweepDeliveries(sql: Sql, now: Date): Promise<Swept> {
  await dropSettledLeases(sql, now);
  await dropLoggedClaims(sql, now);
  const hasLogged = await takeOverDirectClaim(sql, now);
  const takenOver = await takeOverLost(sql, now);
  const skipped = await skipClosed(sql);
  return { takenOver: takenOver ?? 0, skipped, more: hasLogged || takenOver !== undefined || skipped > 0 };
}

/** One lease at a time, which needs no lock order between leases. Undefined when no lease was lost. */
async function takeOverLost(sql: Sql, now: Date): Promise<number | undefined> {
  const lease = await findLostLease(sql, now);
  if (lease === undefined) return undefined;
  const lost = await findLostClaims(sql, lease);
  const outcomes = lost.map((claim) =>
    abandonedOutcome(claim, claim.claimed_at, now, 'abandoned: the sender was lost'),
  );
  const { settled } = lost.length === 0 ? { settled: 0 } : await settleOutcomes(sql, outcomes, now);
  // Last: if this process dies before, another finds the lease with fewer deliveries.
  await dropLease(sql, lease);
  return settled;
}

/** A few at a time, so that a long backlog does not block the sweep. */
async function skipClosed(sql: Sql): Promise<number> {
  let skipped = 0;
  for (const subscriptionId of await findClosedSubscriptions(sql, SUBSCRIPTIONS_AT_ONCE)) {
    skipped += await inTransaction(sql, async (tx) => {
      await lockQueues(tx, [subscriptionId]);
      return skipWaiting(tx, subscriptionId, SKIPPED_AT_ONCE);
    });
  }
  return skipped;
}
