import { type Queryable, TENANT_LOCKS, type Tx } from '../../../platform/database/index.ts';
import { LANE, MAX_IN_FLIGHT_PER_ORGANIZATION } from '../delivery.ts';
import { firstWaiting } from './lanes.ts';

export type Claim = {
  delivery_id: string;
  organization_id: string;
  subscription_id: string;
  event_id: string;
  event_type: string;
  lane: number;
  retries_left: number;
  claim_id: string;
};

export type ClaimRequest = {
  claimId: string;
  now: Date;
  leaseUntil: Date;
  /** How many to take at most. */
  room: number;
  /** How many of them may be retries. */
  retryRoom: number;
  /** Requests that the process could still have under way. */
  free: number;
  /** False keeps what is left for receivers that answer. */
  failingToo: boolean;
  /** Of which this process has its share. */
  fullLanes: { subscription_id: string; lane: number }[];
  fullOrganizations: string[];
};

export type DueLane = {
  subscription_id: string;
  lane: number;
  organization_id: string;
  /** Nobody else is claiming for the same organization in this moment. */
  ours: boolean;
};

export const LANES_PER_CLAIM = 64;

/**
 * How much a lane may have under way. The fuller the process or the organization, the less: a sixteenth of what the others
 * leave of the one, half of what they leave of the other. So receivers that begin to hang leave places for the rest.
 */
const allowed = (tx: Tx, free: number) => tx`
  least(l.max_in_flight, (${free}::int + l.in_flight + 15) / 16,
        (${MAX_IN_FLIGHT_PER_ORGANIZATION} - o.in_flight + l.in_flight + 1) / 2)`;

const organizationOf = (tx: Tx) => tx`
  cross join lateral (
    select sum(x.in_flight)::int as in_flight from webhook_lanes x where x.organization_id = l.organization_id
  ) o`;

/**
 * Lanes that are due and have room, the longest due first. It looks at lanes, never along a backlog: a hundred thousand
 * pending deliveries of one subscription are one row here.
 */
export async function lockDueLanes(tx: Tx, request: ClaimRequest): Promise<DueLane[]> {
  return await tx<DueLane[]>`
    with due as materialized (
      select l.subscription_id, l.lane, l.organization_id
      from webhook_lanes l ${organizationOf(tx)}
      where l.due_at <= ${request.now} and l.state = 'open' and l.in_flight < ${allowed(tx, request.free)}
        ${request.retryRoom > 0 ? tx`` : tx`and l.lane <> ${LANE.retry}`}
        ${request.failingToo ? tx`` : tx`and not l.failing`}
        and (l.subscription_id, l.lane) not in (select subscription_id, lane from ${keysOf(tx, request.fullLanes)})
        and l.organization_id <> all(${request.fullOrganizations}::uuid[])
      order by l.due_at limit ${LANES_PER_CLAIM}
      for update of l skip locked
    )
    select subscription_id, lane, organization_id,
           pg_try_advisory_xact_lock(${TENANT_LOCKS.webhookClaims}, hashtext(organization_id::text)) as ours
    from due`;
}

/** How much more of a lane, and of its organization, this process may take. */
export type OwnRoom = { lane: number; organization: number };

/** With what is to be sent, if it is still kept. */
export type ClaimedDelivery = { claim: Claim; body: Buffer | undefined };

/**
 * Takes what is due from locked lanes, in turns: each lane's first before any lane's second. A statement of its own, so
 * that it sees whatever was committed before the locks were had.
 *
 * With each comes its body: the event's in the feed, or the delivery's own. Every row of those is fetched by its whole key,
 * one after the other. Joined plainly, the planner may think that a subscription has one delivery and read through all of
 * them for each (measured on a fresh database: 16 ms instead of 1.3).
 */
export async function claimFrom(
  tx: Tx,
  lanes: DueLane[],
  own: OwnRoom[],
  request: ClaimRequest,
): Promise<ClaimedDelivery[]> {
  const rows = await tx<ClaimedRow[]>`
    with mine as materialized (
      select k.place, l.subscription_id, l.lane, l.organization_id, l.due_at,
             greatest(0, least(${allowed(tx, request.free)} - l.in_flight, k.own_room)) as room,
             least(${MAX_IN_FLIGHT_PER_ORGANIZATION} - o.in_flight, k.own_organization_room) as organization_room
      from unnest(${lanes.map((lane) => lane.subscription_id)}::uuid[], ${lanes.map(({ lane }) => lane)}::int[],
                  ${own.map((room) => room.lane)}::int[], ${own.map((room) => room.organization)}::int[])
           with ordinality as k (subscription_id, lane, own_room, own_organization_room, place)
      join webhook_lanes l on l.subscription_id = k.subscription_id and l.lane = k.lane
      ${organizationOf(tx)}
    ), found as (
      select q.row, q.due_at, m.place as lane_place, m.organization_id, m.organization_room,
             m.lane = ${LANE.retry} as is_retry,
             row_number() over (partition by m.place order by q.due_at, q.delivery_id) as turn
      from mine m cross join lateral (
        select q.ctid as row, q.delivery_id, q.due_at from webhook_queue q
        where q.subscription_id = m.subscription_id and q.lane = m.lane and q.claim_id is null
          and q.due_at >= m.due_at and q.due_at <= ${request.now}
        order by q.due_at, q.delivery_id limit m.room
      ) q
    ), ranked as (
      select f.*, row_number() over (partition by organization_id order by turn, due_at) as place_in_organization,
             row_number() over (partition by is_retry order by turn, due_at) as place_in_kind
      from found f
    ), chosen as (
      select row, lane_place from ranked
      where place_in_organization <= organization_room and (not is_retry or place_in_kind <= ${request.retryRoom})
      order by turn, due_at limit ${request.room}
    ), claimed as (
      update webhook_queue q set claim_id = ${request.claimId}
      from chosen c where q.ctid = c.row and q.claim_id is null
      returning c.lane_place, q.delivery_id, q.event_id, q.event_type, q.retries_left, q.organization_id,
                q.delivery_created, q.event_position
    ), leased as (
      insert into webhook_leases (claim_id, claimed_at, lease_until, delivery_ids, unsettled)
      select ${request.claimId}, ${request.now}, ${request.leaseUntil}, array_agg(delivery_id), count(*)
      from claimed having count(*) > 0
    )
    select c.lane_place, c.delivery_id, c.event_id, c.event_type, c.retries_left, coalesce(e.body, d.own_body)
    from claimed c
    left join lateral (
      select body from order_events
      where organization_id = c.organization_id and position = c.event_position limit 1
    ) e on c.event_position is not null
    left join lateral (
      select own_body from webhook_deliveries
      where organization_id = c.organization_id and id = c.delivery_id and created = c.delivery_created limit 1
    ) d on c.event_position is null`.asArrays();
  return rows.flatMap((row) => readClaimed(row, lanes, request.claimId) ?? []);
}

type ClaimedRow = [
  lanePlace: number,
  deliveryId: string,
  eventId: string,
  eventType: string,
  retriesLeft: number,
  body: string | null,
];

function readClaimed(row: ClaimedRow, lanes: DueLane[], claimId: string): ClaimedDelivery | undefined {
  const [lanePlace, deliveryId, eventId, eventType, retriesLeft, body] = row;
  const lane = lanes[lanePlace - 1];
  if (lane === undefined) return undefined;
  return {
    claim: {
      delivery_id: deliveryId,
      organization_id: lane.organization_id,
      subscription_id: lane.subscription_id,
      event_id: eventId,
      event_type: eventType,
      lane: lane.lane,
      retries_left: retriesLeft,
      claim_id: claimId,
    },
    body: body === null ? undefined : Buffer.from(body),
  };
}

/** Counts what was claimed, and looks up afresh when each of the lanes is next due: one may have turned out empty. */
export async function moveClaimedLanes(tx: Tx, lanes: DueLane[], claims: Claim[]): Promise<void> {
  const taken = lanes.map(
    ({ subscription_id, lane }) =>
      claims.filter((claim) => claim.subscription_id === subscription_id && claim.lane === lane).length,
  );
  await tx`
    update webhook_lanes l set in_flight = l.in_flight + k.taken, due_at = ${firstWaiting(tx)}
    from unnest(${lanes.map((lane) => lane.subscription_id)}::uuid[], ${lanes.map(({ lane }) => lane)}::int[],
                ${taken}::int[]) as k (subscription_id, lane, taken)
    where l.subscription_id = k.subscription_id and l.lane = k.lane`;
}

const keysOf = (tx: Tx, lanes: { subscription_id: string; lane: number }[]) => tx`
  unnest(${lanes.map((lane) => lane.subscription_id)}::uuid[], ${lanes.map(({ lane }) => lane)}::int[])
    as k (subscription_id, lane)`;

export type Target = {
  id: string;
  url: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  rotation_ends_at: Date | null;
};

/** Where to send it, and signed with what. A subscription that was deleted has no row. */
export async function readTargets(sql: Queryable, claims: Claim[]): Promise<Target[]> {
  return await sql<Target[]>`
    select id, url, secret, previous_secret, rotation_ends_at from webhook_subscriptions
    where organization_id = any(${[...new Set(claims.map((claim) => claim.organization_id))]}::uuid[])
      and id = any(${[...new Set(claims.map((claim) => claim.subscription_id))]}::uuid[])`;
}
