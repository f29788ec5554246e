import type { Sql } from '../../platform/database/index.ts';
import { notFound } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import { readTimeline } from '../events/index.ts';
import { ORDER_NOT_FOUND } from './advance-order.ts';
import type { OrderOwner } from './place-order.ts';
import { findOrders } from './sql/find-orders.ts';

/**
 * The bodies of an order's events, oldest first. A deleted order still has its story, for thirty days; an account
 * confined to a branch must be able to see the order, and hears only what happened while it was the branch's.
 */
export async function getTimeline(sql: Sql, { organizationId, branchId }: OrderOwner, id: string): Promise<string[]> {
  if (!isId(id)) throw notFound(ORDER_NOT_FOUND, { id });
  const [[order], events] = await Promise.all([
    findOrders(sql, [{ organizationId, id }]),
    readTimeline(sql, organizationId, id, branchId),
  ]);
  const isVisible = branchId === null ? order !== undefined || events.length > 0 : order?.destination_id === branchId;
  if (!isVisible) throw notFound(ORDER_NOT_FOUND, { id });
  return events.map((event) => event.body);
}
