import type { Tx } from '../../platform/database/index.ts';
import { compare, decimal, roundToCurrency } from '../../platform/money.ts';
import { type Actor, changedFields, recordAudit } from '../audit/index.ts';
import { lockPaidOrder, type Order, payOrder } from '../orders/index.ts';
import { isPaid, isRefunded, type Paylink, type PaylinkState } from './paylink.ts';
import type { PaymentContext } from './payment-context.ts';
import { findPaylink, lockPaylink, type PaylinkKey, updateState } from './sql/paylinks.ts';
import { findPaymentOrder } from './sql/payment-orders.ts';

export type LockedPaylink = { row: Paylink; order: Order | undefined };

/** Locks the order, then its paylink: the lock order of all writers. The order is undefined if it was deleted. */
export async function lockWithOrder(tx: Tx, key: PaylinkKey): Promise<LockedPaylink | undefined> {
  // The order of a paylink never changes.
  const orderId = (await findPaylink(tx, key))?.order_id ?? null;
  const order = orderId === null ? undefined : await lockPaidOrder(tx, key.organizationId, orderId);
  const row = await lockPaylink(tx, key);
  return row && { row, order };
}

/** Whether the amount is the order's total. */
export function isPriceOf(
  { amount, currency }: { amount: number; currency: string },
  order: Pick<Order, 'total_amount' | 'currency'>,
): boolean {
  const total = roundToCurrency(decimal(order.total_amount), currency);
  return order.currency === currency && compare(decimal(amount), total) === 0;
}

/**
 * Writes the state of a paylink, and of its order if that is paid or refunded by it. An order whose total has changed is not
 * touched. Writes the audit entry, so it must be the last write of the transaction.
 */
export async function writeState(
  tx: Tx,
  { ordering, clock }: PaymentContext,
  { row, order }: LockedPaylink,
  state: PaylinkState,
  { actor, action }: { actor: Actor; action: string },
): Promise<Paylink> {
  const fields = changedFields(['status', 'captured_amount', 'refunded_amount'], row as PaylinkState, state);
  if (fields.length === 0) return row;
  const now = clock.now();
  const after = await updateState(tx, { organizationId: row.organization_id, id: row.id }, state, now);
  if (order !== undefined && isPriceOf(row, order)) {
    const status = isPaid(state, row.amount) ? 'paid' : isRefunded(state) ? 'refunded' : undefined;
    if (status !== undefined) {
      const isPaymentOrder = (await findPaymentOrder(tx, row.organization_id, order.id)) !== undefined;
      await payOrder(tx, ordering, order, { source: 'provider', status, isPaymentOrder });
    }
  }
  const entry = { action, resource: 'Payments', resourceId: row.id, changedFields: fields };
  await recordAudit(tx, row.organization_id, actor, [entry], now);
  return after;
}
