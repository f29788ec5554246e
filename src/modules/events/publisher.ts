import { createSteadyLoop, type Notifier } from '../../platform/background/index.ts';
import {
  ADVISORY_LOCKS,
  byIndexOnly,
  dropWeeksBefore,
  ensureWeeks,
  inTransaction,
  retentionCut,
  type WeeklyTable,
  weekStart,
} from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { forgetBefore, type Stamped, stampOutbox } from './sql/events.ts';
import { deleteDeadLetters } from './sql/followers.ts';

/** An event is never rewritten. */
export const ORDER_EVENT_WEEKS: WeeklyTable = { name: 'order_events', fillPercent: 100 };
const BATCH = 2_000;
/** Of bodies, which go from one table to another inside the server: two thousand large orders would be half a gigabyte. */
const BATCH_BYTES = 16 * 1024 * 1024;
/** Notifications wake the publisher; this bounds the delay of a lost one. */
const POLL_MS = 1_000;
/** A notice holds 8,000 bytes; past this many tenants it names none, which means all. */
const NAMED_ORGANIZATIONS = 100;

/** Moves events from the outbox to the feed, one process of the fleet at a time. */
export function createPublisher(platform: Platform, outbox: Notifier) {
  const { sql, clock, log } = platform;
  let readyWeek = '';

  async function step(): Promise<boolean> {
    const now = clock.now();
    const week = weekStart(now).toISOString();
    if (week !== readyWeek) {
      await ensureWeeks(sql, ORDER_EVENT_WEEKS, now);
      readyWeek = week;
    }
    const stamped = await inTransaction(sql, async (tx): Promise<Stamped | undefined> => {
      const [[lock]] = await Promise.all([
        tx<{ held: boolean }[]>`select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.publisher}) as held`,
        byIndexOnly(tx),
      ]);
      if (!lock?.held) return undefined;
      const batch = await stampOutbox(tx, now, BATCH, BATCH_BYTES);
      if (batch.events > 0) await tx`select pg_notify('order_events', ${noticeFor(batch.organizations)})`;
      return batch;
    });
    return stamped !== undefined && (stamped.events === BATCH || stamped.bytes >= BATCH_BYTES);
  }

  const loop = createSteadyLoop({ name: 'event publisher', log, everyMs: POLL_MS, step });
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
  const dropped = await dropWeeksBefore(sql, ORDER_EVENT_WEEKS, cut);
  await forgetBefore(sql, cut);
  await deleteDeadLetters(sql, cut);
  if (dropped.length > 0) log.info({ dropped }, 'old events dropped');
}
