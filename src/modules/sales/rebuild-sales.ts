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
const CHUNK = 1_000;

export type Rebuilt = { organizations: number; orders: number };

/** One tenant after the other, so that the follower waits for no more than one at a time. All of them unless told. */
export async function rebuildSales(sql: Sql, onlyOrganizationId?: string): Promise<Rebuilt> {
  const ids = onlyOrganizationId === undefined ? await listOrganizationIds(sql) : [onlyOrganizationId];
  let orders = 0;
  for (const id of ids) orders += await inTransaction(sql, (tx) => rebuildSalesOf(tx, id));
  return { organizations: ids.length, orders };
}

/**
 * Counts a tenant again from its orders; the feed goes back thirty days only. Safe while the service runs:
 *
 * - The follower's row is held throughout, so nothing is counted beside this.
 * - Every event that has its place by now was committed before its order is read below, so each order is counted as of
 *   that place or later, and the follower passes over whatever it finds up to there.
 * - Events after it tell of orders that may or may not have been read with their change. They are taken in as always,
 *   and since each tells the whole order, the last one settles it. An order may for a moment be counted as it was.
 *
 * Writers of orders are not held up. Returns how many orders were counted. Called off, it throws, and nothing is changed.
 */
export async function rebuildSalesOf(tx: Tx, organizationId: string, signal?: AbortSignal): Promise<number> {
  await lockFollower(tx, SALES_FOLLOWER);
  const { last: position } = await readPositions(tx);
  const [timeZone] = (await readTimeZones(tx, [organizationId])).values();
  if (timeZone === undefined) return 0;
  await clearProjected(tx, organizationId);
  let counted = 0;
  let next: Promise<CountedOrder[]> | undefined = scanOrders(tx, organizationId, undefined, CHUNK);
  while (next !== undefined) {
    const orders: CountedOrder[] = await next;
    signal?.throwIfAborted();
    // Asked for before the work on these begins: the database reads on meanwhile.
    next = orders.length < CHUNK ? undefined : scanOrders(tx, organizationId, orders.at(-1)?.id, CHUNK);
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
