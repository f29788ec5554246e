import { createSteadyLoop, type Notifier } from '../../../platform/background/index.ts';
import { ADVISORY_LOCKS, inTransaction, type Sql } from '../../../platform/database/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { foldDeltas } from '../sql/fold-counts.ts';

const BATCH = 5_000;
/** Totals are exact without it; it keeps the number of deltas small that a total has to read. */
const FOLD_AFTER_MS = 500;
/** Notifications wake the loop; this bounds the delay of a lost one. */
const POLL_MS = 30_000;

/** Adds the deltas of order counts up, one process of the fleet at a time. Half a second after a change, and not more often. */
export function createCountFolder({ sql, log }: Pick<Platform, 'sql' | 'log'>, feed: Notifier) {
  const loop = createSteadyLoop({ name: 'order counts', log, everyMs: POLL_MS, step: () => foldCounts(sql) });
  let timer: NodeJS.Timeout | undefined;
  let stopListening: (() => void) | undefined;

  return {
    async start() {
      stopListening = feed.onNotify(() => {
        timer ??= setTimeout(() => {
          timer = undefined;
          loop.wake();
        }, FOLD_AFTER_MS);
      });
      loop.start();
    },
    async stop() {
      stopListening?.();
      clearTimeout(timer);
      await loop.stop();
    },
  };
}

/** True when there may be more. */
export function foldCounts(sql: Sql): Promise<boolean> {
  return inTransaction(sql, async (tx) => {
    const [lock] = await tx<{ held: boolean }[]>`
      select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.orderCounts}) as held`;
    if (!lock?.held) return false;
    return (await foldDeltas(tx, BATCH)) === BATCH;
  });
}
