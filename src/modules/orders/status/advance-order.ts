import { notifyAfterCommit } from '../../../platform/background/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { updatedAfter } from '../../../platform/http/preconditions.ts';
import type { Problem } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import type { Order } from '../order.ts';
import { canonicalPaymentStatus, isOpenStatus, lastKnownAfter, mayMove } from '../order-status.ts';
import type { Ordering, OrderOwner } from '../ordering.ts';
import { type PaymentState, paymentSetBy, paymentStateOf, withPaymentFact } from '../payment-state.ts';
import { refuseTooLarge } from '../place/prepare-orders.ts';
import { invalidTransition, orderNotFound, paymentStatusConflict } from '../refusals.ts';
import type { StatusInput } from '../schema.ts';
import { lockOrders } from '../sql/change-orders.ts';
import { saveChanges } from '../update/save-changes.ts';

/** The order after a status change by a client, or the refusal when the order status or payment status does not allow it. */
export function withStatus(order: Order, change: StatusInput, now: Date): { after: Order } | { refusal: Problem } {
  const orderStatus = change.order_status ?? order.order_status;
  if (!mayMove(order, orderStatus)) return { refusal: invalidTransition(order, change.order_status) };
  const payment = paymentAfter(order, change.payment_status);
  if (payment instanceof Error) return { refusal: payment };
  const after = {
    ...order,
    ...payment,
    order_status: orderStatus,
    fulfillment_status: change.fulfillment_status ?? order.fulfillment_status,
    comment: change.notes === undefined ? order.comment : change.notes,
    is_open: isOpenStatus(orderStatus),
    last_known_status: lastKnownAfter(order, orderStatus),
    updated_at: updatedAfter(order.updated_at, now),
  };
  return { after };
}

/** A payment status from a client has the source `person`. One that cannot take effect is an error of the client. */
export function paymentAfter(order: Order, wanted: string | null | undefined): PaymentState | Problem {
  if (wanted === null || wanted === undefined) return paymentStateOf(order);
  const state = withPaymentFact(order, { source: 'person', status: wanted });
  if (canonicalPaymentStatus(state.payment_status) === canonicalPaymentStatus(wanted)) return state;
  return paymentStatusConflict(order.payment_status, paymentSetBy(order));
}

export async function advanceOrder(
  ordering: Ordering,
  owner: OrderOwner,
  id: string,
  change: StatusInput,
): Promise<Order> {
  if (!isId(id)) throw orderNotFound(id);
  return notifyAfterCommit(ordering.outbox, () =>
    inTransaction(ordering.sql, async (tx) => {
      const [before] = await lockOrders(tx, owner.organizationId, [id], owner.branchId);
      if (before === undefined) throw orderNotFound(id);
      const moved = withStatus(before, change, ordering.clock.now());
      if ('refusal' in moved) throw moved.refusal;
      const { after } = moved;
      // Only a note makes an order larger. The status of an order at the limit can still change.
      if (change.notes) refuseTooLarge(after);
      await saveChanges(tx, ordering, [{ before, after }]);
      return after;
    }),
  );
}
