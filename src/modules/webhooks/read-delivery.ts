import type { Clock } from '../../platform/clock.ts';
import { retentionCut, type Sql } from '../../platform/database/index.ts';
import { isId } from '../../platform/ids.ts';
import { readAt } from '../events/index.ts';
import { type Delivery, deliveryShape, steadyHeaders } from './delivery.ts';
import { deliveryNotFound, getSubscription, type SubscriptionKey } from './manage-subscriptions.ts';
import { findDelivery, findDeliveryWithBody } from './sql/delivery-log.ts';

/**
 * A delivery as JSON text: its log entry, and what its receiver gets. The payload is included byte for byte as it is stored and sent,
 * without being parsed. It is null once the event is past its retention, which a delivery created late may outlive.
 */
export async function readDelivery(sql: Sql, clock: Clock, key: SubscriptionKey, deliveryId: string): Promise<string> {
  const { organizationId } = key;
  const subscription = await getSubscription(sql, key);
  const since = retentionCut(clock.now());
  const delivery = isId(deliveryId)
    ? await findWithBody(sql, { organizationId, subscriptionId: subscription.id, id: deliveryId, since })
    : undefined;
  if (delivery === undefined) throw deliveryNotFound(deliveryId);
  const known = { ...deliveryShape(delivery), headers: steadyHeaders(delivery) };
  return `${JSON.stringify(known).slice(0, -1)},"payload":${delivery.body ?? 'null'}}`;
}

/** On a cluster deliveries are on the coordinator and events with their tenant: two statements. */
async function findWithBody(sql: Sql, key: Parameters<typeof findDelivery>[1]) {
  if (!sql.layout.isDistributed) return findDeliveryWithBody(sql, key);
  const delivery = await findDelivery(sql, key);
  if (delivery === undefined) return undefined;
  const { own_body, event_position } = delivery as Delivery & {
    own_body: string | null;
    event_position: number | null;
  };
  if (event_position === null) return { ...delivery, body: own_body };
  const [event] = await readAt(sql, sql.layout.groupOf(key.organizationId), [event_position]);
  return { ...delivery, body: event?.body ?? own_body };
}
