import { plainArray, type Queryable, type Tx, textArray } from '../../../platform/database/index.ts';
import type { Delivery } from '../delivery.ts';
import { markQueuesDue } from './subscription-queues.ts';

export type NewDelivery = Pick<
  Delivery,
  'organization_id' | 'subscription_id' | 'id' | 'event_id' | 'event_type' | 'event_position' | 'own_body' | 'created'
> & { status: 'pending' | 'skipped'; priority: number; retries_left: number };

type TextColumn = 'event_id' | 'event_type' | 'own_body';

/**
 * Logs deliveries and queues the pending ones. The subscriptions' queues are locked last: the new rows are invisible until the commit,
 * and a lock held for long delays claims. Sent together, in this order.
 */
export async function insertDeliveries(tx: Tx, deliveries: NewDelivery[]): Promise<void> {
  const entries = deliveries.map(({ subscription_id, priority, status, created }) => ({
    subscription_id,
    priority,
    due_at: status === 'pending' ? created : null,
  }));
  const [, present] = await Promise.all([insertRows(tx, deliveries), markQueuesDue(tx, entries)]);
  const deleted = deliveries.filter(({ subscription_id }) => !present.has(subscription_id));
  if (deleted.length > 0) await deleteUndeliverable(tx, deleted);
}

async function insertRows(tx: Tx, deliveries: NewDelivery[]): Promise<void> {
  const plain = (column: Exclude<keyof NewDelivery, TextColumn>) =>
    tx`${plainArray(deliveries.map((delivery) => delivery[column]))}::text`;
  const text = (column: TextColumn) => tx`${textArray(deliveries.map((delivery) => delivery[column]))}::text::text[]`;
  await tx`
    with input as materialized (
      select * from unnest(
        ${plain('organization_id')}::uuid[], ${plain('subscription_id')}::uuid[], ${plain('id')}::uuid[],
        ${text('event_id')}, ${text('event_type')}, ${plain('event_position')}::bigint[], ${text('own_body')},
        ${plain('status')}::text[], ${plain('priority')}::smallint[], ${plain('retries_left')}::smallint[],
        ${plain('created')}::timestamptz[]
      ) as d (organization_id, subscription_id, id, event_id, event_type, event_position, own_body, status, priority, retries_left, created)
    ), logged as (
      insert into webhook_deliveries (organization_id, subscription_id, id, event_id, event_type, event_position,
        own_body, status, next_attempt_at, created)
      select organization_id, subscription_id, id, event_id, event_type, event_position, own_body, status,
             case status when 'pending' then created end, created
      from input
    )
    insert into webhook_queued_deliveries (delivery_id, organization_id, subscription_id, delivery_created, event_id, event_type,
      event_position, priority, due_at, retries_left)
    select id, organization_id, subscription_id, created, event_id, event_type, event_position, priority, created,
           retries_left
    from input where status = 'pending'`;
}

/** Their subscription was deleted while they were written. */
async function deleteUndeliverable(tx: Tx, deliveries: NewDelivery[]): Promise<void> {
  const ids = deliveries.map((delivery) => delivery.id);
  const organizationIds = [...new Set(deliveries.map((delivery) => delivery.organization_id))];
  await tx`delete from webhook_queued_deliveries where delivery_id = any(${ids}::uuid[])`;
  await tx`
    delete from webhook_deliveries
    where organization_id = any(${organizationIds}::uuid[]) and id = any(${ids}::uuid[])`;
}

export type Requeue = { priority: number; retriesLeft: number; now: Date };

/**
 * Call it with the subscription's queues locked. Makes a delivery due now, whatever its state. One that waits for a retry keeps its
 * remaining retries; one that is in flight is not changed.
 */
export async function requeueNow(tx: Tx, delivery: Delivery, { priority, retriesLeft, now }: Requeue): Promise<void> {
  const queued = await tx`
    insert into webhook_queued_deliveries as q (delivery_id, organization_id, subscription_id, delivery_created, event_id,
      event_type, event_position, priority, due_at, retries_left)
    values (${delivery.id}, ${delivery.organization_id}, ${delivery.subscription_id}, ${delivery.created},
            ${delivery.event_id}, ${delivery.event_type}, ${delivery.event_position}, ${priority}, ${now}, ${retriesLeft})
    on conflict (delivery_id) do update set due_at = excluded.due_at, priority = excluded.priority where q.claim_id is null
    returning 1`;
  if (queued.length === 0) return;
  await tx`
    update webhook_deliveries set status = 'pending', next_attempt_at = ${now}
    where organization_id = ${delivery.organization_id} and id = ${delivery.id} and created = ${delivery.created}`;
  await markQueuesDue(tx, [{ subscription_id: delivery.subscription_id, priority, due_at: now }]);
}

export type Missed = { organizationId: string; subscriptionId: string; since: Date };

/** Never delivered, with no retry left. */
const isMissed = (sql: Queryable, missed: Missed) => sql`
  organization_id = ${missed.organizationId} and subscription_id = ${missed.subscriptionId}
  and given_up and delivered_at is null and created >= ${missed.since}`;

/** Call it with the queues locked. Makes the next missed deliveries due, oldest first, with all retries. Returns how many. */
export async function requeueMissed(
  tx: Tx,
  missed: Missed,
  { priority, retriesLeft, now }: Requeue,
  limit: number,
): Promise<number> {
  const [row] = await tx<{ requeued: number }[]>`
    with lost as (
      select id, created, event_id, event_type, event_position from webhook_deliveries where ${isMissed(tx, missed)}
      order by created, id limit ${limit} for update
    ), revived as (
      update webhook_deliveries d set status = 'pending', next_attempt_at = ${now}
      from lost where d.organization_id = ${missed.organizationId} and d.id = lost.id and d.created = lost.created
    ), queued as (
      insert into webhook_queued_deliveries (delivery_id, organization_id, subscription_id, delivery_created, event_id, event_type,
        event_position, priority, due_at, retries_left)
      select id, ${missed.organizationId}, ${missed.subscriptionId}, created, event_id, event_type, event_position,
             ${priority}, ${now}, ${retriesLeft}
      from lost on conflict do nothing
    )
    select count(*) as requeued from lost`;
  const requeued = row?.requeued ?? 0;
  if (requeued > 0) await markQueuesDue(tx, [{ subscription_id: missed.subscriptionId, priority, due_at: now }]);
  return requeued;
}

export async function countMissed(sql: Queryable, missed: Missed): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from webhook_deliveries where ${isMissed(sql, missed)}`;
  return row?.total ?? 0;
}

/** Waiting for longer than the retention: their log rows and events are deleted. */
export async function dropExpiredQueue(sql: Queryable, cut: Date): Promise<void> {
  await sql`delete from webhook_queued_deliveries where delivery_created < ${cut} and claim_id is null`;
}
