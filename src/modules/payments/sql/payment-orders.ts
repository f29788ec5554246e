import type { Queryable, Tx } from '../../../platform/database/index.ts';

export type PaymentOrder = {
  organization_id: string;
  order_id: string;
  accepted_gateways: string[];
  active_gateway: string;
  paylink_id: string;
  created: Date;
};

export async function insertPaymentOrder(tx: Tx, row: PaymentOrder): Promise<void> {
  await tx`
    insert into payment_orders (organization_id, order_id, accepted_gateways, active_gateway, paylink_id, created)
    values (${row.organization_id}, ${row.order_id}, ${row.accepted_gateways}::text[], ${row.active_gateway},
            ${row.paylink_id}, ${row.created})`;
}

export async function findPaymentOrder(
  sql: Queryable,
  organizationId: string,
  orderId: string,
): Promise<PaymentOrder | undefined> {
  const [row] = await sql<PaymentOrder[]>`
    select organization_id, order_id, accepted_gateways, active_gateway, paylink_id, created
    from payment_orders where organization_id = ${organizationId} and order_id = ${orderId}`;
  return row;
}
