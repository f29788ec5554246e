import { type Queryable, type Sql, TENANT_LOCKS, type Tx } from '../../../platform/database/index.ts';
import type { StagedCallRow, StagedPayload } from '../staged-payload.ts';

export type DueInstall = { id: string; app_slug: string };

/**
 * Installs with something due, from one on and then from the beginning: whoever was served last comes last. Goes from install
 * to install along the index, one step each, whatever is waiting behind the first of any of them.
 */
export async function findDueInstalls(
  sql: Queryable,
  { after, now, limit }: { after: string; now: Date; limit: number },
): Promise<DueInstall[]> {
  return sql<DueInstall[]>`
    with recursive step as (
      (select organization_app_id as id, app_slug, due_at from staging_queue
       where organization_app_id > ${after}::uuid order by organization_app_id, due_at limit 1)
      union all
      select n.id, n.app_slug, n.due_at from step s cross join lateral (
        select organization_app_id as id, app_slug, due_at from staging_queue
        where organization_app_id > s.id order by organization_app_id, due_at limit 1
      ) n
    )
    select id, app_slug from step where due_at <= ${now} limit ${limit}`;
}

/** Alone with an install's queue until the end of the transaction; false when somebody else is. */
export async function tryLockInstall(tx: Tx, installId: string): Promise<boolean> {
  const [row] = await tx<{ ours: boolean }[]>`
    select pg_try_advisory_xact_lock(${TENANT_LOCKS.stagingInstalls}, hashtext(${installId})) as ours`;
  return row?.ours ?? false;
}

export type QueuedPayload = StagedPayload & StagedCallRow & { queue_attempts: number };

/** The next of an install, oldest first: at most so many, and so many bytes, but always one. */
export function takeDue(
  tx: Tx,
  installId: string,
  { now, rows, bytes }: { now: Date; rows: number; bytes: number },
): Promise<QueuedPayload[]> {
  return tx<QueuedPayload[]>`
    with due as materialized (
      select q.*, row_number() over (order by due_at, staging_id) as place,
             sum(bytes) over (order by due_at, staging_id) - bytes as before
      from (
        select * from staging_queue
        where organization_app_id = ${installId} and due_at <= ${now}
        order by due_at, staging_id limit ${rows}
      ) q
    )
    select p.*, d.attempts as queue_attempts from due d
    join staged_payloads p on p.organization_id = d.organization_id and p.id = d.staging_id and p.received_at = d.received_at
    where d.before < ${bytes}
    order by d.place`;
}

export type Settlement = {
  row: Pick<StagedPayload, 'organization_id' | 'organization_app_id' | 'id' | 'received_at'>;
  event: string | null;
  externalOrderId: string | null;
  status: StagedPayload['status'];
  outcome: StagedPayload['outcome'];
  error: { code: string; message: string; path: string } | null;
  orderId: string | null;
  attempts: number;
  /** When it is tried again; nothing when it is over. */
  dueAt: Date | null;
};

const TOTAL_SLOTS = 16;

/**
 * What became of payloads, and whether they stay in the queue; those that leave it are counted, by the same statement: a
 * payload that comes alone pays for every round trip by itself. To be the last of its transaction, since others count too.
 */
export async function settle(tx: Tx, settlements: readonly Settlement[], now: Date): Promise<void> {
  const rows = settlements.map(({ row, error, ...rest }) => ({
    organization_id: row.organization_id,
    organization_app_id: row.organization_app_id,
    id: row.id,
    received_at: row.received_at,
    event: rest.event,
    external_order_id: rest.externalOrderId,
    status: rest.status,
    outcome: rest.outcome,
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
    error_path: error?.path ?? null,
    order_id: rest.orderId,
    attempts: rest.attempts,
    due_at: rest.dueAt,
  }));
  await tx`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as s
        (organization_id uuid, organization_app_id uuid, id uuid, received_at timestamptz, event text,
         external_order_id text, status text, outcome text, error_code text, error_message text, error_path text,
         order_id uuid, attempts int, due_at timestamptz)
    ), over as (
      delete from staging_queue q using input i
      where i.due_at is null and q.organization_app_id = i.organization_app_id and q.staging_id = i.id
      returning i.status
    ), counted as (
      update staging_totals t set processed = t.processed + o.processed, failed = t.failed + o.failed
      from (
        select count(*) filter (where status = 'processed') as processed, count(*) filter (where status = 'failed') as failed
        from over
      ) o
      where t.slot = ${Math.floor(Math.random() * TOTAL_SLOTS)}::smallint and o.processed + o.failed > 0
    ), again as (
      update staging_queue q set due_at = i.due_at, attempts = i.attempts from input i
      where i.due_at is not null and q.organization_app_id = i.organization_app_id and q.staging_id = i.id
    )
    update staged_payloads p set
      event = i.event, external_order_id = i.external_order_id, status = i.status, outcome = i.outcome,
      error_code = i.error_code, error_message = i.error_message, error_path = i.error_path, order_id = i.order_id,
      attempts = i.attempts, processed_at = case when i.due_at is null then ${now}::timestamptz end
    from input i
    where p.organization_id = i.organization_id and p.id = i.id and p.received_at = i.received_at`;
}

/** What the vendor answered, to be read at once. Nothing happens to a payload that was deleted meanwhile. */
export async function keepFetched(sql: Queryable, row: Settlement['row'], fetched: Buffer, now: Date): Promise<void> {
  await sql`
    with queued as (
      update staging_queue set due_at = ${now}
      where organization_app_id = ${row.organization_app_id} and staging_id = ${row.id}
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
