import type { Tx } from '../../platform/database/index.ts';
import { withStatus } from './advance-order.ts';
import { saveChanges } from './change-orders.ts';
import type { Order } from './order.ts';
import { canonicalPaymentStatus, canonicalStatus } from './order-status.ts';
import type { Ordering } from './ordering.ts';
import { lockOrders } from './sql/change-orders.ts';

export type PaymentNews = {
  status: 'paid' | 'refunded';
  /** An order that was made to be paid has no other step before it is confirmed. */
  isPaymentOrder: boolean;
};

/** Before its payment is looked at: whoever writes an order's payment holds the order first. */
export async function lockPaidOrder(tx: Tx, organizationId: string, id: string): Promise<Order | undefined> {
  const [order] = await lockOrders(tx, organizationId, [id], null);
  return order;
}

/**
 * Takes over what became of an order's payment, in the words of the order's own kind. What is refunded stays so: a payment
 * that is told of late does not undo it. The caller holds the order and rings once it has committed.
 */
export async function payOrder(tx: Tx, ordering: Ordering, before: Order, news: PaymentNews): Promise<Order> {
  const known = canonicalPaymentStatus(before.payment_status);
  if (known === 'refunded' || known === news.status) return before;
  const change = {
    payment_status: news.status === 'paid' ? paidWordOf(before, news) : ('refunded' as const),
    ...(news.isPaymentOrder && news.status === 'paid' && canonicalStatus(before.order_status) === 'pending_payment'
      ? { order_status: 'confirmed' }
      : {}),
  };
  const after = withStatus(before, change, ordering.clock.now());
  if (after === undefined) return before;
  await saveChanges(tx, ordering, [{ before, after }]);
  return after;
}

/** Connectors say `paid`; payment orders, and orders that were placed directly, `completed`. */
function paidWordOf({ organization_app_id }: Order, { isPaymentOrder }: PaymentNews): 'paid' | 'completed' {
  return isPaymentOrder || organization_app_id === '' ? 'completed' : 'paid';
}
