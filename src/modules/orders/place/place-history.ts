import type { Tx } from '../../../platform/database/index.ts';
import { listOrderChannels, type OrderChannel } from '../../apps/index.ts';
import { listBranchLabels } from '../../branches/index.ts';
import { outboxEntry } from '../../events/index.ts';
import { createStatusCounters } from '../counters/status-counters.ts';
import { DIRECT_CHANNEL, type Order } from '../order.ts';
import { changedFields, changesOf, creationOf } from '../order-change.ts';
import { storeNameOf } from '../order-context.ts';
import { isOpenStatus } from '../order-status.ts';
import type { OrderInput } from '../schema.ts';
import { batchSearchEntries, mergeSearchEntries } from '../sql/batch-search-entries.ts';
import { insertOrders } from '../sql/insert-orders.ts';
import { recordOrdersWithoutEvents } from '../sql/orders-without-events.ts';
import { buildOrder, NOWHERE, type OrderPlace } from './build-order.ts';
import { takeSlot } from './write-orders.ts';

/** Where an order stood from some moment on. */
export type OrderStage = { at: Date; order_status: string; payment_status: string; fulfillment_status: string };

/** An order that was placed elsewhere and earlier, with what has become of it since. */
export type PastOrder = {
  /** Made up when it is not given. */
  id?: string;
  /** Of the last that its vendor told of it: earlier updates, should they come again, change nothing. */
  revision?: number;
  /** Where it came from, if not from one of the installs. */
  channel?: OrderChannel;
  order: Omit<OrderInput, 'order_status' | 'payment_status' | 'fulfillment_status'>;
  stages: [OrderStage, ...OrderStage[]];
};

const BATCH = 500;

/**
 * Takes in orders of the past as they stand now, with their own times. Those placed since `tellSince` come with the
 * events they would have given rise to; of older ones nothing is told, since a feed that keeps thirty days would pass
 * their news off as new, and whoever counts by events is left a note to count from the orders instead. Returns how many
 * were taken; the others' source transactions are known already.
 */
export async function placeHistory(
  tx: Tx,
  organizationId: string,
  past: Iterable<PastOrder>,
  { tellSince }: { tellSince: Date },
): Promise<number> {
  const surroundings = await readSurroundings(tx, organizationId);
  // One transaction is one moment: what is counted by itself is read once.
  const statusCounters = createStatusCounters({ now: () => tellSince });
  await batchSearchEntries(tx);
  let placed = 0;
  let writing: Promise<Set<string>> = Promise.resolve(new Set());
  for (const batch of inBatches(past)) {
    const stories = batch.map((one) => storyOf(organizationId, one, surroundings, tellSince));
    const orders = stories.map(({ order }) => order);
    const changes = stories
      .flatMap(({ earlier, order }) => (earlier === undefined ? [] : changesAlong([...earlier, order])))
      .sort((one, other) => Number(one.occurredAtUs - other.occurredAtUs));
    // One ahead: while the database writes a batch, the next is put together and sent after it.
    const before = writing;
    const rare = await statusCounters.findOverflow(tx, orders);
    const rows = orders.map((order) => ({ order, json: JSON.stringify(order), isOverflow: rare.has(order.id) }));
    writing = insertOrders(tx, rows, changes.map(outboxEntry), { slot: takeSlot() });
    writing.catch(() => undefined);
    placed += (await before).size;
  }
  placed += (await writing).size;
  await mergeSearchEntries(tx);
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

type Surroundings = { places: Map<string, OrderPlace>; channels: Map<string, OrderChannel> };

async function readSurroundings(tx: Tx, organizationId: string): Promise<Surroundings> {
  const branches = await listBranchLabels(tx, organizationId);
  const channels = await listOrderChannels(tx, organizationId);
  return {
    places: new Map(branches.map((row) => [row.id, { destinationId: row.id, storeName: storeNameOf(row) }])),
    channels: new Map(channels.map(({ organization_id, ...channel }) => [channel.organization_app_id, channel])),
  };
}

/** The order as it stands; and as it stood before, first to last, when that is to be told. */
function storyOf(
  organizationId: string,
  { id, revision, channel: own, order, stages }: PastOrder,
  { places, channels }: Surroundings,
  tellSince: Date,
): { order: Order; earlier: Order[] | undefined } {
  const [first] = stages;
  const place = places.get(order.destination ?? '') ?? NOWHERE;
  const channel = own ?? channels.get(order.source ?? '') ?? DIRECT_CHANNEL;
  const input = { ...order, ...first, payment_status: null };
  const built = buildOrder(organizationId, input, place, channel, first.at, id);
  const placed = { ...built, source_revision: revision ?? null };
  const standing = ({ at, ...words }: OrderStage): Order => ({
    ...placed,
    ...words,
    is_open: isOpenStatus(words.order_status),
    updated_at: at,
  });
  const isUpdated = first.at >= tellSince;
  return {
    order: standing(stages.at(-1) ?? first),
    earlier: isUpdated ? stages.slice(0, -1).map(standing) : undefined,
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
