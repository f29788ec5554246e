import { createSteadyLoop, notifyAfterCommit } from '../../platform/background/index.ts';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { Unreadable } from '../../platform/inbound/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Events, StampedEvent } from '../events/index.ts';
import { MATCH_WITHIN_MS } from './find-match.ts';
import type { Paying } from './paying.ts';
import { type DueMatch, endRematch, listDueMatches, markForRematch } from './sql/rematch.ts';
import { matchAndMove } from './take-transaction.ts';

const BATCH = 500;
const DUE = { perTenant: 10, limit: 100 };
/** The follower wakes it; this is for marks that a process left when it ended. */
const EVERY_MS = 5_000;
/** A transaction that no order has claimed for so long waits for a person. */
const TRIED_FOR_MS = 24 * 3_600_000;

/**
 * Matches transactions that arrived before their orders. The follower of the order events marks those that a new or changed
 * order may be meant by, in the transaction that moves its position: no mark is lost or made twice. Each marked one is then
 * matched in a transaction of its own, so that the follower holds no order's lock, and one that fails holds up no other.
 */
export function matchAgainAsOrdersArrive(paying: Paying, { log }: Platform, events: Events) {
  const loop = createSteadyLoop({
    name: 'match transactions again',
    log,
    everyMs: EVERY_MS,
    step: () => notifyAfterCommit(paying.ordering.outbox, () => matchDue(paying)),
  });
  const follower = events.follow({
    name: 'payments',
    batchSize: BATCH,
    withBodies: false,
    handle: (tx, batch) => markOrders(tx, paying, batch),
    afterCommit: loop.wake,
  });
  return { workers: [follower, { start: async () => loop.start(), stop: loop.stop }] };
}

async function markOrders(tx: Tx, paying: Paying, batch: StampedEvent[]): Promise<void> {
  const byId = new Map(batch.map((event) => [`${event.organization_id} ${event.order_id}`, event]));
  const orders = Array.from(byId.values(), (event) => ({
    organizationId: event.organization_id,
    orderId: event.order_id,
  }));
  await markForRematch(tx, orders, { since: triedSince(paying), withinMs: MATCH_WITHIN_MS });
}

const triedSince = ({ clock }: Paying) => new Date(clock.now().getTime() - TRIED_FOR_MS);

/** True while there is more. */
async function matchDue(paying: Paying): Promise<boolean> {
  const due = await listDueMatches(paying.sql, { since: triedSince(paying), ...DUE });
  const failures: unknown[] = [];
  for (const one of due) {
    await matchOne(paying, one).catch((error) => failures.push(error));
  }
  // Those that failed stay marked: the loop waits for a moment and comes back to them.
  if (failures.length > 0) throw failures[0];
  return due.length > 0;
}

async function matchOne(paying: Paying, due: DueMatch): Promise<void> {
  try {
    await inTransaction(paying.sql, async (tx) => {
      await endRematch(tx, due);
      await matchAndMove(tx, paying, due);
    });
  } catch (error) {
    // It is another amount than the order's: seen as unmatched, as one that arrives after its order is.
    if (!(error instanceof Unreadable)) throw error;
    await endRematch(paying.sql, due);
  }
}
