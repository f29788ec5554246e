import { createSteadyLoop, IDLE_LOOP_MS } from '../../platform/background/index.ts';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { isAnyWithoutEvents, takeOrdersWithoutEvents } from '../orders/index.ts';
import { rebuildSalesOf } from './rebuild-sales.ts';

/** Called in the transaction that counted, so that its effects commit together with the sums. */
export type OnRecounted = (tx: Tx, organizationId: string) => Promise<void>;

/** Recounts tenants with orders without events. An interrupted recount starts again from the beginning. */
export function countOrdersWithoutEvents({ sql, log, duePoll }: Platform, onRecounted?: OnRecounted) {
  const stopping = new AbortController();
  let countingPid: number | undefined;

  const step = () =>
    inTransaction(sql, async (tx) => {
      const organizationId = await takeOrdersWithoutEvents(tx);
      if (organizationId === undefined) return false;
      const [backend] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      countingPid = backend?.pid;
      try {
        await rebuildSalesOf(tx, organizationId, stopping.signal);
        await onRecounted?.(tx, organizationId);
      } finally {
        countingPid = undefined;
      }
      return true;
    });

  const loop = createSteadyLoop({
    name: 'count of orders without events',
    log,
    everyMs: IDLE_LOOP_MS,
    due: { duePoll, isDue: isAnyWithoutEvents },
    step,
  });
  return {
    async start() {
      loop.start();
    },
    async stop() {
      stopping.abort();
      const stopped = loop.stop();
      // With a million orders a single statement takes longer than the time limit of a stop.
      if (countingPid !== undefined) await sql`select pg_cancel_backend(${countingPid}::int)`.catch(() => undefined);
      await stopped;
    },
  };
}
