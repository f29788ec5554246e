import type { Tx } from '../../../platform/database/index.ts';
import type { Order } from '../order.ts';
import { canonicalPaymentStatus, canonicalStatus, isOpenStatus, lastKnownAfter } from '../order-status.ts';
import type { Ordering } from '../ordering.ts';
import { type PaymentSource, withPaymentFact } from '../payment-state.ts';
import { lockOrders } from '../sql/change-orders.ts';
import { saveChanges } from './change-orders.ts';

export type PaymentNews = {
  /** A person where a transaction that could not be verified was assigned to the order by hand. */
  source: Extract<PaymentSource, 'gateway' | 'provider' | 'person'>;
  status: 'paid' | 'refunded';
  /** See PaymentFact. */
  isCorrection?: boolean;
  /** An order that was made to be paid has no other step before it is confirmed. */
  isPaymentOrder: boolean;
};

/** Before its payment is looked at: whoever writes an order's payment holds the order first. */
export async function lockPaidOrder(tx: Tx, organizationId: string, id: string): Promise<Order | undefined> {
  const [order] = await lockOrders(tx, organizationId, [id], null);
  return order;
}

/**
 * Records what became of an order's payment, in the words of the order's own kind. What is refunded stays so, unless the
 * gateway corrects itself: a payment that is reported late does not undo it. The caller holds the order and rings once it
 * has committed.
 */
export async function payOrder(tx: Tx, ordering: Ordering, before: Order, news: PaymentNews): Promise<Order> {
  const { source, isCorrection = false } = news;
  const status = news.status === 'paid' ? paidWordOf(before, news) : 'refunded';
  const payment = withPaymentFact(before, { source, status, isCorrection });
  const orderStatus = statusOncePaid(before, payment.payment_status, news);
  const after = {
    ...before,
    ...payment,
    order_status: orderStatus,
    is_open: isOpenStatus(orderStatus),
    last_known_status: lastKnownAfter(before, orderStatus),
    updated_at: ordering.clock.now(),
  };
  await saveChanges(tx, ordering, [{ before, after }]);
  return after;
}

function statusOncePaid({ order_status }: Order, paymentStatus: string, { isPaymentOrder }: PaymentNews): string {
  const isConfirmed = isPaymentOrder && canonicalPaymentStatus(paymentStatus) === 'paid';
  return isConfirmed && canonicalStatus(order_status) === 'pending_payment' ? 'confirmed' : order_status;
}

/** Connectors say `paid`; payment orders, and orders that were placed directly, `completed`. */
function paidWordOf({ organization_app_id }: Order, { isPaymentOrder }: PaymentNews): 'paid' | 'completed' {
  return isPaymentOrder || organization_app_id === '' ? 'completed' : 'paid';
}
