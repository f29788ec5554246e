import type { Tx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import type { JobOptions } from '../../platform/jobs/index.ts';
import type { Resource } from '../identity/index.ts';
import { admitJob } from './admit-job.ts';
import {
  deadLetterTrackedJob,
  type QueuedKey,
  runTrackedJob,
  type TrackedHandler,
  type TrackingPlatform,
} from './run-tracked-job.ts';
import { deleteJobsCreatedBefore, insertJob } from './sql/jobs.ts';
import { restartTurns } from './sql/turns.ts';

const KEPT_MS = 30 * 86_400_000;
const CONCURRENCY = 4;

export type NewTrackedJob = {
  organizationId: string;
  type: string;
  input: object;
  total?: number;
  createdBy: string | null;
  now: Date;
};

export type TrackedOptions = Omit<JobOptions, 'onDeadLetter' | 'placesPerTenant' | 'concurrencyPerTenant'> & {
  /** What the job is about: who may read that may look the job up. */
  resource: Resource;
};

/** Jobs that a caller can look up. One for the whole service. */
export type TrackedJobs = {
  /**
   * Call it before the start. Each type has its own queue, so that a long import delays no order. Within it tenants are served
   * round-robin, and one slot is always left for another tenant than the one that uses the rest.
   */
  register<Input extends object>(type: string, handler: TrackedHandler<Input>, options: TrackedOptions): void;
  /** In the caller's transaction: the job exists if, and only if, that commits. 429 when the tenant has too much waiting. */
  start(tx: Tx, job: NewTrackedJob): Promise<{ id: string }>;
};

export function createTrackedJobs(platform: TrackingPlatform): TrackedJobs {
  const { jobs, sql, clock } = platform;
  const resources = new Map<string, Resource>();

  // Hourly: a machine that is off at night would never meet a daily hour.
  jobs.every('forget-old-jobs', '41 * * * *', async () => {
    await deleteJobsCreatedBefore(sql, new Date(clock.now().getTime() - KEPT_MS));
    await restartTurns(sql);
  });

  return {
    register(type, handler, { resource, concurrency = CONCURRENCY, ...options }) {
      resources.set(type, resource);
      jobs.on<QueuedKey>(queueOf(type), (key, { signal }) => runTrackedJob(platform, key, handler, signal), {
        ...options,
        concurrency,
        placesPerTenant: Math.max(1, concurrency - 1),
        onDeadLetter: (key) => deadLetterTrackedJob(platform, key),
      });
    },

    async start(tx, { organizationId, type, input, total = 0, createdBy, now }) {
      const resource = resources.get(type);
      if (resource === undefined) throw new Error(`there is no tracked job ${type}`);
      const inputText = JSON.stringify(input);
      const inputBytes = Buffer.byteLength(inputText);
      const turn = await admitJob(tx, { organizationId, type, inputBytes });
      const id = newId();
      await insertJob(tx, { organizationId, id, type, resource, inputText, inputBytes, total, createdBy, now });
      const key: QueuedKey = { organizationId, id, type, turn };
      await jobs.enqueue(tx, queueOf(type), key, { tenant: { organizationId, turn } });
      return { id };
    },
  };
}

function queueOf(type: string): string {
  return `tracked/${type}`;
}
