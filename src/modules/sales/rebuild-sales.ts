import { inTransaction, type Sql, type Tx } from '../../platform/database/index.ts';
import { recountCustomers } from '../customers/index.ts';
import { lockFollower, readPositions } from '../events/index.ts';
import { listOrganizationIds, readTimeZones } from '../identity/index.ts';
import { type CountedOrder, scanOrders } from '../orders/index.ts';
import { contributionOf } from './contribution.ts';
import { sumSales } from './sql/daily-sales.ts';
import { clearProjected, writeProjected } from './sql/projected-orders.ts';
import { markAllDays } from './sql/sales-days.ts';

export const SALES_FOLLOWER = 'sales';
const PAGE_SIZE = 1_000;

export type Rebuilt = { organizations: number; orders: number };

/** One tenant at a time, so that the follower waits for one tenant at most. All tenants unless one is named. */
export async function rebuildSales(sql: Sql, onlyOrganizationId?: string): Promise<Rebuilt> {
  const ids = onlyOrganizationId === undefined ? await listOrganizationIds(sql) : [onlyOrganizationId];
  let orders = 0;
  for (const id of ids) orders += await inTransaction(sql, (tx) => rebuildSalesOf(tx, id));
  return { organizations: ids.length, orders };
}

/**
 * Recounts a tenant from its orders, because the feed goes back thirty days only. Safe while the service runs:
 *
 * - The lock of the follower is held throughout, so no other process counts.
 * - Every event that has a position now was committed before its order is read below. Each order is therefore counted as of that
 *   position or later, and the follower skips the events up to there.
 * - Later events belong to orders that may have been read before or after the change. They are projected as usual; each contains
 *   the complete order, so the last one decides. An order may be counted in its former state for a moment.
 *
 * Does not block writers of orders. Returns the number of counted orders. Throws when it is aborted, and changes nothing.
 */
export async function rebuildSalesOf(tx: Tx, organizationId: string, signal?: AbortSignal): Promise<number> {
  const group = tx.layout.groupOf(organizationId);
  await lockFollower(tx, SALES_FOLLOWER, group);
  const { last: position } = await readPositions(tx, group);
  const [timeZone] = (await readTimeZones(tx, [organizationId])).values();
  if (timeZone === undefined) return 0;
  await clearProjected(tx, organizationId);
  let counted = 0;
  let next: Promise<CountedOrder[]> | undefined = scanOrders(tx, organizationId, undefined, PAGE_SIZE);
  while (next !== undefined) {
    const orders: CountedOrder[] = await next;
    signal?.throwIfAborted();
    // Prefetched: the database reads the next page while this one is projected.
    next = orders.length < PAGE_SIZE ? undefined : scanOrders(tx, organizationId, orders.at(-1)?.id, PAGE_SIZE);
    next?.catch(() => undefined);
    const states = orders.map((order) => ({ organizationId, position, isDeleted: false, order }));
    await writeProjected(
      tx,
      states.map((state) => contributionOf(state, timeZone)),
    );
    counted += orders.length;
  }
  await sumSales(tx, organizationId);
  await recountCustomers(tx, organizationId);
  await markAllDays(tx, organizationId);
  return counted;
}
