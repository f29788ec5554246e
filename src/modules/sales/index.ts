import { byGroup, inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Events, readPositions } from '../events/index.ts';
import { hasOrdersWithoutEvents } from '../orders/index.ts';
import { countOrdersWithoutEvents, type OnRecounted } from './count-orders-without-events.ts';
import { projectEvents } from './project-orders.ts';
import { SALES_FOLLOWER } from './rebuild-sales.ts';
import { forgetDeleted, listTenantsWithDeleted } from './sql/projected-orders.ts';

export { rebuildSales } from './rebuild-sales.ts';
export { countOrdersByDay } from './sql/orders-by-day.ts';
export { findFirstSalesDay, listSalesDays, type SalesOfDay, sumBranches } from './sql/read-branch-sales.ts';
export {
  type Cancellations,
  countBuyers,
  listBestSellers,
  type SalesRow,
  type SalesScope,
  type SoldThing,
  sumCancellations,
  sumPeriods,
} from './sql/read-sales.ts';
export { latestSalesVersion, readSalesVersions, type SalesVersions } from './sql/sales-days.ts';
export type { DaySpan } from './sql/split-span.ts';

const BATCH = 500;
/** Sales and customers are figures that people look at: a tenth of a second later is soon enough. */
const REST_MS = 100;

/** Projections of daily sales and customers, some moments behind the orders. */
export function createSales(platform: Platform, events: Events, onRecounted?: OnRecounted) {
  const { sql } = platform;
  platform.jobs.every('forget-deleted-orders', '53 1 * * *', async () => {
    const { groups, isDistributed } = sql.layout;
    const tenants = isDistributed ? byGroup(sql.layout, await listTenantsWithDeleted(sql), (id) => id) : undefined;
    for (const { id } of groups) {
      const { firstKept } = await readPositions(sql, id);
      await inTransaction(sql, (tx) => forgetDeleted(tx, tenants && (tenants.get(id) ?? []), firstKept));
    }
  });
  const follower = events.follow({
    name: SALES_FOLLOWER,
    batchSize: BATCH,
    restMs: REST_MS,
    writesToGroup: true,
    handle: projectEvents,
  });
  return {
    workers: [follower, countOrdersWithoutEvents(platform, onRecounted)],
    /** Whether orders without events, such as an imported history, are not counted yet. */
    isPending: () => hasOrdersWithoutEvents(sql),
  };
}
