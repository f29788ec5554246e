import type { Queryable } from '../../../platform/database/index.ts';
import type { ProblemBody } from '../../../platform/http/problem.ts';
import type { Resource } from '../../identity/index.ts';

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed';

export type JobRow = {
  id: string;
  type: string;
  resource: Resource;
  status: JobStatus;
  done: number;
  total: number;
  created_by: string | null;
  result: unknown;
  error: ProblemBody | null;
  created: Date;
  updated: Date;
  finished: Date | null;
};

export type JobKey = { organizationId: string; id: string };
export type NewJob = JobKey & {
  type: string;
  resource: Resource;
  inputText: string;
  inputBytes: number;
  total: number;
  createdBy: string | null;
  now: Date;
};
export type Outcome = { status: 'succeeded'; result: unknown } | { status: 'failed'; error: ProblemBody };

export async function insertJob(sql: Queryable, job: NewJob): Promise<void> {
  await sql`
    insert into jobs (organization_id, id, type, resource, status, total, created_by, input, input_bytes, created, updated)
    values (${job.organizationId}, ${job.id}, ${job.type}, ${job.resource}, 'queued', ${job.total}, ${job.createdBy},
            ${job.inputText}::text::json, ${job.inputBytes}, ${job.now}, ${job.now})`;
}

export async function countWaiting(
  sql: Queryable,
  organizationId: string,
  type: string,
): Promise<{ jobs: number; bytes: number }> {
  const [row] = await sql<{ jobs: number; bytes: number }[]>`
    select count(*) as jobs, coalesce(sum(input_bytes), 0) as bytes
    from jobs where organization_id = ${organizationId} and type = ${type} and status = 'queued'`;
  return row ?? { jobs: 0, bytes: 0 };
}

/** Also one that is running: its worker is gone, or it would not be given out again. */
export async function claimJob(
  sql: Queryable,
  { organizationId, id }: JobKey,
  now: Date,
): Promise<{ input: object; createdBy: string | null } | undefined> {
  const [row] = await sql<{ input: object | null; created_by: string | null }[]>`
    update jobs set status = 'running', updated = ${now}
    where organization_id = ${organizationId} and id = ${id} and status in ('queued', 'running')
    returning input, created_by`;
  return row && { input: row.input ?? {}, createdBy: row.created_by };
}

export async function updateProgress(
  sql: Queryable,
  { organizationId, id }: JobKey,
  { done, total, now }: { done: number; total: number; now: Date },
): Promise<void> {
  await sql`
    update jobs set done = ${done}, total = ${total}, updated = ${now}
    where organization_id = ${organizationId} and id = ${id} and status = 'running'`;
}

export async function finishJob(
  sql: Queryable,
  { organizationId, id }: JobKey,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const succeeded = outcome.status === 'succeeded';
  await sql`
    update jobs
    set status = ${outcome.status},
        done = ${succeeded ? sql`total` : sql`done`},
        result = ${succeeded ? jsonText(outcome.result) : null}::text::json,
        error = ${succeeded ? null : jsonText(outcome.error)}::text::json,
        input = null, updated = ${now}, finished = ${now}
    where organization_id = ${organizationId} and id = ${id} and status in ('queued', 'running')`;
}

export async function findJob(
  sql: Queryable,
  { organizationId, id }: JobKey,
  createdBy: string | null | undefined,
): Promise<JobRow | undefined> {
  const [row] = await sql<JobRow[]>`
    select id, type, resource, status, done, total, created_by, result, error, created, updated, finished
    from jobs
    where organization_id = ${organizationId} and id = ${id}
      ${createdBy === undefined ? sql`` : sql`and created_by = ${createdBy}`}`;
  return row;
}

export async function deleteJobsCreatedBefore(sql: Queryable, instant: Date): Promise<number> {
  const removed = await sql`delete from jobs where created < ${instant}`;
  return removed.count;
}

function jsonText(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
