import type { Queryable } from '../../platform/database/index.ts';
import { type CanonicalOrder, canonicalOrder } from './canonical.ts';
import { listOrdersAfter } from './sql/find-orders.ts';

/** A tenant's orders as their events tell them, in order of id: whoever counts from scratch begins without `afterId`. */
export async function scanOrders(
  sql: Queryable,
  organizationId: string,
  afterId: string | undefined,
  limit: number,
): Promise<CanonicalOrder[]> {
  const orders = await listOrdersAfter(sql, organizationId, afterId, limit);
  return orders.map((order) => canonicalOrder(order));
}
