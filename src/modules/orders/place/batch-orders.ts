import { batchWrites } from '../../../platform/background/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Sql } from '../../../platform/database/index.ts';
import type { ReadyOrder } from '../order.ts';
import { writeOrders } from './write-orders.ts';

/** A long bulk call of one tenant may lock a row that one of its single orders needs: other tenants in the batch do not wait for it. */
const SHARED_LOCK_TIMEOUT_MS = 250;

/** Inserts an order in one batch with others that arrive at the same time. False when its source transaction exists. */
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
