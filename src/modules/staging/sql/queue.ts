import { type Piece, type Queryable, type Sql, TENANT_LOCKS, type Tx } from '../../../platform/database/index.ts';
import type { PayloadError, StagedCallRow, StagedPayload } from '../staged-payload.ts';
import { errorColumns } from './error-columns.ts';

/** `read` needs the database alone, `call` a call to the vendor. */
export type Stage = 'read' | 'call';

/** Sorts before every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export type DueInstall = { id: string; organization_id: string; app_slug: string };

/**
 * Installs with something due at a stage, from `after` on. Goes from install to install along the index, one step each, so the
 * length of a backlog costs nothing. The caller starts again from the beginning after the last one: that makes it round-robin.
 */
export async function findDueInstalls(
  sql: Queryable,
  { stage, after, now, limit }: { stage: Stage; after: string; now: Date; limit: number },
): Promise<DueInstall[]> {
  return sql<DueInstall[]>`
    with recursive ${firstPerInstall(sql, stage, after)}
    select id, organization_id, app_slug from step where due_at <= ${now} limit ${limit}`;
}

/** For the due poll: whether an install has something due at a stage. */
export const isAnyInstallDue = (sql: Queryable, stage: Stage, now: Date): Piece => sql`
  exists (with recursive ${firstPerInstall(sql, stage, FIRST_ID)} select from step where due_at <= ${now})`;

const firstPerInstall = (sql: Queryable, stage: Stage, after: string) => sql`
    step as (
      (select organization_app_id as id, organization_id, app_slug, due_at from staging_queue
       where stage = ${stage} and organization_app_id > ${after}::uuid order by organization_app_id, due_at limit 1)
      union all
      select n.id, n.organization_id, n.app_slug, n.due_at from step s cross join lateral (
        select organization_app_id as id, organization_id, app_slug, due_at from staging_queue
        where stage = ${stage} and organization_app_id > s.id order by organization_app_id, due_at limit 1
      ) n
    )`;

/** `queue_attempts` counts this claim. */
export type QueuedPayload = StagedPayload & StagedCallRow & { queue_attempts: number; claim_id: string };

export type ClaimRequest = {
  installId: string;
  claimId: string;
  now: Date;
  /** When the payloads are due again if nothing is heard of this claim. */
  leaseUntil: Date;
  rows: number;
  bytes: number;
};

/**
 * Claims the next payloads of an install, oldest first: at most so many, and so many bytes, but always one. None while another
 * worker has a live claim, so that the payloads of an install are read in the order of their arrival. A payload whose earlier
 * claim ran out is claimed alone: if it is what kills the process, its neighbours are not counted with it.
 *
 * Two workers whose statements overlap may both pass the check for a live claim; they get different payloads, and the vendor's
 * revision decides between those of one order. `synchronous_commit` is off, because a claim that is lost with the server's memory
 * leaves the payload due, as it was.
 */
export function claimToRead(sql: Queryable, claim: ClaimRequest): Promise<QueuedPayload[]> {
  return sql<QueuedPayload[]>`
    with alone as materialized (
      select set_config('synchronous_commit', 'off', true) as relaxed,
             pg_try_advisory_xact_lock(${TENANT_LOCKS.stagingInstalls}, hashtext(${claim.installId})) as ours,
             exists (
               select from staging_queue
               where stage = 'read' and organization_app_id = ${claim.installId} and due_at > ${claim.now}
                 and claim_id is not null
             ) as is_busy
    ), due as materialized (
      select q.*, row_number() over oldest as place, sum(bytes) over oldest - bytes as before,
             bool_or(claim_id is not null) over oldest as has_abandoned
      from (
        select organization_app_id, staging_id, due_at, bytes, claim_id from staging_queue
        where stage = 'read' and organization_app_id = ${claim.installId} and due_at <= ${claim.now}
          and (select ours and not is_busy from alone)
        order by due_at, staging_id limit ${claim.rows}
      ) q
      window oldest as (order by due_at, staging_id)
    ), ${claimed(sql, claim, sql`d.before < ${claim.bytes} and (d.place = 1 or not d.has_abandoned)`)}`;
}

/** Claims payloads that need a call to the vendor. Several of one install may be under way: the order of answers is not ours. */
export function claimToCall(sql: Queryable, claim: ClaimRequest): Promise<QueuedPayload[]> {
  return sql<QueuedPayload[]>`
    with relaxed as materialized (
      select set_config('synchronous_commit', 'off', true)
    ), due as materialized (
      select q.*, row_number() over oldest as place, sum(bytes) over oldest - bytes as before
      from (
        select organization_app_id, staging_id, due_at, bytes from staging_queue
        where stage = 'call' and organization_app_id = ${claim.installId} and due_at <= ${claim.now}
          and (select count(*) from relaxed) = 1
        order by due_at, staging_id limit ${claim.rows}
        for update skip locked
      ) q
      window oldest as (order by due_at, staging_id)
    ), ${claimed(sql, claim, sql`d.before < ${claim.bytes}`)}`;
}

/** `due_at` is compared again: a row that another claim has changed since this statement began is left to that claim. */
const claimed = (sql: Queryable, claim: ClaimRequest, chosen: Piece) => sql`
  claimed as (
      update staging_queue q set claim_id = ${claim.claimId}, attempts = q.attempts + 1, due_at = ${claim.leaseUntil}
      from due d
      where q.organization_app_id = d.organization_app_id and q.staging_id = d.staging_id and q.due_at <= ${claim.now}
        and ${chosen}
      returning q.organization_id, q.staging_id, q.received_at, q.attempts, q.claim_id, d.place
    )
    select p.*, c.attempts as queue_attempts, c.claim_id from claimed c
    join staged_payloads p
      on p.organization_id = c.organization_id and p.id = c.staging_id and p.received_at = c.received_at
    order by c.place`;

/** Gives back what was claimed and not worked on: due at once, and not counted. */
export async function releaseClaim(
  sql: Queryable,
  { installId, claimId }: { installId: string; claimId: string },
  now: Date,
): Promise<void> {
  await sql`
    update staging_queue set claim_id = null, attempts = attempts - 1, due_at = ${now}
    where organization_app_id = ${installId} and claim_id = ${claimId}`;
}

export type Settlement = {
  row: Pick<QueuedPayload, 'organization_id' | 'organization_app_id' | 'id' | 'received_at' | 'claim_id'>;
  event: string | null;
  externalOrderId: string | null;
  status: StagedPayload['status'];
  outcome: StagedPayload['outcome'];
  error: PayloadError | null;
  orderId: string | null;
  attempts: number;
  /** When it is worked on again, and at which stage; nothing when it is over. */
  dueAt: Date | null;
  stage?: Stage;
};

const TOTAL_SLOTS = 16;

/**
 * Writes what became of payloads, updates or deletes their queue rows and counts those that leave the queue, in one statement: a
 * payload that arrives alone pays for every round trip by itself. Must be the last statement of its transaction, since the counters
 * are shared. Returns false when a payload belongs to another claim now: the caller rolls back.
 */
export async function writeSettlements(tx: Tx, settlements: readonly Settlement[], now: Date): Promise<boolean> {
  if (settlements.length === 0) return true;
  const rows = settlements.map(({ row, error, ...rest }) => ({
    organization_id: row.organization_id,
    organization_app_id: row.organization_app_id,
    id: row.id,
    received_at: row.received_at,
    claim_id: row.claim_id,
    event: rest.event,
    external_order_id: rest.externalOrderId,
    status: rest.status,
    outcome: rest.outcome,
    ...errorColumns(error),
    order_id: rest.orderId,
    attempts: rest.attempts,
    due_at: rest.dueAt,
    stage: rest.stage ?? null,
  }));
  const [settled] = await tx<{ total: number }[]>`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as s
        (organization_id uuid, organization_app_id uuid, id uuid, received_at timestamptz, claim_id uuid, event text,
         external_order_id text, status text, outcome text, error_code text, error_message text, error_path text,
         order_id uuid, attempts int, due_at timestamptz, stage text)
    ), over as (
      delete from staging_queue q using input i
      where i.due_at is null and q.organization_app_id = i.organization_app_id and q.staging_id = i.id
        and q.claim_id = i.claim_id
      returning i.id, i.status
    ), counted as (
      update staging_totals t set processed = t.processed + o.processed, failed = t.failed + o.failed
      from (
        select count(*) filter (where status = 'processed') as processed, count(*) filter (where status = 'failed') as failed
        from over
      ) o
      where t.slot = ${Math.floor(Math.random() * TOTAL_SLOTS)}::smallint and o.processed + o.failed > 0
    ), again as (
      update staging_queue q set due_at = i.due_at, attempts = i.attempts, stage = coalesce(i.stage, q.stage), claim_id = null
      from input i
      where i.due_at is not null and q.organization_app_id = i.organization_app_id and q.staging_id = i.id
        and q.claim_id = i.claim_id
      returning i.id
    ), written as (
      update staged_payloads p set
        event = i.event, external_order_id = i.external_order_id, status = i.status, outcome = i.outcome,
        error_code = i.error_code, error_message = i.error_message, error_path = i.error_path, order_id = i.order_id,
        attempts = i.attempts, processed_at = case when i.due_at is null then ${now}::timestamptz end
      from input i
      where p.organization_id = i.organization_id and p.id = i.id and p.received_at = i.received_at
    )
    select (select count(*) from over) + (select count(*) from again) as total`;
  return settled?.total === settlements.length;
}

/**
 * Stores what the vendor answered, to be read at once; the call was no failure, so its attempt is taken back. Nothing happens to
 * a payload that was deleted or queued again meanwhile.
 */
export async function storeFetched(sql: Queryable, row: QueuedPayload, fetched: Buffer, now: Date): Promise<void> {
  await sql`
    with queued as (
      update staging_queue set stage = 'read', due_at = ${now}, attempts = attempts - 1, claim_id = null
      where organization_app_id = ${row.organization_app_id} and staging_id = ${row.id} and claim_id = ${row.claim_id}
      returning organization_id, staging_id, received_at
    )
    update staged_payloads p set fetched = ${fetched} from queued q
    where p.organization_id = q.organization_id and p.id = q.staging_id and p.received_at = q.received_at`;
}

export async function countCleanedUp(sql: Queryable, cleanedUp: number): Promise<void> {
  await sql`update staging_totals set cleaned_up = cleaned_up + ${cleanedUp}::int where slot = 0`;
}

export async function readTotals(sql: Queryable): Promise<{ processed: number; failed: number; cleanedUp: number }> {
  const [row] = await sql<{ processed: number; failed: number; cleaned_up: number }[]>`
    select sum(processed)::bigint as processed, sum(failed)::bigint as failed, sum(cleaned_up)::bigint as cleaned_up
    from staging_totals`;
  return { processed: row?.processed ?? 0, failed: row?.failed ?? 0, cleanedUp: row?.cleaned_up ?? 0 };
}

export async function readQueueFigures(sql: Sql, now: Date): Promise<{ waiting: number; oldest_seconds: number }> {
  const [row] = await sql<{ waiting: number; oldest: Date | null }[]>`
    select count(*) as waiting, min(received_at) as oldest from staging_queue where due_at <= ${now}`;
  const oldestMs = row?.oldest ? now.getTime() - row.oldest.getTime() : 0;
  return { waiting: row?.waiting ?? 0, oldest_seconds: Math.max(0, Math.round(oldestMs / 1000)) };
}
