import { createSteadyLoop, IDLE_LOOP_MS, type Notifier } from '../../../platform/background/index.ts';
import { ADVISORY_LOCKS, inOnePhase, inTransaction, type Sql } from '../../../platform/database/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { foldDeltas, foldDeltasOf, isAnyDelta, listTenantsWithDeltas } from '../sql/fold-counts.ts';

const BATCH = 5_000;
/** Totals are exact without folding; it keeps the number of deltas small that a total has to read. */
const REST_MS = 500;
/** On a cluster the tenants with deltas are found by asking every shard. */
const CLUSTER_EVERY_MS = 5_000;
const TENANTS = 1_000;

/** Adds the deltas of order counts up, one process of the fleet at a time, and each at most every half second. */
export function createCountFolder({ sql, log, duePoll }: Platform, feed: Notifier) {
  const { isDistributed } = sql.layout;
  const loop = createSteadyLoop({
    name: 'order counts',
    log,
    everyMs: isDistributed ? CLUSTER_EVERY_MS : IDLE_LOOP_MS,
    restMs: REST_MS,
    ...(isDistributed ? {} : { due: { duePoll, isDue: isAnyDelta } }),
    step: () => foldCounts(sql),
  });
  let stopListening: (() => void) | undefined;

  return {
    async start() {
      if (!isDistributed) stopListening = feed.onNotify(loop.wake);
      loop.start();
    },
    async stop() {
      stopListening?.();
      await loop.stop();
    },
  };
}

/** True when there may be more. */
export function foldCounts(sql: Sql): Promise<boolean> {
  if (sql.layout.isDistributed) return foldByTenant(sql);
  return inTransaction(sql, async (tx) => {
    const [lock] = await tx<{ held: boolean }[]>`
      select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.orderCounts}) as held`;
    if (!lock?.held) return false;
    return (await foldDeltas(tx, BATCH)) === BATCH;
  });
}

async function foldByTenant(sql: Sql): Promise<boolean> {
  const tenants = await listTenantsWithDeltas(sql, TENANTS);
  for (const organizationId of tenants) await inOnePhase(sql, (tx) => foldDeltasOf(tx, organizationId));
  return tenants.length === TENANTS;
}
