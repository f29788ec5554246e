import { classifyDatabaseError, DatabaseBusy, refuseInsideTransaction, withoutTenant } from '../database/index.ts';
import { tooManyRequests, unavailable } from '../http/problem.ts';
import { createTurns } from './take-turns.ts';

export type BatchedWrites<Item, Result> = {
  tenantOf(item: Item): string;
  bytesOf(item: Item): number;
  /**
   * In one statement, answers in the order of the items. `shared` when they are several: then it should not wait long for
   * what one of them needs.
   */
  write(items: Item[], how: { shared: boolean }): Promise<Result[]>;
  /** What is said to wait when too much does. */
  name: string;
};

/** Statements under way at once: the others fill the time in which one waits for the disk. */
const LANES = 4;
const MAX_BATCH = 64;
/** A batch of ordinary items is 100 kB; one of the largest would hold a connection for seconds. */
const MAX_BATCH_BYTES = 2 * 1024 * 1024;
const MAX_WAITING_PER_TENANT = 500;
const MAX_WAITING_BYTES_PER_TENANT = 16 * 1024 * 1024;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const RETRY_AFTER_MS = 1_000;
/** Writers lock in one order, so a second time is rare and a third unheard of. */
const MAX_ATTEMPTS = 3;

type Waiting<Item, Result> = { item: Item; bytes: number; resolve(result: Result): void; reject(cause: unknown): void };

/**
 * What arrives while other items are being written shares the next statement: one parse, one commit and one flush for all
 * of them, and each caller still gets its own answer. What comes to an idle service is written at once.
 *
 * Who waits is bounded in number and bytes, for each tenant and in all, and tenants are served in turn: one that sends
 * thousands fills its own turns, not the others'.
 */
export function batchWrites<Item, Result>(options: BatchedWrites<Item, Result>): (item: Item) => Promise<Result> {
  const { tenantOf, bytesOf, write, name } = options;
  const turns = createTurns<Waiting<Item, Result>>();
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

  async function writeBatch(batch: Waiting<Item, Result>[], attempt = 1): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      const results = await write(items, { shared: batch.length > 1 });
      // As many as there were items: the cast is what `write` promises.
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      const { kind } = classifyDatabaseError(error);
      if (kind === 'retry' && attempt < MAX_ATTEMPTS) return writeBatch(batch, attempt + 1);
      if (batch.length === 1 || kind === 'unavailable' || error instanceof DatabaseBusy) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // One item the database cannot hold must not take its neighbours down: first each tenant gets a statement of its
      // own, then each item of the tenant whose it is.
      for (const part of apart(batch)) await writeBatch(part);
    }
  }

  /** By tenant; what is of one tenant already, item by item. */
  function apart(batch: Waiting<Item, Result>[]): Waiting<Item, Result>[][] {
    const byTenant = Map.groupBy(batch, ({ item }) => tenantOf(item));
    return byTenant.size > 1 ? [...byTenant.values()] : batch.map((waiting) => [waiting]);
  }

  return (item) => {
    refuseInsideTransaction();
    return new Promise((resolve, reject) => {
      const tenant = tenantOf(item);
      const bytes = bytesOf(item);
      const { count, bytes: waitingBytes } = turns.waitingOf(tenant);
      if (count >= MAX_WAITING_PER_TENANT || waitingBytes + bytes > MAX_WAITING_BYTES_PER_TENANT) {
        reject(tooManyRequests(MAX_WAITING_PER_TENANT, RETRY_AFTER_MS));
        return;
      }
      if (turns.waitingBytes() + bytes > MAX_WAITING_BYTES) {
        reject(unavailable({ [name]: 'too many are waiting to be written' }));
        return;
      }
      turns.add(tenant, { item, bytes, resolve, reject });
      if (lanesBusy < LANES) void withoutTenant(runLane);
    });
  };
}
