import { plainArray, type Queryable, type Tx } from '../../../platform/database/index.ts';
import { IN_FLIGHT_LIMITS, PRIORITY } from '../delivery.ts';
import type { SubscriptionStatus } from '../subscription.ts';

export type QueueState = 'open' | 'held' | 'closed';
export type SubscriptionQueue = { subscription_id: string; priority: number; state: QueueState };

/**
 * Lock order of all statements: subscriptions, their queues (by subscription and priority), direct claims, queued deliveries, log, leases. A transaction
 * that holds a queue is alone with its deliveries.
 */
export async function lockQueues(tx: Tx, subscriptionIds: string[]): Promise<SubscriptionQueue[]> {
  return await tx<SubscriptionQueue[]>`
    select subscription_id, priority, state from webhook_subscription_queues
    where subscription_id = any(${plainArray(subscriptionIds)}::text::uuid[])
    order by subscription_id, priority for update`;
}

export async function insertQueues(tx: Tx, organizationId: string, subscriptionId: string): Promise<void> {
  await tx`
    insert into webhook_subscription_queues (subscription_id, priority, organization_id, max_in_flight)
    select ${subscriptionId}, priority, ${organizationId}, max_in_flight
    from unnest(${Object.values(PRIORITY)}::int[], ${Object.values(IN_FLIGHT_LIMITS.healthy)}::int[]) as p (priority, max_in_flight)`;
}

const STATE_OF: Record<SubscriptionStatus, QueueState> = { active: 'open', paused: 'held', disabled: 'closed' };

/** Manual deliveries are sent whatever the subscription's status. */
export async function updateQueues(
  tx: Tx,
  subscriptionId: string,
  status: SubscriptionStatus,
  failing: boolean,
): Promise<void> {
  const limits = failing ? IN_FLIGHT_LIMITS.failing : IN_FLIGHT_LIMITS.healthy;
  await tx`
    update webhook_subscription_queues s set
      state = case s.priority when ${PRIORITY.manual} then 'open' else ${STATE_OF[status]} end,
      max_in_flight = r.max_in_flight,
      failing = ${failing} and s.priority <> ${PRIORITY.manual}
    from unnest(${Object.values(PRIORITY)}::int[], ${Object.values(limits)}::int[]) as r (priority, max_in_flight)
    where s.subscription_id = ${subscriptionId} and s.priority = r.priority`;
}

/** `due_at` is null for deliveries that are logged only. */
export type QueueEntry = { subscription_id: string; priority: number; due_at: Date | null };

/**
 * Moves the due times of queues forward to those of rows added to them. Returns the subscriptions that have queues: one that has none was
 * deleted in the meantime.
 */
export async function markQueuesDue(tx: Tx, entries: QueueEntry[]): Promise<Set<string>> {
  const rows = await tx<{ subscription_id: string }[]>`
    with entered as materialized (
      select e.subscription_id, e.priority, min(e.due_at) as due_at
      from unnest(${entries.map((entry) => entry.subscription_id)}::uuid[], ${entries.map((entry) => entry.priority)}::int[],
                  ${entries.map((entry) => entry.due_at?.toISOString() ?? null)}::timestamptz[]) as e (subscription_id, priority, due_at)
      group by 1, 2
    ), locked as materialized (
      select s.subscription_id, s.priority, e.due_at
      from entered e join webhook_subscription_queues s on s.subscription_id = e.subscription_id and s.priority = e.priority
      order by s.subscription_id, s.priority for update of s
    )
    update webhook_subscription_queues s set due_at = least(s.due_at, k.due_at)
    from locked k where s.subscription_id = k.subscription_id and s.priority = k.priority
    returning s.subscription_id`;
  return new Set(rows.map((row) => row.subscription_id));
}

export type QueueRelease = { subscription_id: string; priority: number; freed: number; due_at: Date | null };

/** Call it with the queues locked. Frees in-flight slots, and moves due times forward to those of retries. */
export async function releaseQueueSlots(tx: Tx, releases: QueueRelease[]): Promise<void> {
  await tx`
    update webhook_subscription_queues s set in_flight = greatest(0, s.in_flight - m.freed), due_at = least(s.due_at, m.due_at)
    from unnest(${plainArray(releases.map((release) => release.subscription_id))}::text::uuid[],
                ${plainArray(releases.map((release) => release.priority))}::text::int[],
                ${plainArray(releases.map((release) => release.freed))}::text::int[],
                ${plainArray(releases.map((release) => release.due_at))}::text::timestamptz[])
         as m (subscription_id, priority, freed, due_at)
    where s.subscription_id = m.subscription_id and s.priority = m.priority`;
}

/** Disabled subscriptions with waiting deliveries. */
export async function findClosedSubscriptions(sql: Queryable, limit: number): Promise<string[]> {
  const rows = await sql<{ subscription_id: string }[]>`
    select distinct subscription_id from webhook_subscription_queues
    where due_at is not null and state = 'closed' limit ${limit}`;
  return rows.map((row) => row.subscription_id);
}

/** Call it with the queues locked. Logs the next deliveries of closed queues as skipped. Returns how many. */
export async function skipWaiting(tx: Tx, subscriptionId: string, limit: number): Promise<number> {
  const [row] = await tx<{ skipped: number }[]>`
    with waiting as (
      select q.delivery_id from webhook_subscription_queues s
      join webhook_queued_deliveries q on q.subscription_id = s.subscription_id and q.priority = s.priority and q.claim_id is null
      where s.subscription_id = ${subscriptionId} and s.state = 'closed' limit ${limit}
    ), gone as (
      delete from webhook_queued_deliveries q using waiting w where q.delivery_id = w.delivery_id
      returning q.organization_id, q.delivery_id, q.delivery_created
    ), skipped as (
      update webhook_deliveries d set status = 'skipped', next_attempt_at = null
      from gone g where d.organization_id = g.organization_id and d.id = g.delivery_id and d.created = g.delivery_created
    )
    select count(*) as skipped from gone`;
  await tx`
    update webhook_subscription_queues s set due_at = ${nextDueAt(tx)}
    where s.subscription_id = ${subscriptionId} and s.state = 'closed'`;
  return row?.skipped ?? 0;
}

/**
 * When the queue `s` is next due. Searching from its last due time, not from the beginning, skips index entries of rows claimed since: a
 * transaction left open elsewhere prevents their cleanup, and every claim would be slower than the one before.
 */
export const nextDueAt = (tx: Tx) => tx`
  (select q.due_at from webhook_queued_deliveries q
   where q.subscription_id = s.subscription_id and q.priority = s.priority and q.claim_id is null and q.due_at >= s.due_at
   order by q.due_at limit 1)`;
