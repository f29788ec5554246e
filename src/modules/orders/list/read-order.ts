import { batchReads, type Sql } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import type { Order } from '../order.ts';
import type { OrderOwner } from '../ordering.ts';
import { ORDER_NOT_FOUND } from '../refusals.ts';
import { findOrders, findRawPayloads, type OrderKey } from '../sql/find-orders.ts';

export type ReadOrder = (owner: OrderOwner, id: string) => Promise<Order>;

/** For an account that is confined to one branch, the orders of other branches do not exist. */
export function createReadOrder(sql: Sql): ReadOrder {
  const find = batchReads<OrderKey, Order>({
    load: (keys) => findOrders(sql, keys),
    keyOf: (order) => ({ organizationId: order.organization_id, id: order.id }),
    textOf: (key) => `${key.organizationId} ${key.id}`,
    maxBatch: 100,
    parallel: 2,
  });
  return async (owner, id) => {
    if (!isId(id)) throw notFound(ORDER_NOT_FOUND, { id });
    const order = await find({ organizationId: owner.organizationId, id: id.toLowerCase() });
    if (order === undefined || (owner.branchId !== null && order.destination_id !== owner.branchId)) {
      throw notFound(ORDER_NOT_FOUND, { id });
    }
    return order;
  };
}

/** Adds the vendors' payloads, which ordinary reads leave out. */
export async function withRaw(sql: Sql, organizationId: string, orders: Order[]): Promise<Order[]> {
  const payloads = await findRawPayloads(
    sql,
    organizationId,
    orders.map((order) => order.id),
  );
  const rawById = new Map(payloads.map((row) => [row.id, row.raw]));
  return orders.map((order) => ({ ...order, raw: rawById.get(order.id) ?? null }));
}
