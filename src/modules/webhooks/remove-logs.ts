import { createSteadyLoop, IDLE_LOOP_MS, type SteadyLoop } from '../../platform/background/index.ts';
import { inTransactionByIndex, type Sql } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { isAnyRemovalDue } from './sql/due.ts';
import { lockRemoval, removeSome } from './sql/removals.ts';

const REMOVED_AT_ONCE = 1_000;

/** Removes a part of the log of a deleted subscription. Returns whether there may be more. Each part commits by itself. */
export function removeLeftovers(sql: Sql): Promise<boolean> {
  return inTransactionByIndex(sql, async (tx) => {
    const removal = await lockRemoval(tx);
    if (removal === undefined) return false;
    return (await removeSome(tx, removal, REMOVED_AT_ONCE)) > 0;
  });
}

export function createLogRemoval({ sql, log, duePoll }: Platform): SteadyLoop {
  return createSteadyLoop({
    name: 'webhook log removal',
    log,
    everyMs: IDLE_LOOP_MS,
    due: { duePoll, isDue: isAnyRemovalDue },
    step: () => removeLeftovers(sql),
  });
}
