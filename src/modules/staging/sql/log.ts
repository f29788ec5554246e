import type { Queryable, Tx } from '../../../platform/database/index.ts';
import type { StagedCallRow, StagedPayload, StagingStatus } from '../staged-payload.ts';
import type { Stage } from './queue.ts';

export type StagingFilter = {
  organizationId: string;
  since: Date;
  status: StagingStatus | undefined;
  appSlug: string | undefined;
  installId: string | undefined;
  search: string | undefined;
};

const columns = (sql: Queryable) => sql`
  organization_id, organization_app_id, id, app_slug, event, external_order_id, status, outcome, attempts, error_code,
  error_message, error_path, order_id, received_at, processed_at`;

function matching(sql: Queryable, filter: StagingFilter) {
  const { status, appSlug, installId, search } = filter;
  return sql`
    organization_id = ${filter.organizationId} and received_at >= ${filter.since}
    ${status === undefined ? sql`` : sql`and status = ${status}`} ${status === 'failed' ? sql`and error_code is not null` : sql``}
    ${appSlug === undefined ? sql`` : sql`and app_slug = ${appSlug}`}
    ${installId === undefined ? sql`` : sql`and organization_app_id = ${installId}`}
    ${search === undefined ? sql`` : sql`and (${searched(sql, search)})`}`;
}

/** Ids and events are looked for whole or from their beginning, messages anywhere. */
function searched(sql: Queryable, search: string) {
  const escaped = search.replaceAll(/[\\%_]/g, '\\$&');
  return sql`
    id::text = ${search.toLowerCase()} or order_id::text = ${search.toLowerCase()}
    or external_order_id ilike ${`${escaped}%`} or event ilike ${`${escaped}%`}
    or error_code ilike ${`${escaped}%`} or error_message ilike ${`%${escaped}%`}`;
}

export async function listStaged(
  sql: Queryable,
  filter: StagingFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: StagedPayload[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    sql<StagedPayload[]>`
      select ${columns(sql)} from staged_payloads where ${matching(sql, filter)}
      order by received_at desc, id desc limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*) as total from staged_payloads where ${matching(sql, filter)}`,
  ]);
  return { rows, total: counted?.total ?? 0 };
}

export type StagedKey = { organizationId: string; id: string; since: Date };

export async function findStaged(sql: Queryable, key: StagedKey): Promise<(StagedPayload & StagedCallRow) | undefined> {
  const [row] = await sql<(StagedPayload & StagedCallRow)[]>`
    select * from staged_payloads
    where organization_id = ${key.organizationId} and id = ${key.id} and received_at >= ${key.since}`;
  return row;
}

export async function findStagedInstall(sql: Queryable, key: StagedKey): Promise<string | undefined> {
  const [row] = await sql<{ organization_app_id: string }[]>`
    select organization_app_id from staged_payloads
    where organization_id = ${key.organizationId} and id = ${key.id} and received_at >= ${key.since}`;
  return row?.organization_app_id;
}

export async function lockStaged(tx: Tx, key: StagedKey): Promise<StagedPayload | undefined> {
  const [row] = await tx<StagedPayload[]>`
    select ${columns(tx)} from staged_payloads
    where organization_id = ${key.organizationId} and id = ${key.id} and received_at >= ${key.since} for update`;
  return row;
}

/** As if it had just come: whatever was fetched for it is fetched again. */
export async function queueAgain(tx: Tx, row: StagedPayload, stage: Stage, now: Date): Promise<void> {
  await tx`
    insert into staging_queue (organization_app_id, staging_id, organization_id, app_slug, received_at, due_at, bytes, stage)
    select organization_app_id, id, organization_id, app_slug, received_at, ${now}, octet_length(payload), ${stage}
    from staged_payloads
    where organization_id = ${row.organization_id} and id = ${row.id} and received_at = ${row.received_at}
    on conflict (organization_app_id, staging_id) do update
    set due_at = ${now}, attempts = 0, stage = excluded.stage, claim_id = null`;
  await tx`
    update staged_payloads set status = 'pending', outcome = '', attempts = 0, fetched = null, error_code = null,
      error_message = null, error_path = null, processed_at = null
    where organization_id = ${row.organization_id} and id = ${row.id} and received_at = ${row.received_at}`;
}

/** The first original stays, however often the payload is mended. */
export async function replacePayload(
  tx: Tx,
  row: StagedPayload,
  { payload, by, now }: { payload: Buffer; by: string; now: Date },
): Promise<void> {
  await tx`
    update staged_payloads set original_payload = coalesce(original_payload, payload), payload = ${payload},
      mended_by = ${by}, mended_at = ${now}
    where organization_id = ${row.organization_id} and id = ${row.id} and received_at = ${row.received_at}`;
}

/** And its receipt: the same delivery may then come again. */
export async function deleteStaged(tx: Tx, row: StagedPayload): Promise<void> {
  await tx`
    with queued as (
      delete from staging_queue where organization_app_id = ${row.organization_app_id} and staging_id = ${row.id}
    ), gone as (
      delete from staged_payloads
      where organization_id = ${row.organization_id} and id = ${row.id} and received_at = ${row.received_at}
      returning organization_id, organization_app_id, id, delivery
    ), received as (
      delete from staging_receipts r using gone g
      where r.organization_id = g.organization_id and r.organization_app_id = g.organization_app_id
        and r.delivery = g.delivery and r.staging_id = g.id
    )
    select from gone`;
}

/** Of an install that is removed: what was not read yet goes with it. What was stays as the record it is. */
export async function dropPendingOf(tx: Tx, organizationId: string, installId: string): Promise<void> {
  await tx`
    with queued as (
      delete from staging_queue where organization_app_id = ${installId}
      returning organization_id, staging_id, received_at
    ), receipts as (
      delete from staging_receipts where organization_id = ${organizationId} and organization_app_id = ${installId}
    )
    delete from staged_payloads p using queued q
    where p.organization_id = q.organization_id and p.id = q.staging_id and p.received_at = q.received_at`;
}

/** Of weeks that are about to be dropped, for the count of what was cleaned up; and the queue loses what is not kept. */
export async function countBefore(sql: Queryable, cut: Date): Promise<number> {
  const [row] = await sql<
    { total: number }[]
  >`select count(*) as total from staged_payloads where received_at < ${cut}`;
  return row?.total ?? 0;
}

export async function dropQueuedBefore(sql: Queryable, cut: Date): Promise<void> {
  await sql`delete from staging_queue where received_at < ${cut}`;
}
