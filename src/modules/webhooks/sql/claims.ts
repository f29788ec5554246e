import { type Queryable, TENANT_LOCKS, type Tx } from '../../../platform/database/index.ts';
import { MAX_IN_FLIGHT_PER_ORGANIZATION, PRIORITY } from '../delivery.ts';
import { nextDueAt } from './subscription-queues.ts';

export type Claim = {
  delivery_id: string;
  organization_id: string;
  subscription_id: string;
  event_id: string;
  event_type: string;
  priority: number;
  retries_left: number;
  claim_id: string;
  /** Of a delivery that is neither in the log nor in the queue yet: the fan-out claimed it. */
  unlogged?: { position: number; created: Date } | undefined;
};

export type ClaimRequest = {
  claimId: string;
  now: Date;
  leaseUntil: Date;
  /** Upper bound of this claim. */
  maxItems: number;
  /** Upper bound of retries among them. */
  maxRetries: number;
  /** Free in-flight slots of this process. */
  freeSlots: number;
  /** False reserves the remaining slots for receivers that answer. */
  includesFailing: boolean;
  /** Queues of which this process has its share. */
  fullQueues: { subscription_id: string; priority: number }[];
  fullOrganizations: string[];
};

export type DueQueue = {
  subscription_id: string;
  priority: number;
  organization_id: string;
  /** No other process is claiming for the same organization at this moment. Keys of others may be null. */
  ours: boolean;
};

export const QUEUES_PER_CLAIM = 64;

/**
 * How many deliveries a queue may have in flight. The limit falls with the free slots: 1/16 of what other queues leave of the process,
 * 1/2 of what they leave of the organization. Receivers that begin to hang thereby leave slots for the others.
 */
const allowed = (tx: Tx, free: number) => tx`
  least(s.max_in_flight, (${free}::int + s.in_flight + 15) / 16,
        (${MAX_IN_FLIGHT_PER_ORGANIZATION} - o.in_flight + s.in_flight + 1) / 2)`;

const organizationOf = (tx: Tx) => tx`
  cross join lateral (
    select sum(x.in_flight)::int as in_flight from webhook_subscription_queues x where x.organization_id = s.organization_id
  ) o`;

/** Queues that this process may claim from now. */
const claimable = (tx: Tx, request: ClaimRequest) => tx`
  from webhook_subscription_queues s ${organizationOf(tx)}
  where s.due_at <= ${request.now} and s.state = 'open' and s.in_flight < ${allowed(tx, request.freeSlots)}
    ${request.maxRetries > 0 ? tx`` : tx`and s.priority <> ${PRIORITY.retry}`}
    ${request.includesFailing ? tx`` : tx`and not s.failing`}
    and (s.subscription_id, s.priority) not in (select subscription_id, priority from ${keysOf(tx, request.fullQueues)})
    and s.organization_id <> all(${request.fullOrganizations}::uuid[])`;

/**
 * Due queues below their limits, the longest due first. A queue is one row here, whatever its backlog: a hundred
 * thousand pending deliveries of one subscription cost nothing.
 *
 * When another process has locked all of them, one row that is not `ours` stands for them. Without it a process that was woken at the
 * same moment as another found nothing, and slept until the next notification or poll while the other sent everything.
 */
export async function lockDueQueues(tx: Tx, request: ClaimRequest): Promise<DueQueue[]> {
  return await tx<DueQueue[]>`
    with due as materialized (
      select s.subscription_id, s.priority, s.organization_id ${claimable(tx, request)}
      order by s.due_at limit ${QUEUES_PER_CLAIM}
      for update of s skip locked
    )
    select subscription_id, priority, organization_id,
           pg_try_advisory_xact_lock(${TENANT_LOCKS.webhookClaims}, hashtext(organization_id::text)) as ours
    from due
    union all
    select null, null, null, false where not exists (select from due) and exists (select ${claimable(tx, request)})`;
}

/** How many more deliveries of a queue, and of its organization, this process may claim. */
export type ProcessSlots = { queue: number; organization: number };

/** The body is undefined until the caller has read it at the event's position, and once the event is deleted. */
export type ClaimedDelivery = { claim: Claim; body: Buffer | undefined; position: number | null };

/**
 * Claims due deliveries of locked queues round-robin: the first of each queue before the second of any. A statement of its own, so that
 * it sees everything committed before the locks were acquired.
 *
 * A delivery with a body of its own has it in the claim; the caller adds those of events. The condition is inside the look-up: as a condition
 * of the join the row was looked up for each event as well (4 us). The rows are fetched by their full key, one by one. With a plain join the
 * planner may assume one delivery per subscription and scan all of them for each (measured on a new database: 16 ms instead of 1.3).
 */
export async function claimFromQueues(
  tx: Tx,
  queues: DueQueue[],
  own: ProcessSlots[],
  request: ClaimRequest,
): Promise<ClaimedDelivery[]> {
  const rows = await tx<ClaimedRow[]>`
    with mine as materialized (
      select k.place, s.subscription_id, s.priority, s.organization_id, s.due_at,
             greatest(0, least(${allowed(tx, request.freeSlots)} - s.in_flight, k.process_slots)) as slots,
             least(${MAX_IN_FLIGHT_PER_ORGANIZATION} - o.in_flight, k.process_organization_slots) as organization_slots
      from unnest(${queues.map((queue) => queue.subscription_id)}::uuid[], ${queues.map(({ priority }) => priority)}::int[],
                  ${own.map((slots) => slots.queue)}::int[], ${own.map((slots) => slots.organization)}::int[])
           with ordinality as k (subscription_id, priority, process_slots, process_organization_slots, place)
      join webhook_subscription_queues s on s.subscription_id = k.subscription_id and s.priority = k.priority
      ${organizationOf(tx)}
    ), found as (
      select q.row, q.due_at, m.place as queue_number, m.organization_id, m.organization_slots,
             m.priority = ${PRIORITY.retry} as is_retry,
             row_number() over (partition by m.place order by q.due_at, q.delivery_id) as turn
      from mine m cross join lateral (
        select q.ctid as row, q.delivery_id, q.due_at from webhook_queued_deliveries q
        where q.subscription_id = m.subscription_id and q.priority = m.priority and q.claim_id is null
          and q.due_at >= m.due_at and q.due_at <= ${request.now}
        order by q.due_at, q.delivery_id limit m.slots
      ) q
    ), ranked as (
      select f.*, row_number() over (partition by organization_id order by turn, due_at) as place_in_organization,
             row_number() over (partition by is_retry order by turn, due_at) as place_in_kind
      from found f
    ), chosen as (
      select row, queue_number from ranked
      where place_in_organization <= organization_slots and (not is_retry or place_in_kind <= ${request.maxRetries})
      order by turn, due_at limit ${request.maxItems}
    ), claimed as (
      update webhook_queued_deliveries q set claim_id = ${request.claimId}
      from chosen c where q.ctid = c.row and q.claim_id is null
      returning c.queue_number, q.delivery_id, q.event_id, q.event_type, q.retries_left, q.organization_id,
                q.delivery_created, q.event_position
    ), leased as (
      insert into webhook_leases (claim_id, claimed_at, lease_until, delivery_ids, unsettled)
      select ${request.claimId}, ${request.now}, ${request.leaseUntil}, array_agg(delivery_id), count(*)
      from claimed having count(*) > 0
    )
    select c.queue_number, c.delivery_id, c.event_id, c.event_type, c.retries_left, d.own_body, c.event_position
    from claimed c
    left join lateral (
      select own_body from webhook_deliveries
      where c.event_position is null
        and organization_id = c.organization_id and id = c.delivery_id and created = c.delivery_created limit 1
    ) d on true`.asArrays();
  return rows.flatMap((row) => readClaimed(row, queues, request.claimId) ?? []);
}

type ClaimedRow = [
  queueNumber: number,
  deliveryId: string,
  eventId: string,
  eventType: string,
  retriesLeft: number,
  body: string | null,
  position: number | null,
];

function readClaimed(row: ClaimedRow, queues: DueQueue[], claimId: string): ClaimedDelivery | undefined {
  const [queueNumber, deliveryId, eventId, eventType, retriesLeft, body, position] = row;
  const queue = queues[queueNumber - 1];
  if (queue === undefined) return undefined;
  return {
    claim: {
      delivery_id: deliveryId,
      organization_id: queue.organization_id,
      subscription_id: queue.subscription_id,
      event_id: eventId,
      event_type: eventType,
      priority: queue.priority,
      retries_left: retriesLeft,
      claim_id: claimId,
    },
    body: body === null ? undefined : Buffer.from(body),
    position,
  };
}

/** Counts the claims and recomputes when each queue is next due: a queue may have turned out empty. */
export async function updateClaimedQueues(tx: Tx, queues: DueQueue[], claims: Claim[]): Promise<void> {
  const taken = queues.map(
    ({ subscription_id, priority }) =>
      claims.filter((claim) => claim.subscription_id === subscription_id && claim.priority === priority).length,
  );
  await tx`
    update webhook_subscription_queues s set in_flight = s.in_flight + k.taken, due_at = ${nextDueAt(tx)}
    from unnest(${queues.map((queue) => queue.subscription_id)}::uuid[], ${queues.map(({ priority }) => priority)}::int[],
                ${taken}::int[]) as k (subscription_id, priority, taken)
    where s.subscription_id = k.subscription_id and s.priority = k.priority`;
}

const keysOf = (tx: Tx, queues: { subscription_id: string; priority: number }[]) => tx`
  unnest(${queues.map((queue) => queue.subscription_id)}::uuid[], ${queues.map(({ priority }) => priority)}::int[])
    as k (subscription_id, priority)`;

export type Target = {
  id: string;
  url: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  rotation_ends_at: Date | null;
};

/** Address and secrets of the subscriptions. A deleted one has no row. */
export async function readTargets(sql: Queryable, claims: Claim[]): Promise<Target[]> {
  return await sql<Target[]>`
    select id, url, secret, previous_secret, rotation_ends_at from webhook_subscriptions
    where organization_id = any(${[...new Set(claims.map((claim) => claim.organization_id))]}::uuid[])
      and id = any(${[...new Set(claims.map((claim) => claim.subscription_id))]}::uuid[])`;
}
