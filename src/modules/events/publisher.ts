import { createSteadyLoop, IDLE_LOOP_MS, type Notifier } from '../../platform/background/index.ts';
import {
  ADVISORY_LOCKS,
  dropWeeksBefore,
  ensureWeeks,
  inTransactionByIndex,
  retentionCut,
  type WeeklyTable,
  weekStart,
} from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { deleteStrayChanges, forgetBefore, type Stamped, stampOutbox } from './sql/events.ts';
import { deleteDeadLetters } from './sql/followers.ts';

/** Neither is ever rewritten: by the week of publication, and by that of writing. */
export const ORDER_FEED_WEEKS: WeeklyTable = { name: 'order_feed', fillPercent: 100, insertOnly: true };
export const ORDER_CHANGE_WEEKS: WeeklyTable = { name: 'order_changes', fillPercent: 100, insertOnly: true };
const WEEK_MS = 7 * 86_400_000;
const BATCH = 2_000;
/** A notice holds 8,000 bytes; past this many tenants it names none, which means all. */
const NAMED_ORGANIZATIONS = 100;

/** Gives committed changes their positions in the feed, one process of the fleet at a time. */
export function createPublisher(platform: Platform, outbox: Notifier) {
  const { sql, clock, log, duePoll } = platform;
  let readyWeek = '';

  async function step(): Promise<boolean> {
    const now = clock.now();
    const week = weekStart(now).toISOString();
    if (week !== readyWeek) {
      await ensureWeeks(sql, ORDER_FEED_WEEKS, now);
      await ensureWeeks(sql, ORDER_CHANGE_WEEKS, now);
      readyWeek = week;
    }
    const stamped = await inTransactionByIndex(sql, async (tx): Promise<Stamped | undefined> => {
      const [lock] = await tx<{ held: boolean }[]>`
        select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.publisher}) as held`;
      if (!lock?.held) return undefined;
      const batch = await stampOutbox(tx, clock.now(), BATCH);
      if (batch.events > 0) await tx`select pg_notify('order_events', ${noticeFor(batch.organizations)})`;
      return batch;
    });
    return stamped?.events === BATCH;
  }

  const loop = createSteadyLoop({
    name: 'event publisher',
    log,
    everyMs: IDLE_LOOP_MS,
    due: { duePoll, isDue: (sql) => sql`exists (select from order_outbox)` },
    step,
  });
  let stopListening: (() => void) | undefined;

  return {
    async start() {
      stopListening = outbox.onNotify(loop.wake);
      loop.start();
    },
    async stop() {
      stopListening?.();
      await loop.stop();
    },
  };
}

function noticeFor(organizations: string[]): string {
  return organizations.length > NAMED_ORGANIZATIONS ? '*' : organizations.join(',');
}

/** Daily: drops the weekly partitions past the retention. */
export async function dropOldEvents({ sql, clock, log }: Platform): Promise<void> {
  const cut = retentionCut(clock.now());
  const dropped = await dropWeeksBefore(sql, ORDER_FEED_WEEKS, cut);
  // A change may have been published in the week after the one it was written in.
  const changeCut = new Date(cut.getTime() - WEEK_MS);
  dropped.push(...(await dropWeeksBefore(sql, ORDER_CHANGE_WEEKS, changeCut)));
  await deleteStrayChanges(sql, changeCut);
  await forgetBefore(sql, cut);
  await deleteDeadLetters(sql, cut);
  if (dropped.length > 0) log.info({ dropped }, 'old events dropped');
}
