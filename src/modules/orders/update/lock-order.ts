import type { Tx } from '../../../platform/database/index.ts';
import { isId } from '../../../platform/ids.ts';
import type { Order } from '../order.ts';
import type { OrderOwner } from '../ordering.ts';
import { orderNotFound } from '../refusals.ts';
import { lockOrders } from '../sql/change-orders.ts';

/** Locks an order until the end of the transaction, for a write that depends on its state. */
export async function getLockedOrder(tx: Tx, owner: OrderOwner, id: string): Promise<Order> {
  if (!isId(id)) throw orderNotFound(id);
  const [order] = await lockOrders(tx, owner.organizationId, [id], owner.branchId);
  if (order === undefined) throw orderNotFound(id);
  return order;
}
