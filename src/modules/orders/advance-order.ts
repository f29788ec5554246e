import { inTransaction } from '../../platform/database/index.ts';
import { notFound, unprocessable } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import { saveChanges } from './change-orders.ts';
import type { Order } from './order.ts';
import { isOpenStatus, mayMove } from './order-status.ts';
import type { Ordering, OrderOwner } from './place-order.ts';
import type { StatusInput } from './schema.ts';
import { lockOrders } from './sql/change-orders.ts';

export const INVALID_TRANSITION = 'Invalid status transition';
export const ORDER_NOT_FOUND = 'Order not found';

/** The order after a status change; nothing when its status may not move like that. */
export function withStatus(order: Order, change: StatusInput, now: Date): Order | undefined {
  const orderStatus = change.order_status ?? order.order_status;
  if (!mayMove(order.order_status, orderStatus)) return undefined;
  return {
    ...order,
    order_status: orderStatus,
    payment_status: change.payment_status ?? order.payment_status,
    fulfillment_status: change.fulfillment_status ?? order.fulfillment_status,
    comment: change.notes === undefined ? order.comment : change.notes,
    is_open: isOpenStatus(orderStatus),
    updated_at: now,
  };
}

export async function advanceOrder(
  { sql, clock, outbox }: Ordering,
  owner: OrderOwner,
  id: string,
  change: StatusInput,
): Promise<Order> {
  if (!isId(id)) throw notFound(ORDER_NOT_FOUND, { id });
  const after = await inTransaction(sql, async (tx) => {
    const [before] = await lockOrders(tx, owner.organizationId, [id], owner.branchId);
    if (before === undefined) throw notFound(ORDER_NOT_FOUND, { id });
    const moved = withStatus(before, change, clock.now());
    if (moved === undefined) {
      throw unprocessable(
        { order_status: `cannot go from ${before.order_status} to ${change.order_status}` },
        INVALID_TRANSITION,
      );
    }
    await saveChanges(tx, clock, [{ before, after: moved }]);
    return moved;
  });
  outbox.ring();
  return after;
}
