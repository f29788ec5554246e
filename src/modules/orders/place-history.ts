import type { Tx } from '../../platform/database/index.ts';
import { isId } from '../../platform/ids.ts';
import { outboxEntry } from '../events/index.ts';
import { buildOrder, type OrderPlace } from './build-order.ts';
import { type Channel, DIRECT_CHANNEL, type Order } from './order.ts';
import { changedFields, changesOf, creationOf } from './order-change.ts';
import { storeNameOf } from './order-context.ts';
import { isOpenStatus } from './order-status.ts';
import { takeSlot } from './place-order.ts';
import type { OrderInput } from './schema.ts';
import { findBranchLabels, findChannels } from './sql/find-orders.ts';
import { gatherSearchEntries, mergeSearchEntries } from './sql/gather-search-entries.ts';
import { insertOrders } from './sql/insert-orders.ts';

/** Where an order stood from some moment on. */
export type OrderStage = { at: Date; order_status: string; payment_status: string; fulfillment_status: string };

/** An order that was placed elsewhere and earlier, with what has become of it since. */
export type PastOrder = {
  order: Omit<OrderInput, 'order_status' | 'payment_status' | 'fulfillment_status'>;
  stages: [OrderStage, ...OrderStage[]];
};

const BATCH = 500;

/**
 * Takes in orders of the past as they stand now, with their own times. Those placed since `tellSince` come with the
 * events they would have given rise to; of older ones nothing is told, since a feed that keeps thirty days would pass
 * their news off as new. Returns how many were taken; the others' source transactions are known already.
 */
export async function placeHistory(
  tx: Tx,
  organizationId: string,
  past: PastOrder[],
  { tellSince }: { tellSince: Date },
): Promise<number> {
  const surroundings = await readSurroundings(tx, organizationId, past);
  await gatherSearchEntries(tx);
  let placed = 0;
  let writing: Promise<Set<string>> = Promise.resolve(new Set());
  for (let from = 0; from < past.length; from += BATCH) {
    const stories = past.slice(from, from + BATCH).map((one) => storyOf(organizationId, one, surroundings));
    const changes = stories
      .filter(({ placedAt }) => placedAt >= tellSince)
      .flatMap(({ states }) => changesAlong(states))
      .sort((one, other) => Number(one.occurredAtUs - other.occurredAtUs));
    const orders = stories.flatMap(({ states }) => states.slice(-1));
    // Waited for only now: the next batch is put together while the database writes this one.
    placed += (await writing).size;
    writing = insertOrders(tx, orders, changes.map(outboxEntry), takeSlot());
  }
  placed += (await writing).size;
  await mergeSearchEntries(tx);
  return placed;
}

type Surroundings = { places: Map<string, OrderPlace>; channels: Map<string, Channel> };

async function readSurroundings(tx: Tx, organizationId: string, past: PastOrder[]): Promise<Surroundings> {
  const keysOf = (ids: (string | null | undefined)[]) =>
    [...new Set(ids.filter(isId))].map((id) => ({ organizationId, id }));
  const branches = await findBranchLabels(tx, keysOf(past.map(({ order }) => order.destination)));
  const channels = await findChannels(tx, keysOf(past.map(({ order }) => order.source)));
  return {
    places: new Map(branches.map((row) => [row.id, { destinationId: row.id, storeName: storeNameOf(row) }])),
    channels: new Map(channels.map(({ organization_id, ...channel }) => [channel.organization_app_id, channel])),
  };
}

function storyOf(
  organizationId: string,
  { order, stages }: PastOrder,
  { places, channels }: Surroundings,
): { placedAt: Date; states: Order[] } {
  const [first, ...later] = stages;
  const place = places.get(order.destination ?? '') ?? { destinationId: null, storeName: null };
  const channel = channels.get(order.source ?? '') ?? DIRECT_CHANNEL;
  const { at: placedAt, ...words } = first;
  const input = { ...order, ...words, payment_status: null };
  const states: Order[] = [{ ...buildOrder(organizationId, input, place, channel, placedAt), ...words }];
  for (const { at, ...next } of later) {
    const before = states.at(-1);
    if (before === undefined) continue;
    states.push({ ...before, ...next, is_open: isOpenStatus(next.order_status), updated_at: at });
  }
  return { placedAt, states };
}

function changesAlong(states: Order[]) {
  return states.flatMap((after, index) => {
    const occurredAtUs = BigInt(after.updated_at.getTime()) * 1000n;
    const before = states[index - 1];
    if (before === undefined) return [creationOf(after, occurredAtUs)];
    return changesOf(before, after, changedFields(before, after), occurredAtUs);
  });
}
