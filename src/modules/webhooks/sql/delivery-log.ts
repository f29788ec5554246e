import type { Queryable } from '../../../platform/database/index.ts';
import type { Delivery, DeliveryStatus } from '../delivery.ts';

export async function findDelivery(
  sql: Queryable,
  key: { organizationId: string; subscriptionId: string; id: string; since: Date },
): Promise<Delivery | undefined> {
  const [row] = await sql<Delivery[]>`
    select * from webhook_deliveries
    where organization_id = ${key.organizationId} and id = ${key.id} and subscription_id = ${key.subscriptionId}
      and created >= ${key.since}`;
  return row;
}

/**
 * Includes the body: of the event in the feed, found by its position alone as in `claimFromQueues`, or of the delivery itself. Null once
 * the event is past its retention.
 */
export async function findDeliveryWithBody(
  sql: Queryable,
  key: { organizationId: string; subscriptionId: string; id: string; since: Date },
): Promise<(Delivery & { body: string | null }) | undefined> {
  const [row] = await sql<(Delivery & { body: string | null })[]>`
    select d.*, coalesce(d.own_body, (
      select e.body from (select organization_id, body from order_events where position = d.event_position offset 0) e
      where e.organization_id = d.organization_id)) as body
    from webhook_deliveries d
    where d.organization_id = ${key.organizationId} and d.id = ${key.id} and d.subscription_id = ${key.subscriptionId}
      and d.created >= ${key.since}`;
  return row;
}

type Log = { organizationId: string; subscriptionId: string; since: Date };

export async function listDeliveries(
  sql: Queryable,
  query: Log & { status: DeliveryStatus | undefined; limit: number; offset: number },
): Promise<{ rows: Delivery[]; total: number }> {
  const [rows, counted] = await Promise.all([
    sql<Delivery[]>`
      select * from webhook_deliveries where ${withStatus(sql, query, query.status)}
      order by created desc, id desc limit ${query.limit} offset ${query.offset}`,
    query.status === 'delivered' ? countDelivered(sql, query) : countWith(sql, query, query.status),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

const ofLog = (sql: Queryable, log: Log) => sql`
  organization_id = ${log.organizationId} and subscription_id = ${log.subscriptionId} and created >= ${log.since}`;

/** There is no index on the status (the migration says why), so each status has its own short path. */
function withStatus(sql: Queryable, log: Log, status: DeliveryStatus | undefined) {
  switch (status) {
    case undefined:
      return ofLog(sql, log);
    case 'delivered':
      return sql`${ofLog(sql, log)} and status = 'delivered'`;
    case 'pending':
      return sql`
        ${ofLog(sql, log)} and status = 'pending' and id in (
          select delivery_id from webhook_queued_deliveries where subscription_id = ${log.subscriptionId})`;
    default:
      return sql`${ofLog(sql, log)} and given_up and status = ${status}`;
  }
}

const countWith = (sql: Queryable, log: Log, status: DeliveryStatus | undefined) => sql<{ total: number }[]>`
  select count(*) as total from webhook_deliveries where ${withStatus(sql, log, status)}`;

/** Usually nearly all of the log: all deliveries minus the others, which are counted by index. */
const countDelivered = (sql: Queryable, log: Log) => sql<{ total: number }[]>`
  select (select count(*) from webhook_deliveries where ${ofLog(sql, log)})
       - (select count(*) from webhook_deliveries where ${ofLog(sql, log)} and given_up)
       - (select count(*) from webhook_deliveries where ${withStatus(sql, log, 'pending')}) as total`;
