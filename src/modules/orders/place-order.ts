import type { WakeUp } from '../../platform/background/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Queryable, Sql } from '../../platform/database/index.ts';
import { conflict, unprocessable } from '../../platform/http/problem.ts';
import { outboxEntry } from '../events/index.ts';
import { buildOrder } from './build-order.ts';
import type { Order } from './order.ts';
import { creationOf } from './order-change.ts';
import type { OrderContext } from './order-context.ts';
import type { OrderInput } from './schema.ts';
import { COUNT_SLOTS } from './sql/counts.ts';
import { insertOrders } from './sql/insert-orders.ts';

/** What the order rules work with. */
export type Ordering = {
  sql: Sql;
  clock: Clock;
  context: OrderContext;
  /** Rung after a commit, so that the publisher looks at once. */
  outbox: WakeUp;
  /** Places one order among others that arrive at the same time; false when its source transaction is known. */
  insertGathered(order: Order): Promise<boolean>;
};

/** Who asks: the tenant, and the branch for an account confined to one. */
export type OrderOwner = { organizationId: string; branchId: string | null };

/** The order a caller described, checked against the tenant's branches and installs; nothing is written yet. */
export async function prepareOrder(
  ordering: Ordering,
  owner: OrderOwner,
  input: OrderInput,
  id?: string,
): Promise<Order> {
  const destination = input.destination ?? owner.branchId;
  const place = await ordering.context.findPlace(owner.organizationId, destination);
  if (place === undefined) throw unprocessable({ destination: 'does not exist' });
  if (owner.branchId !== null && place.destinationId !== owner.branchId) {
    throw unprocessable({ destination: 'is not the branch of this account' });
  }
  const channel = await ordering.context.findChannel(owner.organizationId, input.source);
  return buildOrder(owner.organizationId, input, place, channel, ordering.clock.now(), id);
}

export function duplicateTransaction(order: { source_transaction_id: string | null }) {
  return conflict('Duplicate source transaction ID', { source_transaction_id: order.source_transaction_id });
}

/** On its own, sharing a statement with whatever else is being placed in this moment. */
export async function placeOrder(
  ordering: Ordering,
  owner: OrderOwner,
  input: OrderInput,
  id?: string,
): Promise<Order> {
  const order = await prepareOrder(ordering, owner, input, id);
  if (!(await ordering.insertGathered(order))) throw duplicateTransaction(order);
  ordering.outbox.ring();
  return order;
}

/** Inside a transaction of the caller's, who rings once it has committed. */
export async function placeOrderIn(
  tx: Queryable,
  ordering: Ordering,
  owner: OrderOwner,
  input: OrderInput,
): Promise<Order> {
  const order = await prepareOrder(ordering, owner, input);
  const placed = await insertAll(tx, ordering.clock, [order]);
  if (!placed.has(order.id)) throw duplicateTransaction(order);
  return order;
}

let nextSlot = Math.floor(Math.random() * COUNT_SLOTS);

/** Writers take slots in turn: two that run at the same time rarely meet on a count. */
export function takeSlot(): number {
  nextSlot = (nextSlot + 1) % COUNT_SLOTS;
  return nextSlot;
}

/** The ids of those that were placed; the others' source transactions are known already. */
export function insertAll(sql: Queryable, clock: Clock, orders: Order[]): Promise<Set<string>> {
  const occurredAtUs = clock.nowNanoseconds() / 1000n;
  const entries = orders.map((order) => outboxEntry(creationOf(order, occurredAtUs)));
  return insertOrders(sql, orders, entries, takeSlot());
}
