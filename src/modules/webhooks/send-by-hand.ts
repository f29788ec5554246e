import { randomInt } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { notFound } from '../../platform/http/problem.ts';
import { isId, newId } from '../../platform/ids.ts';
import { EVENT_SPEC_VERSION, formatMicroseconds } from '../events/index.ts';
import { type Delivery, LANE } from './delivery.ts';
import { getLocked, type SubscriptionKey } from './manage-subscriptions.ts';
import { findDelivery, insertDeliveries, requeueNow } from './sql/deliveries.ts';

const TEST_TYPE = 'webhook.test';

/** A test event takes the very way of a real one; only the filter does not apply to it. */
export async function queueTest(tx: Tx, clock: Clock, key: SubscriptionKey): Promise<Delivery> {
  const subscription = await getLocked(tx, key);
  const occurredAtUs = clock.nowNanoseconds() / 1000n;
  const eventId = `evt_${occurredAtUs}_${randomInt(1_000_000_000)}`;
  const body = {
    spec_version: EVENT_SPEC_VERSION,
    id: eventId,
    type: TEST_TYPE,
    occurred_at: formatMicroseconds(occurredAtUs),
    organization_id: subscription.organization_id,
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
      lane: LANE.byHand,
      retries_left: 0,
      created: clock.now(),
    },
  ]);
  return getDelivery(tx, key, id);
}

/** Sends a delivery again now: same id and bytes, fresh timestamp and signature. */
export async function replayDelivery(
  tx: Tx,
  clock: Clock,
  key: SubscriptionKey,
  deliveryId: string,
): Promise<Delivery> {
  await getLocked(tx, key);
  const delivery = await getDelivery(tx, key, deliveryId);
  await requeueNow(tx, delivery, LANE.byHand, clock.now());
  return getDelivery(tx, key, deliveryId);
}

async function getDelivery(tx: Tx, key: SubscriptionKey, id: string): Promise<Delivery> {
  const delivery = isId(id) ? await findDelivery(tx, key.organizationId, key.id, id) : undefined;
  if (delivery === undefined) throw notFound('Webhook delivery not found', { id });
  return delivery;
}
