import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { TENANT_LOCKS } from '../../../platform/database/index.ts';

export type UploadKey = { organizationId: string; id: string };

/** False when the organization already has this many pending uploads. */
export async function insertUpload(
  tx: Tx,
  { organizationId, id }: UploadKey,
  { now, most, since }: { now: Date; most: number; since: Date },
): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(${TENANT_LOCKS.demandUploads}, hashtext(${organizationId}))`;
  const inserted = await tx`
    insert into demand_uploads (organization_id, id, created)
    select ${organizationId}, ${id}, ${now}
    where (select count(*) from demand_uploads
           where organization_id = ${organizationId} and result is null and created > ${since}) < ${most}`;
  return inserted.count > 0;
}

export async function insertPiece(
  sql: Queryable,
  { organizationId, id }: UploadKey,
  number: number,
  content: Buffer,
): Promise<void> {
  await sql`
    insert into demand_upload_pieces (organization_id, upload_id, number, content)
    values (${organizationId}, ${id}, ${number}, ${content})`;
}

export async function findPiece(
  sql: Queryable,
  { organizationId, id }: UploadKey,
  number: number,
): Promise<Buffer | undefined> {
  const [row] = await sql<{ content: Buffer }[]>`
    select content from demand_upload_pieces
    where organization_id = ${organizationId} and upload_id = ${id} and number = ${number}`;
  return row?.content;
}

export async function markQueued(tx: Tx, { organizationId, id }: UploadKey, jobId: string): Promise<void> {
  await tx`
    update demand_uploads set job_id = ${jobId} where organization_id = ${organizationId} and id = ${id}`;
}

/** Stores the result in place of the bytes: a second run of the job, after the first one crashed, finds it here. */
export async function settleUpload(tx: Tx, { organizationId, id }: UploadKey, result: object): Promise<void> {
  await tx`
    update demand_uploads set result = ${JSON.stringify(result)}::text::json
    where organization_id = ${organizationId} and id = ${id}`;
  await tx`delete from demand_upload_pieces where organization_id = ${organizationId} and upload_id = ${id}`;
}

export async function findUpload<Result extends object>(
  sql: Queryable,
  { organizationId, id }: UploadKey,
): Promise<{ result: Result | null } | undefined> {
  const [row] = await sql<{ result: Result | null }[]>`
    select result from demand_uploads where organization_id = ${organizationId} and id = ${id}`;
  return row;
}

export async function deleteUpload(sql: Queryable, { organizationId, id }: UploadKey): Promise<void> {
  await sql`delete from demand_uploads where organization_id = ${organizationId} and id = ${id}`;
}

/** One whose request ended without a job: refused, cut off, or a repeat of an earlier one. */
export async function deleteUnqueued(sql: Queryable, { organizationId, id }: UploadKey): Promise<void> {
  await sql`
    delete from demand_uploads where organization_id = ${organizationId} and id = ${id} and job_id is null`;
}

export async function deleteUploadsBefore(sql: Queryable, instant: Date): Promise<number> {
  const removed = await sql`delete from demand_uploads where created < ${instant}`;
  return removed.count;
}
