import type { Tx } from '../../../platform/database/index.ts';
import { listOrderChannels, type OrderChannel } from '../../apps/index.ts';
import { listBranchLabels } from '../../branches/index.ts';
import { outboxEntry } from '../../events/index.ts';
import { createStatusCounters } from '../counters/status-counters.ts';
import { DIRECT_CHANNEL, NO_BRANCH, type Order, type OrderBranch } from '../order.ts';
import { changedFields, changesOf, creationOf } from '../order-change.ts';
import { storeNameOf } from '../order-context.ts';
import { isOpenStatus } from '../order-status.ts';
import type { OrderInput } from '../schema.ts';
import { insertOrders } from '../sql/insert-orders.ts';
import { recordOrdersWithoutEvents } from '../sql/orders-without-events.ts';
import { buildOrder } from './build-order.ts';

/** The statuses of an order from an instant on. */
export type OrderStage = { at: Date; order_status: string; payment_status: string; fulfillment_status: string };

/** An order that was placed earlier in another system, with its statuses since. */
export type PastOrder = {
  /** Generated when absent. */
  id?: string;
  /** Of the vendor's last update: earlier updates that are delivered again change nothing. */
  revision?: number;
  /** The channel, when it is not one of the installs. */
  channel?: OrderChannel;
  order: Omit<OrderInput, 'order_status' | 'payment_status' | 'fulfillment_status'>;
  stages: [OrderStage, ...OrderStage[]];
};

const BATCH = 500;

/**
 * Imports past orders in their current state, with their own times. Orders placed since `eventsSince` get the events that they
 * would have caused. Older ones get none, because a feed that keeps thirty days would present them as new; projections
 * that count by events find the tenant in `orders_without_events` and count its orders instead. Returns the number of imported
 * orders; the source transactions of the others exist already.
 */
export async function placeHistory(
  tx: Tx,
  organizationId: string,
  past: Iterable<PastOrder>,
  { eventsSince }: { eventsSince: Date },
): Promise<number> {
  const context = await readContext(tx, organizationId);
  // The clock stands still, so that the status combinations are read once in the transaction.
  const statusCounters = createStatusCounters({ now: () => eventsSince });
  let placed = 0;
  let writing: Promise<Set<string>> = Promise.resolve(new Set());
  for (const batch of inBatches(past)) {
    const histories = batch.map((one) => historyOf(organizationId, one, context, eventsSince));
    const orders = histories.map(({ order }) => order);
    const changes = histories
      .flatMap(({ earlier, order }) => (earlier === undefined ? [] : changesAlong([...earlier, order])))
      .sort((one, other) => Number(one.occurredAtUs - other.occurredAtUs));
    // Pipelined: while the database writes one batch, the next one is built.
    const previous = writing;
    const overflow = await statusCounters.findOverflow(tx, orders);
    const rows = orders.map((order) => ({ order, json: JSON.stringify(order), isOverflow: overflow.has(order.id) }));
    writing = insertOrders(tx, rows, changes.map(outboxEntry));
    writing.catch(() => undefined);
    placed += (await previous).size;
  }
  placed += (await writing).size;
  await recordOrdersWithoutEvents(tx, organizationId);
  return placed;
}

function* inBatches<T>(items: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

type ImportContext = { branches: Map<string, OrderBranch>; channels: Map<string, OrderChannel> };

async function readContext(tx: Tx, organizationId: string): Promise<ImportContext> {
  const labels = await listBranchLabels(tx, organizationId);
  const channels = await listOrderChannels(tx, organizationId);
  return {
    branches: new Map(labels.map((row) => [row.id, { destinationId: row.id, storeName: storeNameOf(row) }])),
    channels: new Map(channels.map(({ organization_id, ...channel }) => [channel.organization_app_id, channel])),
  };
}

/** The order in its current state, and its earlier states, oldest first, when they get events. */
function historyOf(
  organizationId: string,
  { id, revision, channel: own, order, stages }: PastOrder,
  { branches, channels }: ImportContext,
  eventsSince: Date,
): { order: Order; earlier: Order[] | undefined } {
  const [first] = stages;
  const branch = branches.get(order.destination ?? '') ?? NO_BRANCH;
  const channel = own ?? channels.get(order.source ?? '') ?? DIRECT_CHANNEL;
  const input = { ...order, ...first, payment_status: null };
  const built = buildOrder(organizationId, input, branch, channel, first.at, id);
  const placed = { ...built, source_revision: revision ?? null };
  const stateAt = ({ at, ...statuses }: OrderStage): Order => ({
    ...placed,
    ...statuses,
    is_open: isOpenStatus(statuses.order_status),
    updated_at: at,
  });
  const hasEvents = first.at >= eventsSince;
  return {
    order: stateAt(stages.at(-1) ?? first),
    earlier: hasEvents ? stages.slice(0, -1).map(stateAt) : undefined,
  };
}

function changesAlong(states: Order[]) {
  return states.flatMap((after, index) => {
    const occurredAtUs = BigInt(after.updated_at.getTime()) * 1000n;
    const before = states[index - 1];
    if (before === undefined) return [creationOf(after, occurredAtUs)];
    return changesOf(before, after, changedFields(before, after), occurredAtUs);
  });
}
