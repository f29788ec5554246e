import { batchWrites } from '../../../platform/background/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Sql } from '../../../platform/database/index.ts';
import type { ReadyOrder } from '../order.ts';
import { writeOrders } from './write-orders.ts';

/** One tenant's long bulk call may hold what one of its single orders needs: the others in the batch do not wait for it. */
const SHARED_LOCK_TIMEOUT_MS = 250;

/** Places one order among others that arrive at the same time; false when its source transaction is known. */
export function batchOrders(sql: Sql, clock: Clock): (ready: ReadyOrder) => Promise<boolean> {
  return batchWrites<ReadyOrder, boolean>({
    name: 'orders',
    tenantOf: ({ order }) => order.organization_id,
    bytesOf: ({ json }) => Buffer.byteLength(json),
    async write(batch, { shared }) {
      const placed = await writeOrders(sql, clock, batch, shared ? { lockTimeoutMs: SHARED_LOCK_TIMEOUT_MS } : {});
      return batch.map(({ order }) => placed.has(order.id));
    },
  });
}
