import { movableClock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { decimal } from '../../platform/money.ts';
import type { Actor } from '../audit/index.ts';
import type { PastOrder } from '../orders/index.ts';
import type { ShelfItem } from '../skus/index.ts';
import { issueInvoice } from './issue-invoice.ts';
import { orderOf, vatPercentOf } from './prepare-sale.ts';
import { TILL_CHANNEL } from './till.ts';

export type PastSale = {
  branchId: string;
  lines: readonly { item: ShelfItem; quantity: number }[];
  paymentMethod: 'cash' | 'debit_card' | 'credit_card';
  customer?: { name: string; phone: string } | undefined;
  at: Date;
};

/** A past sale, priced by the same rules; does not change the stock. */
export function pastSale({ branchId, lines, paymentMethod, customer, at }: PastSale): PastOrder & { id: string } {
  const bill = lines.map(({ item, quantity }) => ({
    item: { ...item, barcode: '', price: String(item.price), is_enabled: true },
    quantity: decimal(quantity),
    price: decimal(item.price),
    vatPercent: vatPercentOf(item),
  }));
  const input = { branch_iv_id: '', lines: [], payment_method: paymentMethod, ...(customer && { customer }) };
  const made = orderOf(input, bill, 'SAR');
  if ('faults' in made) throw new Error('a sale of the past cannot be priced');
  const { order_status, payment_status, fulfillment_status, ...order } = made.order;
  const stage = { at, order_status: 'DELIVERED', payment_status: 'completed', fulfillment_status: 'Full' };
  return { id: newId(), channel: TILL_CHANNEL, order: { ...order, destination: branchId }, stages: [stage] };
}

/** The invoice of a past sale. Call in order of time: numbers and times of a chain increase together. */
export async function issuePastInvoice(
  tx: Tx,
  organizationId: string,
  cashier: Actor,
  sale: { id: string; at: Date },
): Promise<void> {
  await issueInvoice(tx, { clock: movableClock(sale.at) }, { organizationId, branchId: null }, cashier, sale.id);
}
