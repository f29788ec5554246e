import type { Actor } from '../modules/audit/index.ts';
import type { PastOrder } from '../modules/orders/index.ts';
import { issuePastInvoice, type PastSale, pastSale } from '../modules/till/index.ts';
import type { Tx } from '../platform/database/index.ts';
import { fillBasket, type Shelf } from './baskets.ts';
import { oneOf } from './buyers.ts';
import type { Random } from './random.ts';
import type { ShopKind } from './rhythm.ts';

/** Enough to fill a page, few enough to cost a visitor's first start no more than a tenth of a second. */
const SALES = 14;
const EVERY_MS = 97 * 60_000;
const METHODS: readonly PastSale['paymentMethod'][] = ['cash', 'debit_card', 'debit_card', 'credit_card'];

export type TillSale = PastOrder & { id: string };

/** What the first branch has sold over its counter since yesterday, the oldest first. */
export function generateTillSales(
  kind: ShopKind,
  shelf: Shelf | undefined,
  popularity: readonly number[],
  now: Date,
  random: Random,
): TillSale[] {
  if (shelf === undefined) return [];
  return Array.from({ length: SALES }, (_, index) =>
    pastSale({
      branchId: shelf.branchId,
      lines: fillBasket(kind, shelf, popularity, random),
      paymentMethod: oneOf(METHODS, random),
      at: new Date(now.getTime() - (SALES - index) * EVERY_MS),
    }),
  );
}

export async function seedInvoices(
  tx: Tx,
  organizationId: string,
  cashier: Actor,
  sales: readonly TillSale[],
): Promise<void> {
  for (const { id, stages } of sales) await issuePastInvoice(tx, organizationId, cashier, { id, at: stages[0].at });
}
