import type { Notifier } from '../../platform/background/index.ts';
import { inTransaction, retentionCut, type Tx } from '../../platform/database/index.ts';
import { conflict } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import type { TrackedContext } from '../jobs/index.ts';
import { PRIORITY } from './delivery.ts';
import { getLocked, type SubscriptionKey, subscriptionNotFound } from './manage-subscriptions.ts';
import { countMissed, type Missed, requeueMissed } from './sql/deliveries.ts';
import { lockQueues } from './sql/subscription-queues.ts';

export const RECOVER_JOB = 'recover-webhook-deliveries';

export type RecoverInput = { subscriptionId: string; since: string };

const BATCH = 500;

/** The subscription's id. Throws for a disabled one, whose deliveries would be skipped again. */
export async function checkRecoverable(tx: Tx, key: SubscriptionKey): Promise<string> {
  const { id, status } = await getLocked(tx, key);
  if (status === 'disabled') throw isDisabled(id);
  return id;
}

/** Queues skipped and dead deliveries again, oldest first. A second run finds nothing left. */
export async function recoverDeliveries(
  { sql, clock }: Platform,
  { queue, retries }: { queue: Notifier; retries: number },
  { subscriptionId, since }: RecoverInput,
  { organizationId, progress, signal }: TrackedContext,
): Promise<{ recovered: number }> {
  const cut = retentionCut(clock.now());
  const missed: Missed = { organizationId, subscriptionId, since: new Date(since) > cut ? new Date(since) : cut };
  const total = await countMissed(sql, missed);
  let recovered = 0;
  // Deliveries that die again meanwhile are not queued twice: at most as many are sent as there were at the start.
  while (recovered < total) {
    signal.throwIfAborted();
    const requeued = await inTransaction(sql, async (tx) => {
      const queues = await lockQueues(tx, [subscriptionId]);
      if (queues.length === 0) throw subscriptionNotFound(subscriptionId);
      if (queues.some(({ state }) => state === 'closed')) throw isDisabled(subscriptionId);
      return requeueMissed(tx, missed, { priority: PRIORITY.retry, retriesLeft: retries, now: clock.now() }, BATCH);
    });
    if (requeued === 0) break;
    recovered += requeued;
    queue.notify();
    await progress(recovered, Math.max(total, recovered));
  }
  return { recovered };
}

function isDisabled(id: string) {
  return conflict('Webhook subscription is disabled', { id });
}
