import { byIndexOnly, inTransaction, type Sql, type Tx } from '../../platform/database/index.ts';
import { type Claimed, claimIn, NOTHING_CLAIMED, type Wanted } from './claim-deliveries.ts';
import type { InFlight } from './in-flight.ts';
import { type Settled, settleIn } from './settle-outcomes.ts';
import type { Outcome } from './sql/outcomes.ts';

export type Turn = { settled: Settled | undefined; claimed: Claimed };

/**
 * Settles what has ended and claims what there is room for, in one transaction. Apart, the two would stand in each
 * other's way: both need the lanes, and each would hold them through a commit of its own.
 */
export function takeTurn(
  sql: Sql,
  inFlight: InFlight,
  outcomes: Outcome[],
  wanted: Wanted | undefined,
  now: Date,
): Promise<Turn> {
  async function settleAndClaim(tx: Tx): Promise<Turn> {
    const settled = outcomes.length === 0 ? undefined : await settleIn(tx, outcomes, now);
    const [claimed] = await Promise.all([
      wanted === undefined ? NOTHING_CLAIMED : claimIn(tx, inFlight, wanted),
      settled?.written,
    ]);
    return { settled, claimed };
  }
  return inTransaction(sql, async (tx) => {
    const [, turn] = await Promise.all([byIndexOnly(tx), settleAndClaim(tx)]);
    return turn;
  });
}
