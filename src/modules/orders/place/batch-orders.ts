import { batchWrites } from '../../../platform/background/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Sql, withGroup } from '../../../platform/database/index.ts';
import type { ReadyOrder } from '../order.ts';
import { writeOrders } from './write-orders.ts';

/** A long bulk call of one tenant may lock a row that one of its single orders needs: other tenants in the batch do not wait for it. */
const SHARED_LOCK_TIMEOUT_MS = 250;

/**
 * Of one group on a cluster, where a batch has a price whatever its size: a message to the node and its plan. So there is one at a time, and a
 * second one when the first waits for a lock. Two at once, of 32 connections and four groups, had 2.5 orders each instead of 8.
 */
const ON_CLUSTER = { maxConcurrent: 2, furtherAfterMs: 30 };

/** Inserts an order in one batch with others of its group of tenants that arrive at the same time. False when its source transaction exists. */
export function batchOrders(sql: Sql, clock: Clock): (ready: ReadyOrder) => Promise<boolean> {
  const groups = new Map<string, (ready: ReadyOrder) => Promise<boolean>>();
  const queued = { bytes: 0 };

  const batchGroup = (group: string) =>
    batchWrites<ReadyOrder, boolean>({
      name: 'orders',
      queued,
      ...(sql.layout.isDistributed ? ON_CLUSTER : {}),
      tenantOf: ({ order }) => order.organization_id,
      bytesOf: ({ json }) => Buffer.byteLength(json),
      async write(batch, { shared }) {
        const limits = shared ? { lockTimeoutMs: SHARED_LOCK_TIMEOUT_MS } : {};
        const placed = await withGroup(group, () => writeOrders(sql, clock, batch, limits));
        return batch.map(({ order }) => placed.has(order.id));
      },
    });

  return (ready) => {
    const group = sql.layout.groupOf(ready.order.organization_id);
    let insert = groups.get(group);
    if (insert === undefined) {
      insert = batchGroup(group);
      groups.set(group, insert);
    }
    return insert(ready);
  };
}
