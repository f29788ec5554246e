import { plainArray, type Queryable, TENANT_LOCKS, type Tx } from '../../../platform/database/index.ts';
import { PRIORITY } from '../delivery.ts';
import type { Subscription, SubscriptionStatus } from '../subscription.ts';
import { removeSome } from './removals.ts';
import { insertQueues } from './subscription-queues.ts';

/** Serializes creations of one tenant, so that concurrent requests cannot exceed the limit. */
export async function lockSubscriptionCount(tx: Tx, organizationId: string): Promise<number> {
  await tx`select pg_advisory_xact_lock(${TENANT_LOCKS.webhookSubscriptions}, hashtext(${organizationId}))`;
  const [row] = await tx<{ total: number }[]>`
    select count(*) as total from webhook_subscriptions where organization_id = ${organizationId}`;
  return row?.total ?? 0;
}

export type NewSubscription = Pick<
  Subscription,
  'organization_id' | 'id' | 'url' | 'description' | 'event_types' | 'secret' | 'secret_hint' | 'created'
> & { after_outbox_id?: number };

export async function insertSubscription(tx: Tx, row: NewSubscription): Promise<Subscription> {
  const [stored] = await tx<[Subscription]>`
    insert into webhook_subscriptions ${tx({ ...row, updated: row.created })} returning *`;
  await insertQueues(tx, row.organization_id, row.id);
  return stored;
}

export function listSubscriptions(sql: Queryable, organizationId: string): Promise<Subscription[]> {
  return sql<Subscription[]>`
    select * from webhook_subscriptions where organization_id = ${organizationId} order by created desc, id desc`;
}

export async function findSubscription(
  sql: Queryable,
  organizationId: string,
  id: string,
): Promise<Subscription | undefined> {
  const [row] = await sql<Subscription[]>`
    select * from webhook_subscriptions where organization_id = ${organizationId} and id = ${id}`;
  return row;
}

export async function lockSubscription(tx: Tx, organizationId: string, id: string): Promise<Subscription | undefined> {
  const [row] = await tx<Subscription[]>`
    select * from webhook_subscriptions where organization_id = ${organizationId} and id = ${id} for update`;
  return row;
}

export async function updateSubscription(
  tx: Tx,
  row: Subscription,
  change: Partial<
    Pick<
      Subscription,
      | 'url'
      | 'description'
      | 'event_types'
      | 'status'
      | 'disabled_reason'
      | 'failing_since'
      | 'secret'
      | 'secret_hint'
      | 'previous_secret'
      | 'rotation_ends_at'
      | 'updated'
    >
  >,
): Promise<Subscription> {
  const [stored] = await tx<[Subscription]>`
    update webhook_subscriptions set ${tx(change)}
    where organization_id = ${row.organization_id} and id = ${row.id} returning *`;
  return stored;
}

/** Of the queue and of the log, at once. */
const REMOVED_AT_ONCE = 100;

/**
 * Locks and deletes the queues, so that nothing is added or claimed meanwhile. Without queues nothing is sent, so a long backlog and a long
 * log may be deleted later.
 */
export async function deleteSubscription(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx`delete from webhook_subscriptions where organization_id = ${organizationId} and id = ${id}`;
  await tx`delete from webhook_subscription_queues where subscription_id = ${id}`;
  await tx`
    insert into webhook_removals (organization_id, subscription_id) values (${organizationId}, ${id})
    on conflict do nothing`;
  await removeSome(tx, { organizationId, subscriptionId: id }, REMOVED_AT_ONCE);
}

export type Match = {
  organization_id: string;
  subscription_id: string;
  status: SubscriptionStatus;
  position: number;
  /** Its receiver answers, and no first attempt waits: what is sent now overtakes nothing. */
  is_idle: boolean;
};

/**
 * Matches subscriptions with events of changes written after their creation. Outbox ids decide: they are independent of clocks, while a
 * change written before the subscription may be stamped, and get its feed position, after it.
 */
export function findMatches(
  tx: Tx,
  events: { organization_id: string; position: number; type: string; occurred_at: Date; outbox_id: number }[],
): Promise<Match[]> {
  return tx<Match[]>`
    select s.organization_id, s.id as subscription_id, s.status, e.position,
           s.status = 'active' and s.failing_since is null and exists (
             select from webhook_subscription_queues q
             where q.subscription_id = s.id and q.priority = ${PRIORITY.first} and q.state = 'open' and q.due_at is null) as is_idle
    from unnest(${plainArray(events.map((event) => event.organization_id))}::text::uuid[],
                ${plainArray(events.map((event) => event.position))}::text::bigint[],
                ${plainArray(events.map((event) => event.type))}::text::text[],
                ${plainArray(events.map((event) => event.occurred_at))}::text::timestamptz[],
                ${plainArray(events.map((event) => event.outbox_id))}::text::bigint[])
         as e (organization_id, position, type, at, outbox_id)
    join webhook_subscriptions s on s.organization_id = e.organization_id
      and case when s.after_outbox_id is null then s.created <= e.at else e.outbox_id > s.after_outbox_id end
      and (s.event_types = '{}' or e.type = any(s.event_types))
    order by e.position`;
}

/** Secrets that no delivery is signed with any more. */
export async function forgetOldSecrets(sql: Queryable, now: Date): Promise<void> {
  await sql`
    update webhook_subscriptions set previous_secret = null, rotation_ends_at = null where rotation_ends_at <= ${now}`;
}

/** A few secrets of any tenant, the newest first, for the check of DUKKAN_SECRET. */
export async function findSealedSecrets(sql: Queryable): Promise<Buffer[]> {
  const rows = await sql<{ secret: Buffer }[]>`
    select secret from webhook_subscriptions order by created desc limit 5`;
  return rows.map(({ secret }) => secret);
}
