import type { App } from '../../platform/http/app.ts';
import { createOperationRecovery } from '../../platform/operations/index.ts';
import { inBackground, type Platform } from '../../platform/platform.ts';
import type { ForwardStatus } from '../apps/index.ts';
import type { Events } from '../events/index.ts';
import type { TrackedJobs } from '../jobs/index.ts';
import { createCountFolder } from './counters/fold-counts.ts';
import { createStatusCounters } from './counters/status-counters.ts';
import { sweepCounts } from './counters/sweep-counts.ts';
import { dashboardRoutes } from './dashboard/dashboard-routes.ts';
import { createOrderContextReader } from './order-context.ts';
import type { Ordering } from './ordering.ts';
import { batchOrders } from './place/batch-orders.ts';
import { placeAlone } from './place/place-order.ts';
import { CREATE_ORDER_JOB } from './place/place-routes.ts';
import { createResponseLimiter } from './response-limiter.ts';
import { orderRoutes } from './routes.ts';
import type { OrderInput } from './schema.ts';
import { findOrders } from './sql/find-orders.ts';
import {
  type Moving,
  PUSH_LEASE_MS,
  recoverStatusPush,
  STATUS_PUSH,
  type StatusPush,
} from './status/move-at-vendor.ts';

export { OrderPayload, OrderSnapshot } from './answer-schema.ts';
export { advanceOrdersIn, placeBatch, prepareBatch } from './bulk/bulk-orders.ts';
export type { CanonicalOrder } from './canonical/canonical-order.ts';
export { orderId as exampleOrderId, snapshot as snapshotExample } from './examples.ts';
export { createCsvExports, csvAnswer } from './list/csv-exports.ts';
export { MAX_QUICK_ROWS, slow } from './list/expensive-reads.ts';
export { type CountedOrder, scanOrders } from './list/scan-orders.ts';
export { NO_BRANCH, type Order, type OrderBranch, type OrderLine } from './order.ts';
export { storeNameOf } from './order-context.ts';
export { canonicalPaymentStatus, canonicalStatus } from './order-status.ts';
export type { Ordering, OrderOwner } from './ordering.ts';
export { orderPayload, orderSnapshot } from './payload.ts';
export { isReported } from './payment-state.ts';
export { type OrderStage, type PastOrder, placeHistory } from './place/place-history.ts';
export { getReady, placePrepared } from './place/place-order.ts';
export { type Prepared, prepareOrder, prepareOwnOrder } from './place/prepare-orders.ts';
export { orderNotFound } from './refusals.ts';
export { type OrderInput, PAYMENT_METHODS } from './schema.ts';
export { findOrders } from './sql/find-orders.ts';
export { insertNotes } from './sql/notes.ts';
export { hasOrdersWithoutEvents, isAnyWithoutEvents, takeOrdersWithoutEvents } from './sql/orders-without-events.ts';
export { replaceTags } from './sql/tags.ts';
export { readTags } from './tags/read-tag.ts';
export { applyVendorUpdates } from './update/apply-vendor-updates.ts';
export { getLockedOrder } from './update/lock-order.ts';
export type { OrderUpdate, UpdateResult } from './update/order-update.ts';
export { lockPaidOrder, payOrder } from './update/pay-order.ts';
export { recordInvoiced } from './update/record-invoiced.ts';

/** Each streamed answer holds a few pieces of half a megabyte. Further requests wait for a slot. */
const LARGE_RESPONSES = { maxConcurrent: 32, maxConcurrentPerTenant: 4, maxQueuedPerTenant: 50, maxWaitMs: 20_000 };

export type Orders = {
  ordering: Ordering;
  routes(app: App): void;
  /** Settle status pushes that were interrupted, and add up the counts. */
  workers: { start(): Promise<void>; stop(): Promise<void> }[];
};

export function createOrdersModule(
  platform: Platform,
  events: Events,
  trackedJobs: TrackedJobs,
  forward: ForwardStatus,
): Orders {
  const { sql, clock } = platform;
  const ordering: Ordering = {
    sql,
    clock,
    context: createOrderContextReader(sql),
    statusCounters: createStatusCounters(clock),
    outbox: events.outbox,
    insertBatched: batchOrders(sql, clock),
  };
  const recovery = createOperationRecovery<StatusPush>(inBackground(platform), {
    kind: STATUS_PUSH,
    leaseMs: PUSH_LEASE_MS,
    recover: (operation) =>
      recoverStatusPush({ ordering: { ...ordering, sql: platform.backgroundSql }, forward }, operation),
  });
  const moving: Moving = { ordering, forward, recover: recovery.recoverNow };
  platform.jobs.every('sweep-order-counts', '29 * * * *', async ({ signal }) => {
    await sweepCounts(sql, signal);
  });
  trackedJobs.register<{ order: OrderInput; branchId: string | null }>(
    CREATE_ORDER_JOB,
    async ({ order, branchId }, { organizationId, jobId }) => {
      // The order gets the id of the job, so that a run that is repeated after its commit finds the order.
      const [earlier] = await findOrders(sql, [{ organizationId, id: jobId }]);
      const placed = earlier ?? (await placeAlone(ordering, { organizationId, branchId }, order, jobId));
      return { id: placed.id, order_number: placed.order_code };
    },
    { resource: 'Orders' },
  );
  return {
    ordering,
    routes(app) {
      const largeResponses = createResponseLimiter(LARGE_RESPONSES);
      orderRoutes(app, platform, { ordering, trackedJobs, largeResponses, moving });
      dashboardRoutes(app, platform, largeResponses);
    },
    workers: [
      { start: async () => recovery.start(), stop: recovery.stop },
      createCountFolder(inBackground(platform), events.feed),
    ],
  };
}
