import type { Tx } from '../../platform/database/index.ts';
import { conflict, type Problem, unprocessable } from '../../platform/http/problem.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { getReady, type Order, placePrepared } from '../orders/index.ts';
import { type Taken, takeStock } from '../skus/index.ts';
import type { PreparedSale, ReadySale } from './prepare-sale.ts';
import type { Till } from './till.ts';

/**
 * Reduces the stock and places the order in one transaction. The caller prepares the sale before the transaction and notifies the
 * outbox after the commit.
 */
export async function sell(
  tx: Tx,
  { clock, ordering }: Till,
  organizationId: string,
  actor: Actor,
  prepared: PreparedSale,
  { allowNegative }: { allowNegative: boolean },
): Promise<Order> {
  if ('refusal' in prepared) throw prepared.refusal;
  const { sale } = prepared;
  const now = clock.now();
  const entry = { action: 'create', resource: 'Orders', resourceId: getReady(sale.order).order.id };
  // Sent together, and the stock last: its rows stay locked until the commit, and everyone who sells the same goods waits for them.
  const [order, , taken] = await Promise.all([
    placePrepared(tx, ordering, sale.order),
    recordAudit(tx, organizationId, actor, [entry], now),
    takeStock(tx, { organizationId, branchId: sale.branchId }, sale.stock, { allowNegative, now }),
  ]);
  if (taken.missing.length > 0) throw vanished(sale, taken.missing);
  if (taken.short.length > 0) throw outOfStock(taken.short, sale.stock);
  return order;
}

/** Details by SKU. */
export function outOfStock(short: Taken['short'], wanted: ReadonlyMap<string, string>): Problem {
  return conflict(
    'Out of stock',
    Object.fromEntries(short.map(({ ivId, available }) => [ivId, { requested: Number(wanted.get(ivId)), available }])),
  );
}

function vanished({ lineOf }: ReadySale, missing: string[]): Problem {
  return unprocessable(
    Object.fromEntries(missing.map((ivId) => [`lines.${lineOf.get(ivId)}.sku_iv_id`, 'does not exist in this branch'])),
  );
}
