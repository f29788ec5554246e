import { classifyDatabaseError, type Queryable, type Sql } from '../database/index.ts';
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
