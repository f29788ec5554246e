import type { Queryable } from '../database/index.ts';
import type { JobFigures } from './jobs.ts';

/** Finished rows are kept for an hour only, so the count stays cheap. */
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
