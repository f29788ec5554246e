import type { Platform } from '../../platform/platform.ts';
import { answered } from './check-health.ts';
import type { FollowerReport, HealthSources } from './sources.ts';

/** The state of a worker process. */
export type WorkReport = {
  /** How far the publisher of events and its followers are behind; absent when that cannot be read. */
  followers?: Omit<FollowerReport, 'dead_lettered_last_day'>[];
  jobs: {
    /** Of this process, since its start. */
    active_workers: number;
    executions: number;
    succeeded: number;
    failed: number;
    /** Of all processes together; absent when that cannot be read. */
    queued?: number;
    active?: number;
  };
};

/** At most one database query per this interval. */
const REMEMBER_MS = 500;

export function createWorkReport(
  { jobs }: Platform,
  { followers }: Pick<HealthSources, 'followers'>,
): () => Promise<WorkReport> {
  let last: { atMs: number; report: Promise<WorkReport> } | undefined;

  async function report(): Promise<WorkReport> {
    const { activeWorkers, executions, succeeded, failed } = jobs.counts();
    const [queues, behind] = await Promise.allSettled([answered(jobs.figures()), answered(followers())]);
    const own = { active_workers: activeWorkers, executions, succeeded, failed };
    return {
      ...(behind.status === 'fulfilled' && {
        followers: behind.value.map(({ dead_lettered_last_day: _, ...rest }) => rest),
      }),
      jobs:
        queues.status === 'rejected'
          ? own
          : {
              ...own,
              queued: queues.value.reduce((sum, queue) => sum + queue.queued, 0),
              active: queues.value.reduce((sum, queue) => sum + queue.active, 0),
            },
    };
  }

  return () => {
    const nowMs = performance.now();
    if (last === undefined || nowMs - last.atMs > REMEMBER_MS) last = { atMs: nowMs, report: report() };
    return last.report;
  };
}
