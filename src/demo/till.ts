import type { Actor } from '../modules/audit/index.ts';
import type { PastOrder } from '../modules/orders/index.ts';
import { issuePastInvoice } from '../modules/till/index.ts';
import type { Tx } from '../platform/database/index.ts';

/** A sale that gets an invoice. */
export type InvoicedSale = { id: string; at: Date };

/** Yields the same orders and collects the till sales since an instant. Each invoice takes 4 ms of the load, so older ones get none. */
export function* collectTillSales(past: Iterable<PastOrder>, since: Date, sales: InvoicedSale[]): Generator<PastOrder> {
  for (const one of past) {
    if (one.channel?.app_slug === 'till' && one.id !== undefined && one.stages[0].at >= since) {
      sales.push({ id: one.id, at: one.stages[0].at });
    }
    yield one;
  }
}

export async function seedInvoices(
  tx: Tx,
  organizationId: string,
  cashier: Actor,
  sales: readonly InvoicedSale[],
): Promise<void> {
  for (const sale of sales) await issuePastInvoice(tx, organizationId, cashier, sale);
}
