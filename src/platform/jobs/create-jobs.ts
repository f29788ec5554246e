import type { FastifyBaseLogger } from 'fastify';
import { type Job, PgBoss } from 'pg-boss';
import type { DuePoll } from '../background/index.ts';
import type { Sql } from '../database/index.ts';
import { newId } from '../ids.ts';
import { SPAN_KIND, traced } from '../tracing/index.ts';
import { within } from '../within.ts';
import { bossDatabase, listeningBossDatabase } from './boss-database.ts';
import type { JobHandler, JobOptions, Jobs } from './jobs.ts';
import { cronQueueOf, deadLetterName, prepareQueues, prepareSchedules, type Queue, queuesOf } from './queues.ts';
import { countJobs, ensureSchema, isAnyHeartbeatLost, isAnyJobDue, listDueQueues } from './sql.ts';

export type CreateJobsOptions = {
  sql: Sql;
  log: FastifyBaseLogger;
  /** False in a process that only serves requests: it enqueues jobs and runs none. */
  runWorkers: boolean;
  duePoll: DuePoll;
};

type Workers = {
  queue: string;
  handler: JobHandler<object>;
  count: number;
  limits?: TenantLimits;
};
type TenantLimits = { groupConcurrency?: number; localGroupConcurrency?: number };
type Registration = { queues: Queue[]; workers: Workers[]; cron?: string };

const STOP_WITHIN_MS = 7_000;
/** Shares of the stop time limit: for running jobs, for aborted jobs, for the queue itself. */
const OF_STOP = { drain: 0.55, abort: 0.15, queue: 0.3 };
/** An outage makes every worker report at every poll. */
const SAME_ERROR_QUIET_MS = 10_000;

/**
 * Every worker polls with a transaction of its own, and there are more than thirty. The due poll wakes them when a retry or a delayed job
 * comes due or a notification was lost, so that they need not.
 */
const POLLING = {
  /** While this process cannot listen. */
  pollingIntervalSeconds: 60,
  notifyPollingIntervalSeconds: 300,
  heartbeatRefreshSeconds: 4,
};

const intervals = {
  // Nine statements each. The due poll starts one as soon as a heartbeat is lost: with the heartbeat of 15 s, the job of a killed process
  // runs again within about 22 s.
  superviseIntervalSeconds: 60,
  monitorIntervalSeconds: 5,
  maintenanceIntervalSeconds: 300,
  // A schedule has a resolution of a minute; its job starts at most this much later.
  cronMonitorIntervalSeconds: 10,
  cronWorkerIntervalSeconds: 5,
  // Chains of jobs are not used; the default looks for them every 5 s.
  flowIntervalSeconds: 3600,
};

export function createJobs({ sql, log, runWorkers, duePoll }: CreateJobsOptions): Jobs {
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
  const leaveDuePoll: (() => void)[] = [];
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

  async function startWorkersOf({ queue, handler, count, limits }: Workers): Promise<void> {
    const options = { ...POLLING, ...limits, localConcurrency: count };
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

  /** A worker that finished a job would otherwise wait for the next poll. pg-boss does not name the worker: all busy ones are notified. */
  function lookAgain(queue: string): void {
    for (const { id, name, count } of boss.getWipData()) if (name === queue && count > 0) boss.notifyWorker(id);
  }

  function joinDuePoll(): void {
    const names = [...registrations.values()].flatMap(({ queues }) => queues.map((queue) => queue.name));
    const report = (error: unknown) => log.warn({ err: error }, 'due jobs could not be started yet');
    leaveDuePoll.push(
      duePoll.add(
        (queryable) => isAnyJobDue(queryable, names),
        () => void fetchDue(names).catch(report),
      ),
      duePoll.add(
        (queryable) => isAnyHeartbeatLost(queryable, names),
        () => void boss.supervise().catch(report),
      ),
    );
  }

  async function fetchDue(names: string[]): Promise<void> {
    const due = await listDueQueues(sql, names);
    for (const { id, name } of boss.getWipData()) if (due.has(name)) boss.notifyWorker(id);
  }

  async function runJob(job: Job<object>, handler: JobHandler<object>): Promise<void> {
    counts.executions += 1;
    running += 1;
    try {
      const signal = AbortSignal.any([job.signal, stopping.signal]);
      await traced(`job ${job.name}`, SPAN_KIND.consumer, { 'messaging.message.id': job.id }, async () =>
        handler(job.data ?? {}, { signal, jobId: job.id }),
      );
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
    // Workers can be busy without a running job: while the database is down they wait for it to fetch the next one.
    if ((await within(withinMs * OF_STOP.drain, idle)) || running === 0) return;
    log.warn({ running }, 'jobs are still running: aborting them, they will run again');
    stopping.abort(new Error('The service is stopping'));
    await within(withinMs * OF_STOP.abort, idle);
  }

  return {
    on(name, handler, options = {}) {
      const { onDeadLetter, concurrency = 1 } = options;
      const limits = tenantLimitsOf(options);
      const workers: Workers[] = [{ queue: name, handler: takingAny(handler), count: concurrency, limits }];
      if (onDeadLetter) {
        workers.push({ queue: deadLetterName(name), handler: takingAny(onDeadLetter), count: 1 });
      }
      register(name, { queues: queuesOf(name, options), workers });
    },

    every(name, cron, run) {
      const handler: JobHandler<object> = (_input, context) => run(context);
      const workers = [{ queue: name, handler, count: 1 }];
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
        joinDuePoll();
      } catch (error) {
        // The timers of pg-boss would keep the process alive.
        await boss.stop({ graceful: false }).catch(() => undefined);
        throw error;
      }
    },

    async stop(withinMs = STOP_WITHIN_MS) {
      if (state !== 'started') return;
      state = 'stopped';
      for (const leave of leaveDuePoll) leave();
      await drain(withinMs);
      counts.activeWorkers = 0;
      const stopped = boss.stop({ graceful: false }).then(
        () => true,
        (error: unknown) => {
          log.warn({ err: error }, 'job queue did not stop cleanly');
          return true;
        },
      );
      // While the database is down, its last statements wait.
      if (!(await within(withinMs * OF_STOP.queue, stopped))) log.warn('job queue did not stop in time');
    },

    figures: () => countJobs(sql, [...registrations.keys()]),
    counts: () => ({ ...counts }),
  };
}

/** A job's input was passed to `enqueue` under the same name, so it has the type of its handler. */
function takingAny<Input extends object>(handler: JobHandler<Input>): JobHandler<object> {
  return (input, context) => handler(input as Input, context);
}

function tenantLimitsOf({
  maxConcurrentPerTenant,
  concurrencyPerTenant,
}: Pick<JobOptions, 'maxConcurrentPerTenant' | 'concurrencyPerTenant'>): TenantLimits {
  return {
    ...(maxConcurrentPerTenant !== undefined && { localGroupConcurrency: maxConcurrentPerTenant }),
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
