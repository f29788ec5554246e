import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { LANE, LANE_ROOM } from '../delivery.ts';
import type { SubscriptionStatus } from '../subscription.ts';

export type LaneState = 'open' | 'held' | 'closed';
export type Lane = { subscription_id: string; lane: number; state: LaneState };

/**
 * Everyone locks in this order: subscriptions, lanes (by subscription and lane), queue, log, leases. Whoever holds a lane
 * is alone with its queue rows.
 */
export async function lockLanes(tx: Tx, subscriptionIds: string[]): Promise<Lane[]> {
  return await tx<Lane[]>`
    select subscription_id, lane, state from webhook_lanes
    where subscription_id = any(${subscriptionIds}::uuid[])
    order by subscription_id, lane for update`;
}

export async function insertLanes(tx: Tx, organizationId: string, subscriptionId: string): Promise<void> {
  await tx`
    insert into webhook_lanes (subscription_id, lane, organization_id, max_in_flight)
    select ${subscriptionId}, lane, ${organizationId}, room
    from unnest(${Object.values(LANE)}::int[], ${Object.values(LANE_ROOM.healthy)}::int[]) as l (lane, room)`;
}

const STATE_OF: Record<SubscriptionStatus, LaneState> = { active: 'open', paused: 'held', disabled: 'closed' };

/** What was asked for by hand goes out whatever the subscription's status. */
export async function setLanes(
  tx: Tx,
  subscriptionId: string,
  status: SubscriptionStatus,
  failing: boolean,
): Promise<void> {
  const room = failing ? LANE_ROOM.failing : LANE_ROOM.healthy;
  await tx`
    update webhook_lanes l set
      state = case l.lane when ${LANE.byHand} then 'open' else ${STATE_OF[status]} end,
      max_in_flight = r.room,
      failing = ${failing} and l.lane <> ${LANE.byHand}
    from unnest(${Object.values(LANE)}::int[], ${Object.values(room)}::int[]) as r (lane, room)
    where l.subscription_id = ${subscriptionId} and l.lane = r.lane`;
}

/** `due_at` is absent for what is only logged. */
export type LaneEntry = { subscription_id: string; lane: number; due_at: Date | null };

/**
 * Tells lanes of rows that were put into them, and when the first of those is due. Returns the subscriptions that have
 * lanes: one that has not was deleted in the meantime.
 */
export async function enterLanes(tx: Tx, entries: LaneEntry[]): Promise<Set<string>> {
  const rows = await tx<{ subscription_id: string }[]>`
    with entered as materialized (
      select e.subscription_id, e.lane, min(e.due_at) as due_at
      from unnest(${entries.map((entry) => entry.subscription_id)}::uuid[], ${entries.map((entry) => entry.lane)}::int[],
                  ${entries.map((entry) => entry.due_at?.toISOString() ?? null)}::timestamptz[]) as e (subscription_id, lane, due_at)
      group by 1, 2
    ), locked as materialized (
      select l.subscription_id, l.lane, e.due_at
      from entered e join webhook_lanes l on l.subscription_id = e.subscription_id and l.lane = e.lane
      order by l.subscription_id, l.lane for update of l
    )
    update webhook_lanes l set due_at = least(l.due_at, k.due_at)
    from locked k where l.subscription_id = k.subscription_id and l.lane = k.lane
    returning l.subscription_id`;
  return new Set(rows.map((row) => row.subscription_id));
}

export type LaneMove = { subscription_id: string; lane: number; freed: number; due_at: Date | null };

/** Under their locks: what was in flight and is not any more, and when the first of what came back is due. */
export async function releaseLanes(tx: Tx, moves: LaneMove[]): Promise<void> {
  await tx`
    update webhook_lanes l set in_flight = greatest(0, l.in_flight - m.freed), due_at = least(l.due_at, m.due_at)
    from unnest(${moves.map((move) => move.subscription_id)}::uuid[], ${moves.map((move) => move.lane)}::int[],
                ${moves.map((move) => move.freed)}::int[],
                ${moves.map((move) => move.due_at?.toISOString() ?? null)}::timestamptz[])
         as m (subscription_id, lane, freed, due_at)
    where l.subscription_id = m.subscription_id and l.lane = m.lane`;
}

/** Of disabled subscriptions that still have something waiting. */
export async function findClosedSubscriptions(sql: Queryable, limit: number): Promise<string[]> {
  const rows = await sql<{ subscription_id: string }[]>`
    select distinct subscription_id from webhook_lanes
    where due_at is not null and state = 'closed' limit ${limit}`;
  return rows.map((row) => row.subscription_id);
}

/** Under the lanes' locks: logs the next few that wait in a closed lane as skipped. Returns how many. */
export async function skipWaiting(tx: Tx, subscriptionId: string, limit: number): Promise<number> {
  const [row] = await tx<{ skipped: number }[]>`
    with waiting as (
      select q.delivery_id from webhook_lanes l
      join webhook_queue q on q.subscription_id = l.subscription_id and q.lane = l.lane and q.claim_id is null
      where l.subscription_id = ${subscriptionId} and l.state = 'closed' limit ${limit}
    ), gone as (
      delete from webhook_queue q using waiting w where q.delivery_id = w.delivery_id
      returning q.organization_id, q.delivery_id, q.delivery_created
    ), skipped as (
      update webhook_deliveries d set status = 'skipped', next_attempt_at = null
      from gone g where d.organization_id = g.organization_id and d.id = g.delivery_id and d.created = g.delivery_created
    )
    select count(*) as skipped from gone`;
  await tx`
    update webhook_lanes l set due_at = ${firstWaiting(tx)}
    where l.subscription_id = ${subscriptionId} and l.state = 'closed'`;
  return row?.skipped ?? 0;
}

/**
 * When the lane `l` is next due. Looking on from its last due time, not from the beginning, steps over the index entries
 * of rows that were claimed since: with a transaction left open elsewhere those cannot be cleared, and would make every
 * claim slower than the one before.
 */
export const firstWaiting = (tx: Tx) => tx`
  (select q.due_at from webhook_queue q
   where q.subscription_id = l.subscription_id and q.lane = l.lane and q.claim_id is null and q.due_at >= l.due_at
   order by q.due_at limit 1)`;
