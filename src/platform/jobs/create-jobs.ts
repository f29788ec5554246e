import type { FastifyBaseLogger } from 'fastify';
import { type Job, PgBoss } from 'pg-boss';
import type { Sql } from '../database/index.ts';
import { newId } from '../ids.ts';
import { within } from '../within.ts';
import { bossDatabase, listeningBossDatabase } from './boss-database.ts';
import type { JobHandler, JobOptions, Jobs } from './jobs.ts';
import { cronQueueOf, deadLetterName, prepareQueues, prepareSchedules, type Queue, queuesOf } from './queues.ts';
import { countJobs, ensureSchema } from './sql.ts';

export type CreateJobsOptions = {
  sql: Sql;
  log: FastifyBaseLogger;
  /** False in a process that only answers requests: it queues work and never does any. */
  runWorkers: boolean;
  /** How often workers look by themselves, for who wants to know what they do without it. */
  lookEverySeconds?: number;
};

type Workers = {
  queue: string;
  handler: JobHandler<object>;
  count: number;
  limits?: TenantLimits;
  polling: typeof POLLING;
};
type TenantLimits = { groupConcurrency?: number; localGroupConcurrency?: number };
type Registration = { queues: Queue[]; workers: Workers[]; cron?: string };

const STOP_WITHIN_MS = 7_000;
/** What of the time for a stop each of its steps may take: running jobs, those that were told to break off, the queue itself. */
const OF_STOP = { drain: 0.55, abort: 0.15, queue: 0.3 };
/** An outage makes every worker report at every poll. */
const SAME_ERROR_QUIET_MS = 10_000;

const POLLING = {
  /** While notifications do not arrive. */
  pollingIntervalSeconds: 0.5,
  /** Retries and delayed jobs come due without a notification. */
  notifyPollingIntervalSeconds: 1,
  heartbeatRefreshSeconds: 4,
};

/** A schedule has the patience of a minute, and there are many of them: each that asked every second would do so all night. */
const SCHEDULED_POLLING = { ...POLLING, pollingIntervalSeconds: 5, notifyPollingIntervalSeconds: 30 };

const intervals = {
  // With the heartbeat of 15 s, the job of a killed process runs again within about 22 s.
  superviseIntervalSeconds: 5,
  monitorIntervalSeconds: 5,
  maintenanceIntervalSeconds: 300,
  cronMonitorIntervalSeconds: 5,
  cronWorkerIntervalSeconds: 1,
  // Chains of jobs are not used; the default looks for them every 5 s.
  flowIntervalSeconds: 3600,
};

export function createJobs({ sql, log, runWorkers, lookEverySeconds }: CreateJobsOptions): Jobs {
  const looks = lookEverySeconds && {
    pollingIntervalSeconds: lookEverySeconds,
    notifyPollingIntervalSeconds: lookEverySeconds,
  };
  const registrations = new Map<string, Registration>();
  const counts = { activeWorkers: 0, executions: 0, succeeded: 0, failed: 0 };
  const stopping = new AbortController();
  const boss = new PgBoss({
    db: listeningBossDatabase(sql),
    useListenNotify: runWorkers,
    supervise: runWorkers,
    schedule: runWorkers,
    ...intervals,
  });
  boss.on(
    'error',
    quietly((error) => log.error({ err: error }, 'job queue error')),
  );
  boss.on('warning', (warning) => log.warn({ ...warning.data }, warning.message));
  let running = 0;
  let state: 'new' | 'started' | 'stopped' = 'new';

  function register(name: string, registration: Registration): void {
    if (state !== 'new') throw new Error(`job ${name} is registered after the start`);
    if (registrations.has(name)) throw new Error(`job ${name} is registered twice`);
    registrations.set(name, registration);
  }

  async function startWorkers(): Promise<void> {
    for (const workers of [...registrations.values()].flatMap(({ workers }) => workers)) await startWorkersOf(workers);
  }

  async function startWorkersOf({ queue, handler, count, limits, polling }: Workers): Promise<void> {
    const options = { ...polling, ...looks, ...limits, localConcurrency: count };
    await boss.work<object, void, typeof options>(queue, options, async ([job]) => {
      if (job === undefined) return;
      try {
        await runJob(job, handler);
      } finally {
        lookAgain(queue);
      }
    });
    counts.activeWorkers += count;
  }

  /** A worker that has just had a job would otherwise wait for the next poll. Which one it was is not said: all that have one. */
  function lookAgain(queue: string): void {
    for (const { id, name, count } of boss.getWipData()) if (name === queue && count > 0) boss.notifyWorker(id);
  }

  async function runJob(job: Job<object>, handler: JobHandler<object>): Promise<void> {
    counts.executions += 1;
    running += 1;
    try {
      await handler(job.data ?? {}, { signal: AbortSignal.any([job.signal, stopping.signal]), jobId: job.id });
      counts.succeeded += 1;
    } catch (error) {
      counts.failed += 1;
      log.warn({ err: error, job: job.name, jobId: job.id }, 'job failed');
      throw error;
    } finally {
      running -= 1;
    }
  }

  async function drain(withinMs: number): Promise<void> {
    const workers = [...registrations.values()].flatMap(({ workers }) => workers);
    const idle = Promise.all(workers.map(({ queue }) => boss.offWork(queue, { wait: true }))).then(() => true);
    // Not idle with none running: without a database, workers wait for one to ask for their next job.
    if ((await within(withinMs * OF_STOP.drain, idle)) || running === 0) return;
    log.warn({ running }, 'jobs are still running: aborting them, they will run again');
    stopping.abort(new Error('The service is stopping'));
    await within(withinMs * OF_STOP.abort, idle);
  }

  return {
    on(name, handler, options = {}) {
      const { onDeadLetter, concurrency = 1 } = options;
      const limits = tenantLimitsOf(options);
      const workers: Workers[] = [
        { queue: name, handler: takingAny(handler), count: concurrency, limits, polling: POLLING },
      ];
      if (onDeadLetter) {
        workers.push({ queue: deadLetterName(name), handler: takingAny(onDeadLetter), count: 1, polling: POLLING });
      }
      register(name, { queues: queuesOf(name, options), workers });
    },

    every(name, cron, run) {
      const handler: JobHandler<object> = (_input, context) => run(context);
      const workers = [{ queue: name, handler, count: 1, polling: SCHEDULED_POLLING }];
      register(name, { queues: [cronQueueOf(name)], workers, cron });
    },

    async enqueue(queryable, name, input, { singletonKey, startAfterSeconds = 0, tenant } = {}) {
      if (state !== 'started') throw new Error(`job ${name} is queued while jobs are not started`);
      const registration = registrations.get(name);
      if (registration === undefined) throw new Error(`there is no job ${name}`);
      const options = {
        startAfter: startAfterSeconds,
        db: bossDatabase(queryable),
        ...(tenant && { priority: -tenant.turn, group: { id: tenant.organizationId } }),
      };
      if (registration.cron !== undefined) await boss.send(name, input, options);
      else if (singletonKey === undefined) await boss.send(name, input, { ...options, singletonKey: newId() });
      // The waiting row is updated, not left alone: the update holds it until the caller has committed, so that no
      // worker runs it before it can see what the caller wrote.
      else await boss.upsert(name, input, { ...options, singletonKey });
    },

    async start() {
      try {
        await ensureSchema(sql);
        await boss.start();
        await prepareQueues(
          boss,
          [...registrations.values()].flatMap(({ queues }) => queues),
        );
        state = 'started';
        if (!runWorkers) return;
        await prepareSchedules(boss, cronsOf(registrations));
        await startWorkers();
      } catch (error) {
        // Its timers would keep the process alive.
        await boss.stop({ graceful: false }).catch(() => undefined);
        throw error;
      }
    },

    async stop(withinMs = STOP_WITHIN_MS) {
      if (state !== 'started') return;
      state = 'stopped';
      await drain(withinMs);
      counts.activeWorkers = 0;
      const stopped = boss.stop({ graceful: false }).then(
        () => true,
        (error: unknown) => {
          log.warn({ err: error }, 'job queue did not stop cleanly');
          return true;
        },
      );
      // Without a database its last statements wait for one.
      if (!(await within(withinMs * OF_STOP.queue, stopped))) log.warn('job queue did not stop in time');
    },

    figures: () => countJobs(sql, [...registrations.keys()]),
    counts: () => ({ ...counts }),
  };
}

/** What is queued under a name was given to enqueue for that name, so it has the type that its handler asks for. */
function takingAny<Input extends object>(handler: JobHandler<Input>): JobHandler<object> {
  return (input, context) => handler(input as Input, context);
}

function tenantLimitsOf({
  placesPerTenant,
  concurrencyPerTenant,
}: Pick<JobOptions, 'placesPerTenant' | 'concurrencyPerTenant'>): TenantLimits {
  return {
    ...(placesPerTenant !== undefined && { localGroupConcurrency: placesPerTenant }),
    ...(concurrencyPerTenant !== undefined && { groupConcurrency: concurrencyPerTenant }),
  };
}

function cronsOf(registrations: Map<string, Registration>): Map<string, string> {
  const crons = new Map<string, string>();
  for (const [name, { cron }] of registrations) if (cron !== undefined) crons.set(name, cron);
  return crons;
}

function quietly(report: (error: Error) => void): (error: Error) => void {
  const reportedAtMs = new Map<string, number>();
  return (error) => {
    const kind = 'code' in error ? String(error.code) : error.message;
    if (performance.now() - (reportedAtMs.get(kind) ?? -Infinity) < SAME_ERROR_QUIET_MS) return;
    if (reportedAtMs.size > 100) reportedAtMs.clear();
    reportedAtMs.set(kind, performance.now());
    report(error);
  };
}
