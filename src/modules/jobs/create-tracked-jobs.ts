import type { Tx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import type { JobOptions } from '../../platform/jobs/index.ts';
import { giveUpTrackedJob, runTrackedJob, type TrackedHandler, type TrackingPlatform } from './run-tracked-job.ts';
import { deleteJobsCreatedBefore, insertJob, type JobKey } from './sql.ts';

const KEPT_MS = 30 * 86_400_000;

export type NewTrackedJob = {
  organizationId: string;
  type: string;
  input: object;
  total?: number;
  createdBy: string | null;
  now: Date;
};

/** Jobs that a caller can look up. One for the whole service. */
export type TrackedJobs = {
  /** Before the start. Each type has a queue of its own, so that a long import holds up nobody's order. */
  register<Input extends object>(
    type: string,
    handler: TrackedHandler<Input>,
    options?: Omit<JobOptions, 'whenGivenUp'>,
  ): void;
  /** In the caller's transaction: the job exists if, and only if, that commits. */
  start(tx: Tx, job: NewTrackedJob): Promise<{ id: string }>;
};

export function createTrackedJobs(platform: TrackingPlatform): TrackedJobs {
  const { jobs, sql, clock } = platform;

  // Hourly: a machine that is off at night would never meet a daily hour.
  jobs.every('forget-old-jobs', '41 * * * *', async () => {
    await deleteJobsCreatedBefore(sql, new Date(clock.now().getTime() - KEPT_MS));
  });

  return {
    register(type, handler, options = {}) {
      jobs.on<JobKey>(queueOf(type), (key, { signal }) => runTrackedJob(platform, key, handler, signal), {
        ...options,
        whenGivenUp: (key) => giveUpTrackedJob(platform, key),
      });
    },

    async start(tx, { organizationId, type, input, total = 0, createdBy, now }) {
      const key: JobKey = { organizationId, id: newId() };
      await insertJob(tx, { ...key, type, input, total, createdBy, now });
      await jobs.enqueue(tx, queueOf(type), key);
      return { id: key.id };
    },
  };
}

function queueOf(type: string): string {
  return `tracked/${type}`;
}
