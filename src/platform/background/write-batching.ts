import { classifyDatabaseError, DatabaseBusy, refuseInsideTransaction, withoutTenant } from '../database/index.ts';
import { tooManyRequests, unavailable } from '../http/problem.ts';
import { createRoundRobinQueue } from './round-robin-queue.ts';

export type BatchedWrites<Item, Result> = {
  tenantOf(item: Item): string;
  bytesOf(item: Item): number;
  /**
   * Writes all items in one statement; results in the order of the items. `shared` when they are several: then it should not wait
   * long for a lock that one of them needs.
   */
  write(items: Item[], how: { shared: boolean }): Promise<Result[]>;
  /** The field name in the refusal when too many items are queued. */
  name: string;
  /** Shared by several queues that have a limit in bytes together. */
  queued?: { bytes: number };
  /** Concurrent statements: while one waits for the disk the others run. Fewer make larger batches. */
  maxConcurrent?: number;
  /** A further statement begins only when those that run have run for so long, as they do that wait for a lock. At once if absent. */
  furtherAfterMs?: number;
};

const MAX_CONCURRENT = 4;
const MAX_BATCH = 64;
/** A batch of ordinary items is 100 kB; one of the largest would hold a connection for seconds. */
const MAX_BATCH_BYTES = 2 * 1024 * 1024;
const MAX_QUEUED_PER_TENANT = 500;
const MAX_QUEUED_BYTES_PER_TENANT = 16 * 1024 * 1024;
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;
const RETRY_AFTER_MS = 1_000;
/** Writers lock in one order, so a second attempt is rare and a third has not been observed. */
const MAX_ATTEMPTS = 3;

type QueuedItem<Item, Result> = {
  item: Item;
  bytes: number;
  resolve(result: Result): void;
  reject(cause: unknown): void;
};

/**
 * Items that arrive while others are being written share the next statement: one parse, one commit and one flush for all of them, and
 * each caller still gets its own result. An idle service writes at once.
 *
 * The queue is limited in number and bytes, per tenant and in total, and tenants are served round-robin: a tenant with thousands of
 * items delays only itself.
 */
export function batchWrites<Item, Result>(options: BatchedWrites<Item, Result>): (item: Item) => Promise<Result> {
  const { tenantOf, bytesOf, write, name, maxConcurrent = MAX_CONCURRENT, queued = { bytes: 0 } } = options;
  const { furtherAfterMs = 0 } = options;
  const queue = createRoundRobinQueue<QueuedItem<Item, Result>>();
  let running = 0;
  /** When the last statement began. */
  let beganMs = 0;
  let isTimed = false;

  async function writeQueued(): Promise<void> {
    running += 1;
    beganMs = performance.now();
    // Collects the requests of this event-loop iteration before the first statement is sent.
    await new Promise(setImmediate);
    for (;;) {
      const batch = queue.take(MAX_BATCH, MAX_BATCH_BYTES);
      if (batch.length === 0) break;
      for (const { bytes } of batch) queued.bytes -= bytes;
      beganMs = performance.now();
      await writeBatch(batch);
    }
    running -= 1;
  }

  function startWriter(): void {
    if (running === maxConcurrent || queue.queuedBytes() === 0) return;
    const earlyMs = running === 0 ? 0 : beganMs + furtherAfterMs - performance.now();
    if (earlyMs <= 0) {
      void withoutTenant(writeQueued);
      return;
    }
    if (isTimed) return;
    isTimed = true;
    setTimeout(() => {
      isTimed = false;
      startWriter();
    }, earlyMs).unref();
  }

  async function writeBatch(batch: QueuedItem<Item, Result>[], attempt = 1): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      const results = await write(items, { shared: batch.length > 1 });
      // The cast relies on `write` returning one result per item.
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      const { kind } = classifyDatabaseError(error);
      if (kind === 'retry' && attempt < MAX_ATTEMPTS) return writeBatch(batch, attempt + 1);
      if (batch.length === 1 || kind === 'unavailable' || error instanceof DatabaseBusy) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // One invalid item must not fail the others: retry with one statement per tenant, then with one per item of the tenant.
      for (const part of splitBatch(batch)) await writeBatch(part);
    }
  }

  /** By tenant; a batch of one tenant item by item. */
  function splitBatch(batch: QueuedItem<Item, Result>[]): QueuedItem<Item, Result>[][] {
    const byTenant = Map.groupBy(batch, ({ item }) => tenantOf(item));
    return byTenant.size > 1 ? [...byTenant.values()] : batch.map((queued) => [queued]);
  }

  return (item) => {
    refuseInsideTransaction();
    return new Promise((resolve, reject) => {
      const tenant = tenantOf(item);
      const bytes = bytesOf(item);
      const { count, bytes: queuedBytes } = queue.queuedOf(tenant);
      if (count >= MAX_QUEUED_PER_TENANT || queuedBytes + bytes > MAX_QUEUED_BYTES_PER_TENANT) {
        reject(tooManyRequests(MAX_QUEUED_PER_TENANT, RETRY_AFTER_MS));
        return;
      }
      if (queued.bytes + bytes > MAX_QUEUED_BYTES) {
        reject(unavailable({ [name]: 'too many are waiting to be written' }));
        return;
      }
      queued.bytes += bytes;
      queue.add(tenant, { item, bytes, resolve, reject });
      startWriter();
    });
  };
}
