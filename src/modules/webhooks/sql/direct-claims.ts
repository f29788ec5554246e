import { type Piece, plainArray, type Queryable, type Tx, textArray } from '../../../platform/database/index.ts';
import { PRIORITY } from '../delivery.ts';
import type { Claim } from './claims.ts';
import type { Outcome } from './outcomes.ts';

/** A claim of a delivery that is neither logged nor queued. */
export type DirectClaim = Claim & { unlogged: NonNullable<Claim['unlogged']> };

export function isDirect(claim: Claim): claim is DirectClaim {
  return claim.unlogged !== undefined;
}

/** `isWaiting`: no request was sent yet. */
export type LateClaim = { claim: DirectClaim; isWaiting: boolean };

export type DirectLease = { claimId: string; now: Date; leaseUntil: Date; retriesLeft: number };

export async function insertDirectClaim(tx: Queryable, lease: DirectLease, claims: DirectClaim[]): Promise<void> {
  await tx`
    insert into webhook_direct_claims (claim_id, claimed_at, lease_until, unlogged, retries_left, delivery_ids, subscription_ids, positions)
    values (${lease.claimId}, ${lease.now}, ${lease.leaseUntil}, ${claims.length}, ${lease.retriesLeft},
            ${plainArray(claims.map((claim) => claim.delivery_id))}::text::uuid[],
            ${plainArray(claims.map((claim) => claim.subscription_id))}::text::uuid[],
            ${plainArray(claims.map((claim) => claim.unlogged.position))}::text::bigint[])`;
}

/** JSON never contains it: control characters are escaped. */
const SEPARATOR = '\u001f';

/** Two CTEs. `held`: claims whose lease was not taken over. `input`: deliveries of them, and of subscriptions that are not deleted. */
const heldClaims = (tx: Tx, claims: DirectClaim[], more: { values: Piece; names: Piece } = NO_MORE(tx)) => tx`
  held as materialized (
    select claim_id, claimed_at, lease_until from webhook_direct_claims
    where claim_id = any(${plainArray([...new Set(claims.map((claim) => claim.claim_id))])}::text::uuid[])
    order by claim_id for update
  ), input as materialized (
    select i.* from unnest(
      ${plainArray(claims.map((claim) => claim.delivery_id))}::text::uuid[],
      ${plainArray(claims.map((claim) => claim.claim_id))}::text::uuid[],
      ${plainArray(claims.map((claim) => claim.organization_id))}::text::uuid[],
      ${plainArray(claims.map((claim) => claim.subscription_id))}::text::uuid[],
      ${textArray(claims.map((claim) => claim.event_id))}::text::text[],
      ${textArray(claims.map((claim) => claim.event_type))}::text::text[],
      ${plainArray(claims.map((claim) => claim.unlogged.position))}::text::bigint[],
      ${plainArray(claims.map((claim) => claim.unlogged.created))}::text::timestamptz[],
      ${plainArray(claims.map((claim) => claim.retries_left))}::text::smallint[] ${more.values}
    ) as i (id, claim_id, organization_id, subscription_id, event_id, event_type, position, created, retries_left ${more.names})
    join held using (claim_id)
    join webhook_subscriptions s on s.organization_id = i.organization_id and s.id = i.subscription_id
  )`;

const NO_MORE = (tx: Tx) => ({ values: tx``, names: tx`` });

/**
 * Counts down the claims of `input`, and returns the ids in `logged` in one row. Rows exist already only when a commit went through whose
 * answer was lost: then the sweep, which compares with the log, counts. A join of both sets took a third of the statement.
 */
const countDown = (tx: Tx) => tx`
  released as (
    update webhook_direct_claims c set unlogged = c.unlogged - n.logged
    from (select claim_id, count(*) as logged from input group by claim_id) n
    where c.claim_id = n.claim_id and (select count(*) from logged) = (select count(*) from input)
  )
  select string_agg(id::text, ',') as logged from logged`;

const idsOf = ([row]: { logged: string | null }[]) => new Set(row?.logged?.split(','));

/**
 * Logs deliveries whose first attempt succeeded: the only row that is written for them. Call it with the subscriptions locked. Returns the ids
 * of those that still belonged to their claim.
 */
export async function logDelivered(tx: Tx, outcomes: (Outcome & { claim: DirectClaim })[]): Promise<Set<string>> {
  const attempts = outcomes.map(({ attempt }) => JSON.stringify([attempt]));
  const values = tx`,
      ${plainArray(outcomes.map(({ attempt }) => attempt.status_code))}::text::int[],
      string_to_array(${tx.text(attempts.join(SEPARATOR))}::text, ${SEPARATOR}),
      ${plainArray(outcomes.map(({ endedAt }) => endedAt))}::text::timestamptz[]`;
  const claims = outcomes.map(({ claim }) => claim);
  const rows = await tx<{ logged: string | null }[]>`
    with ${heldClaims(tx, claims, { values, names: tx`, status_code, attempts, ended_at` })}, logged as (
      insert into webhook_deliveries (organization_id, subscription_id, id, event_id, event_type, event_position, status, attempts,
        last_status_code, attempt_log, delivered_at, created)
      select organization_id, subscription_id, id, event_id, event_type, position, 'delivered', 1, status_code, attempts::jsonb, ended_at,
             created
      from input
      on conflict do nothing
      returning id
    ), ${countDown(tx)}`;
  return idsOf(rows);
}

/**
 * Logs deliveries as pending and puts them into the queue: those that wait due now, the others claimed as they are. From here on they are like
 * any other. Call it with the subscriptions and their queues locked. Returns the ids of those that still belonged to their claim.
 */
export async function logPending(tx: Tx, late: LateClaim[]): Promise<Set<string>> {
  const rows = await tx<{ logged: string | null }[]>`
    with ${heldClaims(
      tx,
      late.map(({ claim }) => claim),
    )}, logged as (
      insert into webhook_deliveries (organization_id, subscription_id, id, event_id, event_type, event_position, status,
        next_attempt_at, created)
      select organization_id, subscription_id, id, event_id, event_type, position, 'pending', created, created from input
      on conflict do nothing
      returning id
    ), pending as materialized (
      select i.*, i.id = any(${plainArray(late.filter((one) => one.isWaiting).map(({ claim }) => claim.delivery_id))}::text::uuid[]) as waits
      from input i join logged using (id)
    ), queued as (
      insert into webhook_queued_deliveries (delivery_id, organization_id, subscription_id, delivery_created, event_id, event_type,
        event_position, priority, due_at, retries_left, claim_id)
      select id, organization_id, subscription_id, created, event_id, event_type, position, ${PRIORITY.first}, created, retries_left,
             case when not waits then claim_id end
      from pending
    ), counted as (
      update webhook_subscription_queues s set in_flight = s.in_flight + p.sent, due_at = least(s.due_at, p.due_at)
      from (
        select subscription_id, count(*) filter (where not waits)::int as sent, min(created) filter (where waits) as due_at
        from pending group by 1) p
      where s.subscription_id = p.subscription_id and s.priority = ${PRIORITY.first}
    ), leased as (
      insert into webhook_leases as l (claim_id, claimed_at, lease_until, delivery_ids, unsettled)
      select h.claim_id, h.claimed_at, h.lease_until, array_agg(p.id), count(*)
      from pending p join held h on h.claim_id = p.claim_id where not p.waits group by 1, 2, 3
      on conflict (claim_id) do update set
        delivery_ids = l.delivery_ids || excluded.delivery_ids, unsettled = l.unsettled + excluded.unsettled
    ), ${countDown(tx)}`;
  return idsOf(rows);
}

/** A claim that ended with deliveries that are not logged: its process was lost. */
export async function findLostDirectClaim(sql: Queryable, now: Date): Promise<string | undefined> {
  const [claim] = await sql<{ claim_id: string }[]>`
    select claim_id from webhook_direct_claims where lease_until < ${now} and unlogged > 0 order by lease_until limit 1`;
  return claim?.claim_id;
}

/** What is left of a claim, by the events that it names. Those past their retention have none. */
export async function readUnlogged(sql: Queryable, claimId: string): Promise<DirectClaim[]> {
  const rows = await sql<(Omit<Claim, 'unlogged'> & { position: number; created: Date })[]>`
    select k.id as delivery_id, e.organization_id, k.subscription_id, e.event_id, e.type as event_type, ${PRIORITY.first}::int as priority,
           c.retries_left, c.claim_id, k.position, c.claimed_at as created
    from webhook_direct_claims c
    cross join lateral unnest(c.delivery_ids, c.subscription_ids, c.positions) as k (id, subscription_id, position)
    cross join lateral (
      select organization_id, event_id, type from order_events where position = k.position offset 0) e
    where c.claim_id = ${claimId} and not exists (
      select from webhook_deliveries d
      where d.organization_id = e.organization_id and d.id = k.id and d.created = c.claimed_at)`;
  return rows.map(({ position, created, ...claim }) => ({ ...claim, unlogged: { position, created } }));
}

export async function dropDirectClaim(sql: Queryable, claimId: string): Promise<void> {
  await sql`delete from webhook_direct_claims where claim_id = ${claimId}`;
}

/** Claims of which everything is logged. */
export async function dropLoggedClaims(sql: Queryable, now: Date): Promise<void> {
  await sql`delete from webhook_direct_claims where lease_until < ${now} and unlogged <= 0`;
}
