import { createSteadyLoop, IDLE_LOOP_MS } from '../../platform/background/index.ts';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { Unreadable } from '../../platform/inbound/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Events, StampedEvent } from '../events/index.ts';
import { MATCH_WITHIN_MS } from './find-match.ts';
import type { PaymentContext } from './payment-context.ts';
import { type DueMatch, endRematch, isAnyMatchDue, listDueMatches, markForRematch } from './sql/rematch.ts';
import { matchAndMove } from './take-transaction.ts';

const BATCH = 500;
/** A transaction that waits for its order has waited longer than this. */
const REST_MS = 100;
const DUE = { perTenant: 10, limit: 100 };
/** After this time an unmatched transaction is left to be matched by hand. */
const TRIED_FOR_MS = 24 * 3_600_000;

/**
 * Matches transactions that arrived before their orders. The follower of the order events marks the transactions that a new or
 * changed order may match, in the transaction that moves its position: no mark is lost or set twice. Each marked transaction is
 * then matched in a database transaction of its own: the follower locks no order, and a failing one does not block others.
 */
export function matchAgainAsOrdersArrive(payments: PaymentContext, { log, duePoll }: Platform, events: Events) {
  const loop = createSteadyLoop({
    name: 'match transactions again',
    log,
    everyMs: IDLE_LOOP_MS,
    // The follower notifies the loop; this is for marks that a stopped process left.
    due: { duePoll, isDue: (sql) => isAnyMatchDue(sql, triedSince(payments)) },
    step: () => matchDue(payments),
  });
  /** The batches of events that marked a transaction: the others leave nothing to do. */
  const marking = new WeakSet<StampedEvent[]>();
  const follower = events.follow({
    name: 'payments',
    batchSize: BATCH,
    restMs: REST_MS,
    writesToGroup: false,
    async handle(tx, batch) {
      if ((await markOrders(tx, payments, batch)) > 0) marking.add(batch);
    },
    afterCommit(batch) {
      if (marking.has(batch)) loop.wake();
    },
  });
  return { workers: [follower, { start: async () => loop.start(), stop: loop.stop }] };
}

async function markOrders(tx: Tx, payments: PaymentContext, batch: StampedEvent[]): Promise<number> {
  const byId = new Map(batch.map((event) => [`${event.organization_id} ${event.order_id}`, event]));
  const orders = Array.from(byId.values(), (event) => ({
    organizationId: event.organization_id,
    orderId: event.order_id,
  }));
  return markForRematch(tx, orders, { since: triedSince(payments), withinMs: MATCH_WITHIN_MS });
}

const triedSince = ({ clock }: PaymentContext) => new Date(clock.now().getTime() - TRIED_FOR_MS);

/** True if there may be more. */
async function matchDue(payments: PaymentContext): Promise<boolean> {
  const due = await listDueMatches(payments.sql, { since: triedSince(payments), ...DUE });
  const failures: unknown[] = [];
  for (const one of due) {
    await matchOne(payments, one).catch((error) => failures.push(error));
  }
  // Failed ones stay marked: the loop retries them after a pause.
  if (failures.length > 0) throw failures[0];
  return due.length > 0;
}

async function matchOne(payments: PaymentContext, due: DueMatch): Promise<void> {
  try {
    await inTransaction(payments.sql, async (tx) => {
      await endRematch(tx, due);
      await matchAndMove(tx, payments, due);
    });
    payments.ordering.outbox.notify(due.organizationId);
  } catch (error) {
    // The amount differs from the order's: it stays unmatched, like one that arrives after its order.
    if (!(error instanceof Unreadable)) throw error;
    await endRematch(payments.sql, due);
  }
}
