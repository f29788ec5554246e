import { inTransaction } from '../../platform/database/index.ts';
import { conflict } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { retentionCut, type WakeUp } from '../events/index.ts';
import type { TrackedContext } from '../jobs/index.ts';
import { LANE } from './delivery.ts';
import { subscriptionNotFound } from './manage-subscriptions.ts';
import { countMissed, requeueMissed } from './sql/deliveries.ts';
import { findSubscription } from './sql/subscriptions.ts';

export type RecoverInput = { subscriptionId: string; since: string };

const BATCH = 500;

/** Puts back what never arrived, skipped or dead, oldest first. Run twice it finds nothing left to do. */
export async function recoverDeliveries(
  { sql, clock, config }: Platform,
  queue: WakeUp,
  { subscriptionId, since }: RecoverInput,
  { organizationId, progress, signal }: TrackedContext,
): Promise<{ recovered: number }> {
  const subscription = await findSubscription(sql, organizationId, subscriptionId);
  if (subscription === undefined) throw subscriptionNotFound(subscriptionId);
  if (subscription.status === 'disabled') throw conflict('Subscription is disabled', { id: subscriptionId });

  const cut = retentionCut(clock.now());
  const from = new Date(since) > cut ? new Date(since) : cut;
  const total = await countMissed(sql, organizationId, subscriptionId, from);
  let recovered = 0;
  while (!signal.aborted) {
    const requeued = await inTransaction(sql, (tx) =>
      requeueMissed(
        tx,
        {
          organizationId,
          subscriptionId,
          since: from,
          lane: LANE.retry,
          retries: config.webhookRetryDelaysSeconds.length,
          now: clock.now(),
        },
        BATCH,
      ),
    );
    recovered += requeued;
    await progress(recovered, Math.max(total, recovered));
    queue.ring();
    // Deliveries that die again while we work would be found again: what was there at the start is all that is sent.
    if (requeued < BATCH || recovered >= total) break;
  }
  return { recovered };
}
