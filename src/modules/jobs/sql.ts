import type { Queryable } from '../../platform/database/index.ts';
import type { ProblemBody } from '../../platform/http/problem.ts';

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed';

export type JobRow = {
  id: string;
  type: string;
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
export type NewJob = JobKey & { type: string; input: object; total: number; createdBy: string | null; now: Date };
export type Outcome = { status: 'succeeded'; result: unknown } | { status: 'failed'; error: ProblemBody };

export async function insertJob(sql: Queryable, job: NewJob): Promise<void> {
  await sql`
    insert into jobs (organization_id, id, type, status, total, created_by, input, created, updated)
    values (${job.organizationId}, ${job.id}, ${job.type}, 'queued', ${job.total}, ${job.createdBy},
            ${json(sql, job.input)}, ${job.now}, ${job.now})`;
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
        result = ${succeeded ? json(sql, outcome.result) : null},
        error = ${succeeded ? null : json(sql, outcome.error)},
        input = null, updated = ${now}, finished = ${now}
    where organization_id = ${organizationId} and id = ${id} and status in ('queued', 'running')`;
}

export async function findJob(
  sql: Queryable,
  { organizationId, id }: JobKey,
  createdBy: string | null | undefined,
): Promise<JobRow | undefined> {
  const [row] = await sql<JobRow[]>`
    select id, type, status, done, total, created_by, result, error, created, updated, finished
    from jobs
    where organization_id = ${organizationId} and id = ${id}
      ${createdBy === undefined ? sql`` : sql`and created_by = ${createdBy}`}`;
  return row;
}

export async function deleteJobsCreatedBefore(sql: Queryable, instant: Date): Promise<number> {
  const removed = await sql`delete from jobs where created < ${instant}`;
  return removed.count;
}

function json(sql: Queryable, value: unknown) {
  return value === undefined || value === null ? null : sql.json(value);
}
