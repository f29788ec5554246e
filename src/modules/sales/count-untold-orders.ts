import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { createSteadyLoop } from '../events/index.ts';
import { takeUntoldOrders } from '../orders/index.ts';
import { rebuildSalesOf } from './rebuild-sales.ts';

const POLL_MS = 1_000;

/** Counts tenants again that were given orders without events. Cut off in the middle, it is all still to be done. */
export function countUntoldOrders({ sql, log }: Platform) {
  const stopping = new AbortController();
  const loop = createSteadyLoop({
    name: 'count of untold orders',
    log,
    everyMs: POLL_MS,
    step: () =>
      inTransaction(sql, async (tx) => {
        const organizationId = await takeUntoldOrders(tx);
        if (organizationId === undefined) return false;
        await rebuildSalesOf(tx, organizationId, stopping.signal);
        return true;
      }),
  });
  return {
    async start() {
      loop.start();
    },
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}
