import type { Piece, Queryable } from '../../../platform/database/index.ts';

/** Whether an order is of a branch. A cluster cannot look up each order from a statement about payments, and lists the branch's orders first. */
export function isOfBranch(
  sql: Queryable,
  { organizationId, branchId }: { organizationId: string; branchId: string },
  orderId: Piece,
): Piece {
  if (sql.layout.isDistributed)
    return sql`${orderId} in (
      select o.id from orders o where o.organization_id = ${organizationId} and o.destination_id = ${branchId})`;
  return sql`exists (
    select from orders o where o.organization_id = ${organizationId} and o.id = ${orderId} and o.destination_id = ${branchId})`;
}
