import { ensureWeeks, inTransaction, type Sql } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { eventsOf } from '../events/index.ts';
import type { Attempt } from './delivery.ts';
import { DELIVERY_WEEKS } from './delivery-weeks.ts';
import type { SubscriptionKey } from './manage-subscriptions.ts';
import { insertPastDeliveries, listEventsSince, type PastDelivery, type PastEvent } from './sql/delivery-history.ts';

/** How a past event was delivered: its attempts in order of time, the last one successful unless it is dead. */
export type PastAttempts = { isDead: boolean; attempts: Attempt[] };

/** Logs deliveries of events since an instant that were made elsewhere, as records: nothing is sent. Returns how many. */
export async function recordPastDeliveries(
  sql: Sql,
  key: SubscriptionKey,
  since: Date,
  attemptsOf: (event: PastEvent) => PastAttempts,
): Promise<number> {
  await ensureWeeks(sql, DELIVERY_WEEKS, since);
  return inTransaction(sql, async (tx) => {
    const events = await listEventsSince(tx, eventsOf(tx, key.organizationId), key.organizationId, since);
    const deliveries = events.map((event) => deliveryOf(key, event, attemptsOf(event)));
    await insertPastDeliveries(tx, key, deliveries);
    return deliveries.length;
  });
}

function deliveryOf(
  { organizationId, id: subscriptionId }: SubscriptionKey,
  event: PastEvent,
  { isDead, attempts }: PastAttempts,
): PastDelivery {
  const last = attempts.at(-1);
  return {
    organization_id: organizationId,
    subscription_id: subscriptionId,
    id: newId(),
    event_id: event.event_id,
    event_type: event.type,
    event_position: event.position,
    status: isDead ? 'dead' : 'delivered',
    attempts: attempts.length,
    last_status_code: last?.status_code ?? null,
    last_error: last?.error ?? '',
    attempt_log: attempts,
    delivered_at: isDead ? null : (last?.at ?? null),
    created: event.occurred_at,
  };
}
