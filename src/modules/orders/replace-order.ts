import { inTransaction, isConflictOn } from '../../platform/database/index.ts';
import { notFound, unprocessable } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import { INVALID_TRANSITION, ORDER_NOT_FOUND } from './advance-order.ts';
import { replaceableFields } from './build-order.ts';
import { saveChanges } from './change-orders.ts';
import type { Order } from './order.ts';
import { mayMove } from './order-status.ts';
import { duplicateTransaction, type Ordering, type OrderOwner, prepareOrder } from './place-order.ts';
import type { OrderInput } from './schema.ts';
import { lockOrders } from './sql/change-orders.ts';

/** Everything the caller leaves out returns to its default; id, code, origin and creation time are the order's own. */
export async function replaceOrder(
  ordering: Ordering,
  owner: OrderOwner,
  id: string,
  input: OrderInput,
): Promise<Order> {
  if (!isId(id)) throw notFound(ORDER_NOT_FOUND, { id });
  const { destination_id, store_name } = await prepareOrder(ordering, owner, input);
  const { sql, clock, outbox } = ordering;
  try {
    const after = await inTransaction(sql, async (tx) => {
      const [before] = await lockOrders(tx, owner.organizationId, [id], owner.branchId);
      if (before === undefined) throw notFound(ORDER_NOT_FOUND, { id });
      if (!mayMove(before.order_status, input.order_status)) {
        throw unprocessable(
          { order_status: `cannot go from ${before.order_status} to ${input.order_status}` },
          INVALID_TRANSITION,
        );
      }
      const place = { destinationId: destination_id, storeName: store_name };
      const replaced = { ...before, ...replaceableFields(before.id, input, place), updated_at: clock.now() };
      await saveChanges(tx, clock, [{ before, after: replaced }]);
      return replaced;
    });
    outbox.ring();
    return after;
  } catch (error) {
    if (isConflictOn(error, 'orders_source_transaction')) {
      throw duplicateTransaction({ source_transaction_id: input.source_transaction_id ?? null });
    }
    throw error;
  }
}
