import { inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Events, readPositions } from '../events/index.ts';
import { projectEvents } from './project-orders.ts';
import { SALES_FOLLOWER } from './rebuild-sales.ts';
import { forgetDeleted } from './sql/projected-orders.ts';

export { rebuildSales, rebuildSalesOf } from './rebuild-sales.ts';

const BATCH = 500;

/** Daily sales and customers, some moments behind the orders. */
export function createSales(platform: Platform, events: Events) {
  const { sql } = platform;
  platform.jobs.every('forget-deleted-orders', '53 1 * * *', async () => {
    const { firstKept } = await readPositions(sql);
    await inTransaction(sql, (tx) => forgetDeleted(tx, firstKept));
  });
  return {
    follower: events.follow({ name: SALES_FOLLOWER, batchSize: BATCH, withBodies: true, handle: projectEvents }),
  };
}
