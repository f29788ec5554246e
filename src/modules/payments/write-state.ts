import type { Tx } from '../../platform/database/index.ts';
import { compare, decimal, roundToCurrency } from '../../platform/money.ts';
import { type Actor, changedFields, recordAudit } from '../audit/index.ts';
import { lockPaidOrder, type Order, payOrder } from '../orders/index.ts';
import type { Paying } from './paying.ts';
import { isPaid, isRefunded, type Paylink, type PaylinkState } from './paylink.ts';
import { findPaylink, lockPaylink, type PaylinkKey, updateState } from './sql/paylinks.ts';
import { findPaymentOrder } from './sql/payment-orders.ts';

export type HeldPaylink = { row: Paylink; order: Order | undefined };

/** The order first, then its paylink, as everyone takes them. An order that was deleted since is not there. */
export async function lockWithOrder(tx: Tx, key: PaylinkKey): Promise<HeldPaylink | undefined> {
  // Which order it is for never changes.
  const orderId = (await findPaylink(tx, key))?.order_id ?? null;
  const order = orderId === null ? undefined : await lockPaidOrder(tx, key.organizationId, orderId);
  const row = await lockPaylink(tx, key);
  return row && { row, order };
}

/** Whether what is paid is what the order costs. */
export function isPriceOf(
  { amount, currency }: { amount: number; currency: string },
  order: Pick<Order, 'total_amount' | 'currency'>,
): boolean {
  const total = roundToCurrency(decimal(order.total_amount), currency);
  return order.currency === currency && compare(decimal(amount), total) === 0;
}

/**
 * Writes what became of a paylink, and of its order where that is paid or refunded by it. An order that costs something else
 * by now is left alone. With the entry in the audit, so nothing may follow in the transaction.
 */
export async function writeState(
  tx: Tx,
  { ordering, clock }: Paying,
  { row, order }: HeldPaylink,
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
