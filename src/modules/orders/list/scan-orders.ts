import type { Queryable } from '../../../platform/database/index.ts';
import { type CanonicalOrder, canonicalLine } from '../canonical/canonical-order.ts';
import { canonicalPaymentStatus, canonicalStatus } from '../order-status.ts';
import { listOrderFacts, type OrderFacts } from '../sql/find-orders.ts';

/** The part of a canonical order that projections aggregate. Events contain it too, with the rest of the order. */
export type CountedOrder = {
  id: CanonicalOrder['id'];
  channel: Pick<CanonicalOrder['channel'], 'app_slug'>;
  status: CanonicalOrder['status'];
  payment: Pick<CanonicalOrder['payment'], 'status'>;
  amounts: Pick<CanonicalOrder['amounts'], 'currency' | 'total'>;
  lines: CanonicalOrder['lines'];
  branch: Pick<CanonicalOrder['branch'], 'id'>;
  customer: CanonicalOrder['customer'];
  created_at: CanonicalOrder['created_at'];
};

/** A tenant's orders in order of id, one page at a time. A full recount starts without `afterId`. */
export async function scanOrders(
  sql: Queryable,
  organizationId: string,
  afterId: string | undefined,
  limit: number,
): Promise<CountedOrder[]> {
  return (await listOrderFacts(sql, organizationId, afterId, limit)).map(countedOrder);
}

function countedOrder(order: OrderFacts): CountedOrder {
  return {
    id: order.id,
    channel: { app_slug: order.app_slug },
    status: canonicalStatus(order.order_status),
    payment: { status: canonicalPaymentStatus(order.payment_status) },
    amounts: { currency: order.currency, total: order.total_amount },
    lines: order.products.map((line) => canonicalLine(line, order.currency)),
    branch: { id: order.destination_id },
    customer: { name: order.customer_name, phone: order.customer_phone, email: order.customer_email },
    created_at: order.created_at.toISOString(),
  };
}
