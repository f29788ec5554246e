import { notifyAfterCommit } from '../../platform/background/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { conflict, unprocessable } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import { Unreadable } from '../../platform/inbound/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { lockPaidOrder } from '../orders/index.ts';
import type { PaymentContext } from './payment-context.ts';
import { amountDiffers, transactionNotFound } from './refusals.ts';
import { markRefundsOf } from './sql/rematch.ts';
import { lockTransaction, type TransactionRow, updateTransaction } from './sql/transactions.ts';
import { moveOrder } from './take-transaction.ts';

/** Matches by hand. Idempotent for the same order; 409 for another order once the transaction is matched. */
export function matchTransaction(
  payments: PaymentContext,
  organizationId: string,
  id: string,
  orderId: string,
  actor: Actor,
): Promise<TransactionRow> {
  return notifyAfterCommit(payments.ordering.outbox, () =>
    inTransaction(payments.sql, async (tx) => {
      const row = isId(id) ? await lockTransaction(tx, organizationId, id) : undefined;
      if (row === undefined) throw transactionNotFound(id);
      const order = isId(orderId) ? await lockPaidOrder(tx, organizationId, orderId) : undefined;
      if (order === undefined) throw unprocessable({ order_id: 'does not exist' });
      if (row.order_id === order.id) return row;
      if (row.order_id !== null) throw conflict('Transaction is matched', { id, order_id: row.order_id });
      const now = payments.clock.now();
      const after: TransactionRow = { ...row, order_id: order.id, matched_by: 'hand', updated: now };
      await updateTransaction(tx, after);
      await markRefundsOf(tx, after);
      try {
        await moveOrder(tx, payments, after, order);
      } catch (error) {
        if (error instanceof Unreadable) throw amountDiffers(row, order);
        throw error;
      }
      const entry = {
        action: 'match',
        resource: 'Payments',
        resourceId: row.id,
        changedFields: ['order_id', 'matched_by'],
      };
      await recordAudit(tx, organizationId, actor, [entry], now);
      return after;
    }),
  );
}
