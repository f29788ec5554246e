import type { Queryable } from '../database/index.ts';

/**
 * A job runs at least once: a process that dies in the middle leaves it to another, which starts it from the
 * beginning. What it throws puts it back in the queue until its retries are used up. The signal fires when the service
 * stops or the time is up.
 */
export type JobHandler<Input extends object> = (
  input: Input,
  context: { signal: AbortSignal; jobId: string },
) => Promise<void>;

export type JobOptions<Input extends object = object> = {
  /** Concurrent jobs per process; 1 by default. */
  concurrency?: number;
  /**
   * Concurrent jobs of one tenant in this process, an exact limit: the others stay free for other tenants. Not together
   * with concurrencyPerTenant.
   */
  maxConcurrentPerTenant?: number;
  /**
   * Concurrent jobs of one tenant in all processes, approximately: two workers that poll at the same moment both see none
   * running. Use maxConcurrentPerTenant to keep capacity free.
   */
  concurrencyPerTenant?: number;
  retryLimit?: number;
  /** Doubles with every retry, up to five minutes. */
  retryDelaySeconds?: number;
  expireInSeconds?: number;
  /** Called once the retries are used up, also when every try ended with its process. Itself retried. */
  onDeadLetter?: JobHandler<Input>;
};

export type EnqueueOptions = {
  /**
   * At most one job of this key waits; asking again gives the waiting one this input and this time. One that already
   * runs does not count, so that what has changed since it began is seen too.
   */
  singletonKey?: string;
  startAfterSeconds?: number;
  /** Whose job it is, and its place in the queue: lower turns come first, equal ones in the order in which they came. */
  tenant?: { organizationId: string; turn: number };
};

/** As the database has it: failed counts the last hour. */
export type JobFigures = { name: string; queued: number; active: number; failed: number };

/** Of this process since its start. activeWorkers: how many can take a job, at work or not. */
export type JobCounts = { activeWorkers: number; executions: number; succeeded: number; failed: number };

export type Jobs = {
  /** Registers a named handler; before start. */
  on<Input extends object>(name: string, handler: JobHandler<Input>, options?: JobOptions<Input>): void;
  /**
   * A cron entry (UTC), run by one worker of the fleet at a time. A minute in which no worker is up is not made up for
   * later: prefer a short interval and a run that does whatever is due.
   */
  every(name: string, cron: string, run: (context: { signal: AbortSignal }) => Promise<void>): void;
  /** Queues work inside the caller's transaction when given one. */
  enqueue(sql: Queryable, name: string, input: object, options?: EnqueueOptions): Promise<void>;
  start(): Promise<void>;
  /** Takes no new job, waits for the running ones up to a limit, then aborts them; those run again elsewhere. */
  stop(withinMs?: number): Promise<void>;
  figures(): Promise<JobFigures[]>;
  counts(): JobCounts;
};
