import { classifyDatabaseError, type Piece, type Queryable, type Sql } from '../database/index.ts';
import type { JobFigures } from './jobs.ts';

/**
 * Before pg-boss does: of several processes that start on an empty database, one could fail because another creates the
 * schema at the same time. Here a conflict is ignored.
 */
export async function ensureSchema(sql: Sql): Promise<void> {
  try {
    await sql`create schema if not exists pgboss`;
  } catch (error) {
    if (classifyDatabaseError(error).kind !== 'conflict') throw error;
  }
}

/** Finished jobs are deleted after an hour, so the count stays cheap. */
export function countJobs(sql: Queryable, names: string[]): Promise<JobFigures[]> {
  return sql<JobFigures[]>`
    select queue.name,
           count(*) filter (where job.state in ('created', 'retry'))::int as queued,
           count(*) filter (where job.state = 'active')::int as active,
           count(*) filter (where job.state = 'failed')::int as failed
    from pgboss.queue left join pgboss.job on job.name = queue.name
    where queue.name = any(${names})
    group by queue.name
    order by queue.name`;
}

/** By the clock of the database, like pg-boss itself. */
const dueJobs = (sql: Queryable, names: string[]) => sql`
  from pgboss.job where name = any(${names}) and state < 'active' and not blocked and start_after <= now()`;

/** For the due poll: jobs that could start. */
export const isAnyJobDue = (sql: Queryable, names: string[]): Piece => sql`exists (select ${dueJobs(sql, names)})`;

export async function listDueQueues(sql: Queryable, names: string[]): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`select distinct name ${dueJobs(sql, names)}`;
  return new Set(rows.map(({ name }) => name));
}

/** For the due poll: jobs of processes that have died. */
export const isAnyHeartbeatLost = (sql: Queryable, names: string[]): Piece => sql`
  exists (select from pgboss.job where name = any(${names}) and state = 'active'
          and heartbeat_on + heartbeat_seconds * interval '1 second' < now())`;
