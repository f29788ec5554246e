import { inTransactionByIndex, type Sql, type Tx } from '../../platform/database/index.ts';
import type { RecentEvents } from '../events/index.ts';
import { type Claimed, type ClaimLimits, claimIn, NOTHING_CLAIMED } from './claim-deliveries.ts';
import type { InFlight } from './in-flight.ts';
import { type Settled, settleIn } from './settle-outcomes.ts';
import type { Outcome } from './sql/outcomes.ts';

export type SettledAndClaimed = { settled: Settled | undefined; claimed: Claimed };

/**
 * Settles attempts that have ended and claims the next deliveries in one transaction. Two transactions would contend: both lock the
 * subscriptions' queues, and each would hold them until its own commit.
 */
export function settleAndClaim(
  sql: Sql,
  inFlight: InFlight,
  outcomes: Outcome[],
  limits: ClaimLimits | undefined,
  now: Date,
  recent?: RecentEvents,
): Promise<SettledAndClaimed> {
  async function work(tx: Tx): Promise<SettledAndClaimed> {
    const settled = outcomes.length === 0 ? undefined : await settleIn(tx, outcomes, now);
    const [claimed] = await Promise.all([
      limits === undefined ? NOTHING_CLAIMED : claimIn(tx, inFlight, limits, recent),
      settled?.written,
    ]);
    return { settled, claimed };
  }
  return inTransactionByIndex(sql, work);
}
