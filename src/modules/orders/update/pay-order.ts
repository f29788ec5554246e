import type { Tx } from '../../../platform/database/index.ts';
import { updatedAfter } from '../../../platform/http/preconditions.ts';
import type { Order } from '../order.ts';
import { canonicalPaymentStatus, canonicalStatus, isOpenStatus, lastKnownAfter } from '../order-status.ts';
import type { Ordering } from '../ordering.ts';
import { type PaymentSource, withPaymentFact } from '../payment-state.ts';
import { lockOrders } from '../sql/change-orders.ts';
import { saveChanges } from './save-changes.ts';

export type PaymentReport = {
  /** `person` when a transaction that could not be verified was assigned to the order by hand. */
  source: Extract<PaymentSource, 'gateway' | 'provider' | 'person'>;
  /** `cancelled`: a payment that was reported before has been voided. */
  status: 'paid' | 'refunded' | 'cancelled';
  /** See PaymentFact. */
  isCorrection?: boolean;
  /** A payment order is confirmed as soon as it is paid. */
  isPaymentOrder: boolean;
};

/** Call it before reading the payment of an order: every write of a payment locks the order first. */
export async function lockPaidOrder(tx: Tx, organizationId: string, id: string): Promise<Order | undefined> {
  const [order] = await lockOrders(tx, organizationId, [id], null);
  return order;
}

/**
 * Records a payment report, with the payment status that orders of this kind use. A refunded order stays refunded when a payment is
 * reported late; only a correction by the gateway undoes a refund. The caller has locked the order and notifies the outbox after
 * commit.
 */
export async function payOrder(tx: Tx, ordering: Ordering, before: Order, report: PaymentReport): Promise<Order> {
  const { source, isCorrection = false } = report;
  const status = report.status === 'paid' ? paidStatusOf(before, report) : report.status;
  const payment = withPaymentFact(before, { source, status, isCorrection });
  const orderStatus = statusAfterPayment(before, payment.payment_status, report);
  const after = {
    ...before,
    ...payment,
    order_status: orderStatus,
    is_open: isOpenStatus(orderStatus),
    last_known_status: lastKnownAfter(before, orderStatus),
    updated_at: updatedAfter(before.updated_at, ordering.clock.now()),
  };
  await saveChanges(tx, ordering, [{ before, after }]);
  return after;
}

function statusAfterPayment({ order_status }: Order, paymentStatus: string, { isPaymentOrder }: PaymentReport): string {
  const isConfirmed = isPaymentOrder && canonicalPaymentStatus(paymentStatus) === 'paid';
  return isConfirmed && canonicalStatus(order_status) === 'pending_payment' ? 'confirmed' : order_status;
}

/** Orders of connectors use `paid`; payment orders and orders placed directly use `completed`. */
function paidStatusOf({ organization_app_id }: Order, { isPaymentOrder }: PaymentReport): 'paid' | 'completed' {
  return isPaymentOrder || organization_app_id === '' ? 'completed' : 'paid';
}
