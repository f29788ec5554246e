import type { Sql, Tx } from '../../../platform/database/index.ts';
import { LANE, MAX_IN_FLIGHT_PER_ORGANIZATION } from '../delivery.ts';

export type Claim = {
  delivery_id: string;
  organization_id: string;
  subscription_id: string;
  delivery_created: Date;
  lane: number;
  retries_left: number;
  attempt: number;
  claim_id: string;
};

export type ClaimRequest = {
  claimId: string;
  now: Date;
  leaseUntil: Date;
  room: number;
  /** False keeps what is left of the room for first attempts. */
  retriesToo: boolean;
};

const LANES_PER_CLAIM = 64;

/**
 * Takes what is due from the subscriptions that have room, oldest lane first. It looks at lanes, never along a backlog:
 * a hundred thousand pending deliveries of one subscription are one row here.
 */
export async function claimDue(tx: Tx, request: ClaimRequest): Promise<Claim[]> {
  const claims = await tx<Claim[]>`
    with open_lanes as (
      select l.subscription_id, l.lane, l.max_in_flight - l.in_flight as room, l.due_at
      from webhook_lanes l
      where l.due_at <= ${request.now} and not l.held and l.in_flight < l.max_in_flight
        ${request.retriesToo ? tx`` : tx`and l.lane <> ${LANE.retry}`}
        and (select coalesce(sum(x.in_flight), 0) from webhook_lanes x
             where x.organization_id = l.organization_id and x.in_flight > 0) < ${MAX_IN_FLIGHT_PER_ORGANIZATION}
      order by l.due_at limit ${LANES_PER_CLAIM}
      for update of l skip locked
    ), due as (
      select q.delivery_id
      from open_lanes l cross join lateral (
        select q.delivery_id, q.due_at from webhook_queue q
        where q.subscription_id = l.subscription_id and q.lane = l.lane and q.claim_id is null
          and q.due_at <= ${request.now}
        order by q.due_at, q.delivery_id limit l.room
      ) q
      order by q.due_at limit ${request.room}
    )
    update webhook_queue q
    set claim_id = ${request.claimId}, claimed_at = ${request.now}, lease_until = ${request.leaseUntil}
    from due where q.delivery_id = due.delivery_id
    returning q.delivery_id, q.organization_id, q.subscription_id, q.delivery_created, q.lane, q.retries_left,
              q.attempt, q.claim_id`;
  if (claims.length > 0) await settleLanes(tx, laneMoves(claims, 1));
  return claims;
}

type LaneMove = { subscription_id: string; lane: number; by: number };

export function laneMoves(rows: { subscription_id: string; lane: number }[], sign: 1 | -1): LaneMove[] {
  const moves = new Map<string, LaneMove>();
  for (const { subscription_id, lane } of rows) {
    const key = `${subscription_id} ${lane}`;
    const move = moves.get(key) ?? { subscription_id, lane, by: 0 };
    move.by += sign;
    moves.set(key, move);
  }
  return [...moves.values()];
}

/** Moves the in-flight counts and looks up afresh when each lane is next due. */
export async function settleLanes(tx: Tx, moves: LaneMove[]): Promise<void> {
  await tx`
    update webhook_lanes l set
      in_flight = greatest(0, l.in_flight + m.by),
      due_at = (select q.due_at from webhook_queue q
                where q.subscription_id = l.subscription_id and q.lane = l.lane and q.claim_id is null
                order by q.due_at limit 1)
    from unnest(${moves.map((move) => move.subscription_id)}::uuid[], ${moves.map((move) => move.lane)}::int[],
                ${moves.map((move) => move.by)}::int[]) as m (subscription_id, lane, by)
    where l.subscription_id = m.subscription_id and l.lane = m.lane`;
}

export type Parcel = {
  delivery_id: string;
  event_id: string;
  event_type: string;
  body: string | null;
  url: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  rotation_ends_at: Date | null;
};

/** What to send and where, for claimed deliveries. One whose subscription is gone has no row. */
export function readParcels(sql: Sql, claims: Claim[]): Promise<Parcel[]> {
  return sql<Parcel[]>`
    select d.id as delivery_id, d.event_id, d.event_type, coalesce(d.own_body, e.body) as body,
           s.url, s.secret, s.previous_secret, s.rotation_ends_at
    from unnest(${claims.map((claim) => claim.organization_id)}::uuid[],
                ${claims.map((claim) => claim.delivery_id)}::uuid[],
                ${claims.map((claim) => claim.delivery_created)}::timestamptz[]) as c (organization_id, id, created)
    join webhook_deliveries d on d.organization_id = c.organization_id and d.id = c.id and d.created = c.created
    join webhook_subscriptions s on s.organization_id = d.organization_id and s.id = d.subscription_id
    left join order_events e on e.organization_id = d.organization_id and e.position = d.event_position`;
}

/** Claims whose holder was lost: their lease has run out. */
export function lockExpiredClaims(tx: Tx, now: Date, limit: number): Promise<(Claim & { claimed_at: Date })[]> {
  return tx<(Claim & { claimed_at: Date })[]>`
    select delivery_id, organization_id, subscription_id, delivery_created, lane, retries_left, attempt, claim_id,
           claimed_at
    from webhook_queue where claim_id is not null and lease_until < ${now}
    order by lease_until limit ${limit} for update skip locked`;
}

/** Queue rows of subscriptions that were deleted while an event was being fanned out to them. */
export async function removeOrphans(sql: Sql): Promise<void> {
  await sql`
    delete from webhook_queue q
    where not exists (select 1 from webhook_lanes l where l.subscription_id = q.subscription_id)`;
}
