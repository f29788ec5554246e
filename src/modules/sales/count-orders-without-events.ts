import { createSteadyLoop } from '../../platform/background/index.ts';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { takeOrdersWithoutEvents } from '../orders/index.ts';
import { rebuildSalesOf } from './rebuild-sales.ts';

const POLL_MS = 1_000;

/** In the transaction that counted: whoever has to know does so exactly when the sums are there. */
export type WhenRecounted = (tx: Tx, organizationId: string) => Promise<void>;

/** Counts tenants again that were given orders without events. Cut off in the middle, it is all still to be done. */
export function countOrdersWithoutEvents({ sql, log }: Platform, whenRecounted?: WhenRecounted) {
  const stopping = new AbortController();
  let countingOn: number | undefined;

  const step = () =>
    inTransaction(sql, async (tx) => {
      const organizationId = await takeOrdersWithoutEvents(tx);
      if (organizationId === undefined) return false;
      const [backend] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      countingOn = backend?.pid;
      try {
        await rebuildSalesOf(tx, organizationId, stopping.signal);
        await whenRecounted?.(tx, organizationId);
      } finally {
        countingOn = undefined;
      }
      return true;
    });

  const loop = createSteadyLoop({ name: 'count of untold orders', log, everyMs: POLL_MS, step });
  return {
    async start() {
      loop.start();
    },
    async stop() {
      stopping.abort();
      const stopped = loop.stop();
      // With a million orders a single statement takes longer than a stop may.
      if (countingOn !== undefined) await sql`select pg_cancel_backend(${countingOn})`.catch(() => undefined);
      await stopped;
    },
  };
}
