import type { Queryable, Tx } from '../../../platform/database/index.ts';
import type { Delivery, DeliveryStatus } from '../delivery.ts';

export type NewDelivery = {
  organization_id: string;
  subscription_id: string;
  id: string;
  event_id: string;
  event_type: string;
  event_position: number | null;
  own_body: string | null;
  status: 'pending' | 'skipped';
  lane: number;
  retries_left: number;
  created: Date;
};

/** Logs deliveries and queues those that are to be sent, all in one statement. */
export async function insertDeliveries(tx: Tx, deliveries: NewDelivery[]): Promise<void> {
  await tx`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(deliveries)}::text::json) as d
        (organization_id uuid, subscription_id uuid, id uuid, event_id text, event_type text, event_position bigint,
         own_body text, status text, lane smallint, retries_left smallint, created timestamptz)
    ), logged as (
      insert into webhook_deliveries (organization_id, subscription_id, id, event_id, event_type, event_position,
        own_body, status, next_attempt_at, created)
      select organization_id, subscription_id, id, event_id, event_type, event_position, own_body, status,
             case status when 'pending' then created end, created
      from input
    ), queued as (
      insert into webhook_queue (delivery_id, organization_id, subscription_id, delivery_created, lane, due_at,
        retries_left, attempt)
      select id, organization_id, subscription_id, created, lane, created, retries_left, 1
      from input where status = 'pending'
    )
    update webhook_lanes l set due_at = least(l.due_at, d.due_at)
    from (select subscription_id, lane, min(created) as due_at from input where status = 'pending' group by 1, 2) d
    where l.subscription_id = d.subscription_id and l.lane = d.lane`;
}

export async function findDelivery(
  sql: Queryable,
  organizationId: string,
  subscriptionId: string,
  id: string,
): Promise<Delivery | undefined> {
  const [row] = await sql<Delivery[]>`
    select * from webhook_deliveries
    where organization_id = ${organizationId} and id = ${id} and subscription_id = ${subscriptionId}`;
  return row;
}

export async function listDeliveries(
  sql: Queryable,
  query: {
    organizationId: string;
    subscriptionId: string;
    status: DeliveryStatus | undefined;
    since: Date;
    limit: number;
    offset: number;
  },
): Promise<{ rows: Delivery[]; total: number }> {
  const where = sql`
    organization_id = ${query.organizationId} and subscription_id = ${query.subscriptionId}
    and created >= ${query.since}
    ${query.status === undefined ? sql`` : sql`and status = ${query.status}`}`;
  const [rows, counted] = await Promise.all([
    sql<Delivery[]>`
      select * from webhook_deliveries where ${where}
      order by created desc, id desc limit ${query.limit} offset ${query.offset}`,
    sql<{ total: number }[]>`select count(*) as total from webhook_deliveries where ${where}`,
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Puts a delivery back to be sent now, whatever became of it; one that is being sent this moment is left alone. */
export async function requeueNow(tx: Tx, delivery: Delivery, lane: number, now: Date): Promise<void> {
  await tx`
    insert into webhook_queue as q (delivery_id, organization_id, subscription_id, delivery_created, lane, due_at,
      retries_left, attempt)
    values (${delivery.id}, ${delivery.organization_id}, ${delivery.subscription_id}, ${delivery.created}, ${lane},
            ${now}, 0, ${delivery.attempts + 1})
    on conflict (delivery_id) do update set due_at = excluded.due_at, lane = excluded.lane where q.claim_id is null`;
  await tx`
    update webhook_deliveries set status = 'pending', next_attempt_at = ${now}
    where organization_id = ${delivery.organization_id} and id = ${delivery.id} and created = ${delivery.created}`;
  await tx`
    update webhook_lanes set due_at = least(due_at, ${now})
    where subscription_id = ${delivery.subscription_id} and lane = ${lane}`;
}

/** The next few that never arrived, oldest first, put back with a full schedule. Returns how many. */
export async function requeueMissed(
  tx: Tx,
  missed: { organizationId: string; subscriptionId: string; since: Date; lane: number; retries: number; now: Date },
  limit: number,
): Promise<number> {
  const [row] = await tx<{ requeued: number }[]>`
    with lost as (
      select id, created, attempts from webhook_deliveries
      where organization_id = ${missed.organizationId} and subscription_id = ${missed.subscriptionId}
        and status in ('skipped', 'dead') and created >= ${missed.since}
      order by created, id limit ${limit} for update
    ), revived as (
      update webhook_deliveries d set status = 'pending', next_attempt_at = ${missed.now}
      from lost where d.organization_id = ${missed.organizationId} and d.id = lost.id and d.created = lost.created
    ), queued as (
      insert into webhook_queue (delivery_id, organization_id, subscription_id, delivery_created, lane, due_at,
        retries_left, attempt)
      select id, ${missed.organizationId}, ${missed.subscriptionId}, created, ${missed.lane}, ${missed.now},
             ${missed.retries}, attempts + 1
      from lost on conflict do nothing
    ), laned as (
      update webhook_lanes set due_at = least(due_at, ${missed.now})
      where subscription_id = ${missed.subscriptionId} and lane = ${missed.lane}
    )
    select count(*) as requeued from lost`;
  return row?.requeued ?? 0;
}

export async function countMissed(
  sql: Queryable,
  organizationId: string,
  subscriptionId: string,
  since: Date,
): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from webhook_deliveries
    where organization_id = ${organizationId} and subscription_id = ${subscriptionId}
      and status in ('skipped', 'dead') and created >= ${since}`;
  return row?.total ?? 0;
}

/** For a subscription that was disabled: what was still to be sent is logged as skipped and can be recovered later. */
export async function skipPending(tx: Tx, organizationId: string, subscriptionId: string): Promise<void> {
  await tx`
    with gone as (
      delete from webhook_queue
      where subscription_id = ${subscriptionId} and claim_id is null and lane <> 2
      returning delivery_id, delivery_created
    )
    update webhook_deliveries d set status = 'skipped', next_attempt_at = null
    from gone where d.organization_id = ${organizationId} and d.id = gone.delivery_id
      and d.created = gone.delivery_created`;
  await tx`update webhook_lanes set due_at = null where subscription_id = ${subscriptionId} and lane <> 2`;
}
