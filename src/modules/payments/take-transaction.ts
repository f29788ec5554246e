import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { Unreadable } from '../../platform/inbound/index.ts';
import { compare, decimal } from '../../platform/money.ts';
import type { GatewayProvider, VendorClient } from '../../providers/contract.ts';
import type { Install } from '../apps/index.ts';
import { recordAudit, SYSTEM_ACTOR } from '../audit/index.ts';
import { isReported, lockPaidOrder, type Order, payOrder } from '../orders/index.ts';
import type { PreparedPayload } from '../staging/index.ts';
import { findMatch } from './find-match.ts';
import type { PaymentContext } from './payment-context.ts';
import { findPaymentOrder } from './sql/payment-orders.ts';
import { markRefundsOf } from './sql/rematch.ts';
import {
  hasPayment,
  insertTransaction,
  isVoided,
  lockTransactionByReference,
  sumRefunds,
  type TransactionRow,
  updateTransaction,
} from './sql/transactions.ts';
import type { StagedCallOf } from './staged-call.ts';
import { isRefundedWhole, isSameTransaction, type Report, transactionAfter, updatedColumns } from './transaction.ts';
import { verifyTransaction } from './verify-transaction.ts';
import { isPriceOf } from './write-state.ts';

const MAX_AMOUNT = decimal(1e12);

/**
 * Processes a gateway's webhook. The transaction is read back and recorded with or without an order, so that unmatched money is
 * listed. One that cannot be verified is recorded as unverified, changes no order, and its payload fails with the missing
 * setting; a retry succeeds once it is set.
 */
export async function prepareTransaction(
  payments: PaymentContext,
  provider: GatewayProvider,
  install: Install,
  staged: StagedCallOf,
  client: VendorClient,
): Promise<PreparedPayload> {
  const parsed = provider.readTransaction(staged.call, staged.context);
  const { event } = parsed;
  if (parsed.kind === 'ignored') {
    return { event, externalOrderId: null, apply: async () => ({ outcome: 'ignored', orderId: null, error: null }) };
  }
  const begun = payments.clock.now();
  const { transaction, missingSetting, isReadBack } = await verifyTransaction(provider, install, parsed, client);
  if (compare(transaction.amount, MAX_AMOUNT) >= 0) {
    throw new Unreadable('unexpected', 'The amount is too large', 'amount');
  }
  const reference = transaction.providerReference;
  const key = { organizationId: install.organization_id, installId: install.id, reference };
  const outcome = await recordReport(payments, provider, key, {
    columns: updatedColumns(transaction, staged.context.receivedAt),
    isVerified: missingSetting === undefined,
    askedAt: isReadBack ? begun : undefined,
  });
  return {
    event,
    externalOrderId: transaction.merchantReference ?? reference,
    async apply(tx) {
      if (missingSetting !== undefined) throw readBackRequired(provider, missingSetting);
      return { outcome, orderId: await matchAndMove(tx, payments, key), error: null };
    },
  };
}

type TransactionKey = { organizationId: string; installId: string; reference: string };

/** In a database transaction of its own, before the order is searched for. */
function recordReport(
  { sql, clock }: PaymentContext,
  provider: GatewayProvider,
  key: TransactionKey,
  report: Report,
): Promise<'created' | 'updated' | 'unchanged'> {
  return inTransaction(sql, async (tx) => {
    const now = clock.now();
    const id = newId();
    const isNew = await insertTransaction(tx, {
      organization_id: key.organizationId,
      id,
      provider: provider.id,
      organization_app_id: key.installId,
      provider_reference: key.reference,
      order_id: null,
      matched_by: null,
      ...report.columns,
      is_verified: report.isVerified,
      created: now,
      updated: now,
    });
    const before = isNew ? undefined : await lockTransactionByReference(tx, key);
    const after = before && transactionAfter(before, report);
    if (before !== undefined && after !== undefined) {
      if (isSameTransaction(before, after)) return 'unchanged';
      await updateTransaction(tx, { ...after, updated: now });
    }
    const entry = { action: isNew ? 'create' : 'update', resource: 'Payments', resourceId: before?.id ?? id };
    await recordAudit(tx, key.organizationId, SYSTEM_ACTOR, [entry], now);
    return isNew ? 'created' : 'updated';
  });
}

/** Finds the order of the transaction and changes its payment status. Returns the order's id. */
export async function matchAndMove(tx: Tx, payments: PaymentContext, key: TransactionKey): Promise<string | null> {
  const row = await lockTransactionByReference(tx, key);
  if (row === undefined) return null;
  const match = row.order_id === null ? await findMatch(tx, row) : undefined;
  const orderId = match?.orderId ?? row.order_id;
  if (orderId === null) return null;
  const now = payments.clock.now();
  const matched = { ...row, order_id: orderId, matched_by: match?.by ?? row.matched_by, updated: now };
  if (match !== undefined) {
    await updateTransaction(tx, matched);
    await markRefundsOf(tx, matched);
  }
  const order = await lockPaidOrder(tx, key.organizationId, orderId);
  if (order !== undefined) await moveOrder(tx, payments, matched, order);
  if (match !== undefined) {
    const entry = {
      action: 'match',
      resource: 'Payments',
      resourceId: row.id,
      changedFields: ['order_id', 'matched_by'],
    };
    await recordAudit(tx, key.organizationId, SYSTEM_ACTOR, [entry], now);
  }
  return orderId;
}

/** A payment with another amount than the order's is not applied. Refunds of an order are summed up. */
export async function moveOrder(tx: Tx, payments: PaymentContext, row: TransactionRow, order: Order): Promise<void> {
  const { ordering } = payments;
  if (row.status === 'cancelled') return withdrawPayment(tx, payments, row, order);
  if (row.status !== 'paid' && row.status !== 'refunded') return;
  if (row.status === 'paid' && (await isVoided(tx, row))) return;
  // A refund transaction may be partial; a payment is for the whole amount, also after it was refunded.
  const isOwnRefund = row.status === 'refunded' && row.parent_reference !== null;
  const fits = isOwnRefund ? row.currency === order.currency : isPriceOf(row, order);
  if (!fits) throw amountMismatch(row, order);
  const isPaymentOrder = (await findPaymentOrder(tx, row.organization_id, order.id)) !== undefined;
  const isWhole = isRefundedWhole(await sumRefunds(tx, row.organization_id, order.id), order.total_amount);
  // An unverified transaction that was matched by hand counts as reported by a person.
  const report = { source: row.is_verified ? ('gateway' as const) : ('person' as const), isPaymentOrder };
  let current = order;
  if (row.status === 'paid') {
    // The gateway's transactions no longer add up to the refund that it reported before.
    const isCorrection = !isWhole && isReported(order, 'gateway', 'refunded');
    current = await payOrder(tx, ordering, order, { ...report, status: 'paid', isCorrection });
  }
  const hasRefunds = row.status === 'refunded' || row.refunded_amount > 0;
  if (hasRefunds && isWhole) await payOrder(tx, ordering, current, { ...report, status: 'refunded' });
}

/** A payment that the gateway had reported was voided before its settlement, and no other has paid the order. */
async function withdrawPayment(tx: Tx, { ordering }: PaymentContext, row: TransactionRow, order: Order): Promise<void> {
  if (!row.is_verified || !isReported(order, 'gateway', 'paid')) return;
  if (await hasPayment(tx, row.organization_id, order.id)) return;
  await payOrder(tx, ordering, order, { source: 'gateway', status: 'cancelled', isPaymentOrder: false });
}

function amountMismatch(row: TransactionRow, order: Order): Unreadable {
  return new Unreadable(
    'amount_mismatch',
    `The transaction is ${row.amount} ${row.currency}, the order ${order.total_amount} ${order.currency}`,
    'amount',
  );
}

function readBackRequired({ nameEn }: GatewayProvider, setting: string): Unreadable {
  return new Unreadable(
    'read_back_required',
    `Recorded, but no order was moved: the signature of ${nameEn} does not cover all that is needed, so the payment has to be read back. Enter the setting ${setting}, then retry`,
    '',
  );
}
