import type { Clock } from '../../platform/clock.ts';
import {
  classifyDatabaseError,
  DatabaseBusy,
  onBehalfOfNobody,
  refuseInsideTransaction,
  type Sql,
} from '../../platform/database/index.ts';
import { tooManyRequests, unavailable } from '../../platform/http/problem.ts';
import type { ReadyOrder } from './order.ts';
import { createTurns } from './take-turns.ts';
import { writeOrders } from './write-orders.ts';

type Waiting = { ready: ReadyOrder; bytes: number; resolve(placed: boolean): void; reject(cause: unknown): void };

/** Statements under way at once: the others fill the time in which one waits for the disk. */
const LANES = 4;
const MAX_BATCH = 64;
/** A batch of ordinary orders is 100 kB; one of the largest would hold a connection for seconds. */
const MAX_BATCH_BYTES = 2 * 1024 * 1024;
const MAX_WAITING_PER_TENANT = 500;
const MAX_WAITING_BYTES_PER_TENANT = 16 * 1024 * 1024;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const RETRY_AFTER_MS = 1_000;
/** One tenant's long bulk call may hold what one of its single orders needs: the others in the batch do not wait for it. */
const SHARED_LOCK_TIMEOUT_MS = 250;
/** Writers lock in one order, so a second time is rare and a third unheard of. */
const MAX_ATTEMPTS = 3;

/**
 * Orders that arrive while others are being written share the next statement: one parse, one commit and one flush for
 * all of them, and each caller still gets its own answer. An order that comes to an idle service is written at once.
 *
 * Who waits is bounded in number and bytes, for each tenant and in all, and tenants are served in turn: one that sends
 * thousands fills its own turns, not the others'.
 */
export function gatherOrders(sql: Sql, clock: Clock): (ready: ReadyOrder) => Promise<boolean> {
  const turns = createTurns<Waiting>();
  let lanesBusy = 0;

  async function runLane(): Promise<void> {
    lanesBusy += 1;
    // Let the requests of this turn of the event loop arrive before the first statement leaves.
    await new Promise(setImmediate);
    for (;;) {
      const batch = turns.take(MAX_BATCH, MAX_BATCH_BYTES);
      if (batch.length === 0) break;
      await writeBatch(batch);
    }
    lanesBusy -= 1;
  }

  async function writeBatch(batch: Waiting[], attempt = 1): Promise<void> {
    try {
      const placed = await writeOrders(
        sql,
        clock,
        batch.map(({ ready }) => ready),
        batch.length === 1 ? {} : { lockTimeoutMs: SHARED_LOCK_TIMEOUT_MS },
      );
      for (const { ready, resolve } of batch) resolve(placed.has(ready.order.id));
    } catch (error) {
      const { kind } = classifyDatabaseError(error);
      if (kind === 'retry' && attempt < MAX_ATTEMPTS) return writeBatch(batch, attempt + 1);
      if (batch.length === 1 || kind === 'unavailable' || error instanceof DatabaseBusy) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // One order the database cannot hold must not take its neighbours down: first each tenant gets a statement of its
      // own, then each order of the tenant whose it is.
      for (const part of apart(batch)) await writeBatch(part);
    }
  }

  return (ready) => {
    refuseInsideTransaction();
    return new Promise((resolve, reject) => {
      const tenant = ready.order.organization_id;
      const bytes = Buffer.byteLength(ready.json);
      const { count, bytes: waitingBytes } = turns.waitingOf(tenant);
      if (count >= MAX_WAITING_PER_TENANT || waitingBytes + bytes > MAX_WAITING_BYTES_PER_TENANT) {
        reject(tooManyRequests(MAX_WAITING_PER_TENANT, RETRY_AFTER_MS));
        return;
      }
      if (turns.waitingBytes() + bytes > MAX_WAITING_BYTES) {
        reject(unavailable({ orders: 'too many are waiting to be written' }));
        return;
      }
      turns.add(tenant, { ready, bytes, resolve, reject });
      if (lanesBusy < LANES) void onBehalfOfNobody(runLane);
    });
  };
}

/** By tenant; what is of one tenant already, order by order. */
function apart(batch: Waiting[]): Waiting[][] {
  const byTenant = Map.groupBy(batch, ({ ready }) => ready.order.organization_id);
  return byTenant.size > 1 ? [...byTenant.values()] : batch.map((waiting) => [waiting]);
}
