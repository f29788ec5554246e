import type { Clock } from '../../platform/clock.ts';
import { classifyDatabaseError, type Sql } from '../../platform/database/index.ts';
import type { Order } from './order.ts';
import { insertAll } from './place-order.ts';

type Waiting = { order: Order; resolve(placed: boolean): void; reject(cause: unknown): void };

/** Statements under way at once: the others fill the time in which one waits for the disk. */
const LANES = 4;
const MAX_BATCH = 64;

/**
 * Orders that arrive while others are being written share the next statement: one parse, one commit and one flush for
 * all of them, and each caller still gets its own answer. An order that comes to an idle service is written at once.
 */
export function gatherOrders(sql: Sql, clock: Clock): (order: Order) => Promise<boolean> {
  const queue: Waiting[] = [];
  let lanesBusy = 0;

  async function runLane(): Promise<void> {
    lanesBusy += 1;
    // Let the requests of this turn of the event loop arrive before the first statement leaves.
    await new Promise(setImmediate);
    while (queue.length > 0) {
      const batch = queue.splice(0, MAX_BATCH);
      await writeBatch(batch);
    }
    lanesBusy -= 1;
  }

  async function writeBatch(batch: Waiting[]): Promise<void> {
    try {
      const placed = await insertAll(
        sql,
        clock,
        batch.map((waiting) => waiting.order),
      );
      for (const waiting of batch) waiting.resolve(placed.has(waiting.order.id));
    } catch (error) {
      if (batch.length === 1 || classifyDatabaseError(error).kind === 'unavailable') {
        for (const waiting of batch) waiting.reject(error);
        return;
      }
      // One order the database cannot hold must not take its neighbours down: each gets a statement of its own.
      for (const waiting of batch) await writeBatch([waiting]);
    }
  }

  return (order) =>
    new Promise((resolve, reject) => {
      queue.push({ order, resolve, reject });
      if (lanesBusy < LANES) void runLane();
    });
}
