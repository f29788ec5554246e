import { inTransaction } from '../../platform/database/index.ts';
import { findInstalls } from '../apps/index.ts';
import type { ProcessingContext } from './processing-context.ts';
import { faultOf } from './read-payload.ts';
import { resolveOrders } from './resolve-orders.ts';
import { settlePayloads } from './settle-payloads.ts';
import { failed, splitExhausted } from './settlement.ts';
import { dropPendingOf } from './sql/log.ts';
import type { QueuedPayload } from './sql/queue.ts';

/** `hasCalls`: some payloads need a call to the vendor next. */
export type Processed = { settled: number; hasCalls: boolean };

const NOTHING: Processed = { settled: 0, hasCalls: false };

/**
 * Reads claimed payloads of one install and writes their orders, in the transaction that settles the payloads: a process that dies
 * leaves all of it or nothing.
 */
export function processPayloads(
  context: ProcessingContext,
  installId: string,
  claimed: readonly QueuedPayload[],
): Promise<Processed> {
  return inTransaction(context.sql, async (tx) => {
    const now = context.ordering.clock.now();
    const [first] = claimed;
    if (first === undefined) return NOTHING;
    const [install] = await findInstalls(tx, context.box, [installId]);
    if (install === undefined) {
      // The call was stored while its install was being removed.
      await dropPendingOf(tx, first.organization_id, installId);
      return NOTHING;
    }
    const { exhausted, left } = splitExhausted(context.retries, claimed, now);
    const settlements = [...exhausted, ...(await resolveOrders(tx, context, install, left, now))];
    const positionOf = new Map(claimed.map(({ id }, position) => [id, position]));
    settlements.sort((one, other) => (positionOf.get(one.row.id) ?? 0) - (positionOf.get(other.row.id) ?? 0));
    await settlePayloads(tx, install, settlements, now);
    return { settled: settlements.length, hasCalls: settlements.some(({ stage }) => stage === 'call') };
  });
}

/** A payload that the database refuses is retried like a transient failure, and does not block the payloads after it. */
export function deferPayload(context: ProcessingContext, installId: string, row: QueuedPayload): Promise<Processed> {
  return inTransaction(context.sql, async (tx) => {
    const now = context.ordering.clock.now();
    const [install] = await findInstalls(tx, context.box, [installId]);
    if (install === undefined) {
      await dropPendingOf(tx, row.organization_id, installId);
      return NOTHING;
    }
    await settlePayloads(tx, install, [failed(context.retries, row, {}, faultOf(undefined), now)], now);
    return { ...NOTHING, settled: 1 };
  });
}
