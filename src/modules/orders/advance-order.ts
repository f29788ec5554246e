import { ringAfter } from '../../platform/background/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { isId } from '../../platform/ids.ts';
import { saveChanges } from './change-orders.ts';
import type { Order } from './order.ts';
import { isOpenStatus, lastKnownAfter, mayMove } from './order-status.ts';
import type { Ordering, OrderOwner } from './ordering.ts';
import { refuseTooLarge } from './prepare-orders.ts';
import { invalidTransition, orderNotFound } from './refusals.ts';
import type { StatusInput } from './schema.ts';
import { lockOrders } from './sql/change-orders.ts';

/** The order after a status change; nothing when its status may not move like that. */
export function withStatus(order: Order, change: StatusInput, now: Date): Order | undefined {
  const orderStatus = change.order_status ?? order.order_status;
  if (!mayMove(order, orderStatus)) return undefined;
  return {
    ...order,
    order_status: orderStatus,
    payment_status: change.payment_status ?? order.payment_status,
    fulfillment_status: change.fulfillment_status ?? order.fulfillment_status,
    comment: change.notes === undefined ? order.comment : change.notes,
    is_open: isOpenStatus(orderStatus),
    last_known_status: lastKnownAfter(order, orderStatus),
    updated_at: now,
  };
}

export async function advanceOrder(
  ordering: Ordering,
  owner: OrderOwner,
  id: string,
  change: StatusInput,
): Promise<Order> {
  if (!isId(id)) throw orderNotFound(id);
  return ringAfter(ordering.outbox, () =>
    inTransaction(ordering.sql, async (tx) => {
      const [before] = await lockOrders(tx, owner.organizationId, [id], owner.branchId);
      if (before === undefined) throw orderNotFound(id);
      const after = withStatus(before, change, ordering.clock.now());
      if (after === undefined) throw invalidTransition(before, change.order_status);
      // Only a note makes an order longer; one that is large already may still move along.
      if (change.notes) refuseTooLarge(after);
      await saveChanges(tx, ordering, [{ before, after }]);
      return after;
    }),
  );
}
