import { inTransaction, type Sql } from '../../platform/database/index.ts';
import { abandonedOutcome } from './judge-attempt.ts';
import { settleOutcomes } from './settle-outcomes.ts';
import { findLostClaims } from './sql/claims.ts';
import { findClosedSubscriptions, lockLanes, skipWaiting } from './sql/lanes.ts';

const TAKEN_OVER_AT_ONCE = 200;
const SUBSCRIPTIONS_AT_ONCE = 20;
const SKIPPED_AT_ONCE = 1_000;

export type Swept = { takenOver: number; skipped: number; more: boolean };

/** Deliveries whose sender died go back to the queue with a trace in the log; what waits for a disabled one is skipped. */
export async function sweepDeliveries(sql: Sql, now: Date): Promise<Swept> {
  const lost = await findLostClaims(sql, now, TAKEN_OVER_AT_ONCE);
  const outcomes = lost.map((claim) => abandonedOutcome(claim, now, 'abandoned: the sender was lost'));
  const { settled: takenOver } = lost.length === 0 ? { settled: 0 } : await settleOutcomes(sql, outcomes, now);
  const skipped = await skipClosed(sql);
  return { takenOver, skipped, more: lost.length === TAKEN_OVER_AT_ONCE || skipped > 0 };
}

/** A few at a time: a long backlog holds nobody up. */
async function skipClosed(sql: Sql): Promise<number> {
  let skipped = 0;
  for (const subscriptionId of await findClosedSubscriptions(sql, SUBSCRIPTIONS_AT_ONCE)) {
    skipped += await inTransaction(sql, async (tx) => {
      await lockLanes(tx, [subscriptionId]);
      return skipWaiting(tx, subscriptionId, SKIPPED_AT_ONCE);
    });
  }
  return skipped;
}
