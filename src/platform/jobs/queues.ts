import type { Queue as BossQueue, PgBoss } from 'pg-boss';
import { newId } from '../ids.ts';
import type { JobOptions } from './jobs.ts';

/** A worker without a heartbeat for this long counts as dead, and its job runs elsewhere. */
const HEARTBEAT_SECONDS = 15;
const FINISHED_KEPT_SECONDS = 3600;
const CRON_QUEUE = '__pgboss__send-it';
/** Notified, its worker starts what is due at once and polls every 30 s instead of every 5. */
const CRON_QUEUE_SETTINGS: Settings = { deleteAfterSeconds: FINISHED_KEPT_SECONDS, notify: true };

/**
 * - short: one waiting job a key, any number running (jobs without a key get one of their own);
 * - exclusive: one waiting or running in all, for cron entries;
 * - standard: dead-lettered jobs, any number per key.
 */
export type Queue = { name: string; policy: 'short' | 'exclusive' | 'standard'; settings: Settings };
type Settings = Omit<BossQueue, 'name' | 'policy' | 'partition'>;

export function queuesOf<Input extends object>(name: string, options: JobOptions<Input>): Queue[] {
  const deadLetter = options.onDeadLetter && deadLetterName(name);
  const own: Queue = {
    name,
    policy: 'short',
    settings: {
      ...lifetime,
      retryLimit: options.retryLimit ?? 5,
      retryDelay: options.retryDelaySeconds ?? 1,
      expireInSeconds: options.expireInSeconds ?? 900,
      ...(deadLetter && { deadLetter }),
    },
  };
  if (deadLetter === undefined) return [own];
  return [{ name: deadLetter, policy: 'standard', settings: { ...lifetime, retryLimit: 1000 } }, own];
}

export function cronQueueOf(name: string): Queue {
  return { name, policy: 'exclusive', settings: { ...lifetime, retryLimit: 2, retryDelay: 10, expireInSeconds: 3600 } };
}

export function deadLetterName(name: string): string {
  return `${name}/given-up`;
}

const lifetime: Settings = {
  heartbeatSeconds: HEARTBEAT_SECONDS,
  deleteAfterSeconds: FINISHED_KEPT_SECONDS,
  retryBackoff: true,
  retryDelayMax: 300,
  notify: true,
};

/** Writes only differences: most starts change nothing. */
export async function prepareQueues(boss: PgBoss, queues: Queue[]): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const { name, policy, settings } of queues) {
    const found = existing.get(name);
    if (found === undefined) await boss.createQueue(name, { ...settings, policy });
    else if (differs(found, settings)) {
      await boss.updateQueue(name, { ...settings, deadLetter: settings.deadLetter ?? null });
    } else continue;
    // Makes pg-boss cache the queue now. Otherwise the first job would, with a second connection while its caller holds one
    // for its transaction.
    await boss.getJobById(name, newId());
  }
  const cron = existing.get(CRON_QUEUE);
  if (cron && differs(cron, CRON_QUEUE_SETTINGS)) await boss.updateQueue(CRON_QUEUE, CRON_QUEUE_SETTINGS);
}

function differs(found: BossQueue, wanted: Settings): boolean {
  const current = new Map<string, unknown>(Object.entries(found));
  if ((found.deadLetter ?? undefined) !== wanted.deadLetter) return true;
  return Object.entries(wanted).some(([name, value]) => current.get(name) !== value);
}

/** Removes schedules that the code no longer has, which would fill queues without workers. */
export async function prepareSchedules(boss: PgBoss, crons: Map<string, string>): Promise<void> {
  const existing = new Map((await boss.getSchedules()).map((schedule) => [schedule.name, schedule.cron]));
  for (const [name, cron] of crons) {
    if (existing.get(name) !== cron) await boss.schedule(name, cron, {}, { tz: 'UTC' });
  }
  for (const name of existing.keys()) {
    if (!crons.has(name)) await boss.unschedule(name);
  }
}
