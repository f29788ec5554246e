import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { ClaimLost } from '../../platform/work-queue/index.ts';
import { type Install, recordInstallHealth } from '../apps/index.ts';
import type { ProcessingContext } from './processing-context.ts';
import { faultOf } from './read-payload.ts';
import { failed } from './settlement.ts';
import { type QueuedPayload, type Settlement, writeSettlements } from './sql/queue.ts';

/**
 * Writes what became of payloads of one install, in the order of their arrival, and its health. The install is written before its
 * queue, in the order in which a removal locks them. Throws ClaimLost, which rolls the transaction back, where a payload belongs to
 * another claim.
 */
export async function settlePayloads(
  tx: Tx,
  install: Install,
  settlements: readonly Settlement[],
  now: Date,
): Promise<void> {
  if (settlements.some(({ dueAt }) => dueAt === null)) {
    const { organization_id: organizationId, id } = install;
    await recordInstallHealth(tx, [{ organizationId, id, ...healthAfter(settlements) }], now);
  }
  if (!(await writeSettlements(tx, settlements, now))) throw new ClaimLost('a payload was claimed by another worker');
}

/** The failures since the last success, oldest payload first. */
export function healthAfter(payloads: readonly { status: Settlement['status'] }[]) {
  const lastSuccess = payloads.findLastIndex(({ status }) => status === 'processed');
  const failedSince = payloads.slice(lastSuccess + 1).filter(({ status }) => status === 'failed').length;
  return { failed: failedSince, hasSucceeded: lastSuccess >= 0 };
}

/** Settles one payload in a transaction of its own, together with what `settlementOf` writes. */
export function settlePayload(
  { sql, ordering }: ProcessingContext,
  install: Install,
  settlementOf: (tx: Tx) => Promise<Settlement>,
): Promise<void> {
  return inTransaction(sql, async (tx) => settlePayloads(tx, install, [await settlementOf(tx)], ordering.clock.now()));
}

/** Schedules the next attempt, or dead-letters the payload: the error says which. */
export function failPayload(
  context: ProcessingContext,
  install: Install,
  row: QueuedPayload,
  error: unknown,
): Promise<void> {
  return settlePayload(context, install, async () => ({
    ...failed(context.retries, row, {}, faultOf(error), context.ordering.clock.now()),
    event: row.event,
    externalOrderId: row.external_order_id,
  }));
}
