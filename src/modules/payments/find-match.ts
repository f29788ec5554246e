import type { Tx } from '../../platform/database/index.ts';
import { isId } from '../../platform/ids.ts';
import {
  findOrderOfTransaction,
  findOrdersByAmount,
  findOrdersByReference,
  hasTransaction,
  type MatchedBy,
  type TransactionRow,
} from './sql/transactions.ts';
import { dayOfCode } from './transaction.ts';
import { isPriceOf } from './write-state.ts';

export const MATCH_WITHIN_MS = 10 * 60_000;

export type Match = { orderId: string; by: MatchedBy };

/**
 * By the references of the transaction, otherwise the only order with its amount and currency within ten minutes, unless another transaction has
 * paid that one.
 */
export async function findMatch(tx: Tx, row: TransactionRow): Promise<Match | undefined> {
  const { organization_id: organizationId, parent_reference, merchant_reference } = row;
  if (parent_reference !== null) {
    const key = { organizationId, installId: row.organization_app_id, reference: parent_reference };
    const orderId = await findOrderOfTransaction(tx, key);
    if (orderId !== undefined) return { orderId, by: 'reference' };
  }
  if (merchant_reference !== null) {
    const named = await findOrdersByReference(tx, organizationId, merchant_reference, {
      id: isId(merchant_reference) ? merchant_reference.toLowerCase() : null,
      codeDay: dayOfCode(merchant_reference),
    });
    // Two stores of one merchant may use the same numbers: the amount decides.
    const fitting = named.length === 1 ? named : named.filter((order) => isPriceOf(row, order));
    const [only] = fitting;
    if (only !== undefined && fitting.length === 1) return { orderId: only.id, by: 'reference' };
    if (named.length > 0) return undefined;
  }
  if (parent_reference !== null) return undefined;
  const at = row.occurred_at.getTime();
  const [orderId, another] = await findOrdersByAmount(tx, organizationId, {
    amount: row.amount,
    currency: row.currency,
    from: new Date(at - MATCH_WITHIN_MS),
    to: new Date(at + MATCH_WITHIN_MS),
  });
  if (orderId === undefined || another !== undefined) return undefined;
  // Another purchase of the same amount: its refund would be one of this order.
  if (await hasTransaction(tx, organizationId, orderId)) return undefined;
  return { orderId, by: 'amount_and_time' };
}
