import type { App } from '../../platform/http/app.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Events } from '../events/index.ts';
import type { TrackedJobs } from '../jobs/index.ts';
import { dashboardRoutes } from './dashboard-routes.ts';
import { gatherOrders } from './gather-orders.ts';
import { createOrderContext } from './order-context.ts';
import { type Ordering, placeOrder } from './place-order.ts';
import { CREATE_ORDER_JOB, orderRoutes } from './routes.ts';
import type { OrderInput } from './schema.ts';
import { findOrders } from './sql/find-orders.ts';

export { advanceOrdersIn, createOrders } from './bulk-orders.ts';
export type { CanonicalOrder } from './canonical.ts';
export { CANONICAL_STATUSES, canonicalPaymentStatus, canonicalStatus, isOpenStatus } from './order-status.ts';
export { type OrderStage, type PastOrder, placeHistory } from './place-history.ts';
export type { Ordering } from './place-order.ts';
export { type CountedOrder, scanOrders } from './scan-orders.ts';
export { takeUntoldOrders } from './sql/untold-orders.ts';

export type Orders = { ordering: Ordering; routes(app: App): void };

export function createOrdersModule(platform: Platform, events: Events, trackedJobs: TrackedJobs): Orders {
  const { sql, clock } = platform;
  const ordering: Ordering = {
    sql,
    clock,
    context: createOrderContext(sql),
    outbox: events.outbox,
    insertGathered: gatherOrders(sql, clock),
  };
  trackedJobs.register<{ order: OrderInput; branchId: string | null }>(
    CREATE_ORDER_JOB,
    async ({ order, branchId }, { organizationId, jobId }) => {
      // The job's id becomes the order's: a run that was cut off after its commit finds what it did.
      const [earlier] = await findOrders(sql, [{ organizationId, id: jobId }]);
      const placed = earlier ?? (await placeOrder(ordering, { organizationId, branchId }, order, jobId));
      return { id: placed.id, order_number: placed.order_code };
    },
    { resource: 'Orders' },
  );
  return {
    ordering,
    routes(app) {
      orderRoutes(app, platform, ordering, trackedJobs);
      dashboardRoutes(app, platform);
    },
  };
}
