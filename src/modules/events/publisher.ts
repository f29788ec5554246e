import { byIndexOnly, inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { dropWeeksBefore, ensureWeeks, retentionCut, weekStart } from './partitions.ts';
import { forgetBefore, type Stamped, stampOutbox } from './sql.ts';
import { createSteadyLoop } from './steady-loop.ts';
import type { WakeUp } from './wake-up.ts';

const PUBLISHER_LOCK = 7_201_004;
const BATCH = 2_000;
/** Notices wake it; this is for the notice that got lost. */
const POLL_MS = 1_000;
/** A notice holds 8,000 bytes; past this many tenants it says "everybody". */
const NAMED_ORGANIZATIONS = 100;

/** Moves events from the outbox to the feed, one process of the fleet at a time. */
export function createPublisher(platform: Platform, outbox: WakeUp) {
  const { sql, clock, log } = platform;
  let readyWeek = '';

  async function step(): Promise<boolean> {
    const now = clock.now();
    const week = weekStart(now).toISOString();
    if (week !== readyWeek) {
      await ensureWeeks(sql, 'order_events', now);
      readyWeek = week;
    }
    const stamped = await inTransaction(sql, async (tx): Promise<Stamped | undefined> => {
      const [[lock]] = await Promise.all([
        tx<{ held: boolean }[]>`select pg_try_advisory_xact_lock(${PUBLISHER_LOCK}) as held`,
        byIndexOnly(tx),
      ]);
      if (!lock?.held) return undefined;
      const batch = await stampOutbox(tx, now, BATCH);
      if (batch.events > 0) await tx`select pg_notify('order_events', ${noticeFor(batch.organizations)})`;
      return batch;
    });
    return stamped?.events === BATCH;
  }

  const loop = createSteadyLoop({ name: 'event publisher', log, everyMs: POLL_MS, step });
  let stopListening: (() => void) | undefined;

  return {
    async start() {
      stopListening = outbox.onRing(loop.wake);
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

/** Daily: the weeks that nobody may read any more are dropped whole. */
export async function dropOldEvents({ sql, clock, log }: Platform): Promise<void> {
  const cut = retentionCut(clock.now());
  const dropped = await dropWeeksBefore(sql, 'order_events', cut);
  await forgetBefore(sql, cut);
  if (dropped.length > 0) log.info({ dropped }, 'old events dropped');
}
