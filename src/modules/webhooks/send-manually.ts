import { randomInt } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { retentionCut, type Tx } from '../../platform/database/index.ts';
import { isId, newId } from '../../platform/ids.ts';
import { EVENT_SPEC_VERSION, formatCursor, formatMicroseconds, readTenantPosition } from '../events/index.ts';
import { type Delivery, PRIORITY } from './delivery.ts';
import { deliveryNotFound, getLocked, type SubscriptionKey } from './manage-subscriptions.ts';
import { TEST_EVENT_OF_NO_ORDER, TEST_TYPE } from './schema.ts';
import { insertDeliveries, requeueNow } from './sql/deliveries.ts';
import { findDelivery } from './sql/delivery-log.ts';
import { lockQueues } from './sql/subscription-queues.ts';

/** A test event is sent like a real one, retries included; only the filter is ignored. */
export async function queueTest(tx: Tx, clock: Clock, key: SubscriptionKey, retries: number): Promise<Delivery> {
  const subscription = await getLocked(tx, key);
  const position = await readTenantPosition(tx, subscription.organization_id);
  const occurredAtUs = clock.nowNanoseconds() / 1000n;
  const eventId = `evt_${occurredAtUs}_${randomInt(1_000_000_000)}`;
  const body = {
    spec_version: EVENT_SPEC_VERSION,
    id: eventId,
    type: TEST_TYPE,
    occurred_at: formatMicroseconds(occurredAtUs),
    organization_id: subscription.organization_id,
    // The current end of the feed: a receiver that stores the last cursor can continue from this one.
    cursor: formatCursor({ position, stampedSeconds: Number(occurredAtUs / 1_000_000n) }),
    ...TEST_EVENT_OF_NO_ORDER,
  };
  const id = newId();
  await insertDeliveries(tx, [
    {
      organization_id: subscription.organization_id,
      subscription_id: subscription.id,
      id,
      event_id: eventId,
      event_type: TEST_TYPE,
      event_position: null,
      own_body: JSON.stringify(body),
      status: 'pending',
      priority: PRIORITY.manual,
      retries_left: retries,
      created: clock.now(),
    },
  ]);
  return getDelivery(tx, clock, key, id);
}

/**
 * Sends a delivery again now: same id and bytes, new timestamp and signature. It is one more attempt; if it fails, the remaining retries
 * follow, of which a dead delivery has none.
 */
export async function replayDelivery(
  tx: Tx,
  clock: Clock,
  key: SubscriptionKey,
  deliveryId: string,
  retries: number,
): Promise<Delivery> {
  const subscription = await getLocked(tx, key);
  await lockQueues(tx, [subscription.id]);
  const delivery = await getDelivery(tx, clock, key, deliveryId);
  const retriesLeft = Math.max(0, retries - delivery.attempts);
  await requeueNow(tx, delivery, { priority: PRIORITY.manual, retriesLeft, now: clock.now() });
  return getDelivery(tx, clock, key, deliveryId);
}

async function getDelivery(tx: Tx, clock: Clock, key: SubscriptionKey, id: string): Promise<Delivery> {
  const { organizationId, id: subscriptionId } = key;
  const since = retentionCut(clock.now());
  const delivery = isId(id) ? await findDelivery(tx, { organizationId, subscriptionId, id, since }) : undefined;
  if (delivery === undefined) throw deliveryNotFound(id);
  return delivery;
}
