import { inTransactionByIndex, type Sql, type Tx } from '../../platform/database/index.ts';
import type { RecentEvents } from '../events/index.ts';
import { type Claimed, type ClaimLimits, claimIn, NOTHING_CLAIMED } from './claim-deliveries.ts';
import type { InFlight } from './in-flight.ts';
import { type Settled, settleIn } from './settle-outcomes.ts';
import type { LateClaim } from './sql/direct-claims.ts';
import type { Outcome } from './sql/outcomes.ts';

/** `late`: claimed by the fan-out, and still without an answer. They are logged as pending. */
export type Ended = { outcomes: Outcome[]; late: LateClaim[] };

export type SettledAndClaimed = { settled: Settled | undefined; claimed: Claimed };

/**
 * Settles attempts that have ended and claims the next deliveries in one transaction. Two transactions would contend: both lock the
 * subscriptions' queues, and each would hold them until its own commit.
 */
export function settleAndClaim(
  sql: Sql,
  inFlight: InFlight,
  { outcomes, late }: Ended,
  limits: ClaimLimits | undefined,
  now: Date,
  recent?: RecentEvents,
): Promise<SettledAndClaimed> {
  async function work(tx: Tx): Promise<SettledAndClaimed> {
    const settled = outcomes.length + late.length === 0 ? undefined : await settleIn(tx, outcomes, now, late);
    const [claimed] = await Promise.all([
      limits === undefined ? NOTHING_CLAIMED : claimIn(tx, inFlight, limits, recent),
      settled?.written,
    ]);
    return { settled, claimed };
  }
  return inTransactionByIndex(sql, work);
}
