import { compare, decimal, roundToCurrency, toNumber } from '../../platform/money.ts';
import { type GatewayTransaction, transactionMayBecome } from '../../providers/contract.ts';
import type { TransactionRow } from './sql/transactions.ts';

export const TRANSACTION_STATUSES = ['pending', 'paid', 'refunded', 'failed', 'cancelled'] as const;

/** The row on the wire. */
export function transactionShape(row: TransactionRow) {
  const { id, provider, provider_reference, order_id, amount, currency, status, fee, matched_by } = row;
  return {
    id,
    provider,
    provider_reference,
    order_id,
    amount,
    currency,
    status,
    fee,
    occurred_at: row.occurred_at.toISOString(),
    matched_by,
    created: row.created.toISOString(),
  };
}

/** The gateway's report as columns of the row. */
export function updatedColumns(reported: GatewayTransaction, receivedAt: Date) {
  return {
    parent_reference: reported.parentReference ?? null,
    merchant_reference: reported.merchantReference ?? null,
    amount: toNumber(roundToCurrency(reported.amount, reported.currency)),
    currency: reported.currency,
    status: reported.status,
    fee: reported.fee === undefined ? null : toNumber(reported.fee),
    refunded_amount: reported.refundedAmount === undefined ? 0 : toNumber(reported.refundedAmount),
    occurred_at: reported.occurredAt ?? receivedAt,
  };
}

export type Report = {
  columns: ReturnType<typeof updatedColumns>;
  isVerified: boolean;
  /** When the read-back began; undefined without one. */
  askedAt: Date | undefined;
};

/**
 * The transaction after another report of it. Outdated reports and invalid transitions change nothing. A verified report
 * replaces an unverified one, never the other way round.
 */
export function transactionAfter(
  row: TransactionRow,
  { columns: reported, isVerified, askedAt }: Report,
): TransactionRow {
  if (row.is_verified && !isVerified) return row;
  if (isVerified && !row.is_verified) return { ...row, ...reported, is_verified: true };
  if (isCorrection(row, reported, askedAt)) return { ...row, ...reported };
  if (reported.status !== row.status && !transactionMayBecome(row.status, reported.status)) return row;
  return {
    ...row,
    ...reported,
    fee: reported.fee ?? row.fee,
    merchant_reference: reported.merchant_reference ?? row.merchant_reference,
    parent_reference: reported.parent_reference ?? row.parent_reference,
    refunded_amount: Math.max(row.refunded_amount, reported.refunded_amount),
    occurred_at: row.occurred_at,
  };
}

/**
 * Whether a refunded payment is paid again because the gateway reversed its refund. Only a read-back that began after the refund
 * was written shows that; an earlier one may be older than the refund.
 */
function isCorrection(row: TransactionRow, reported: Report['columns'], askedAt: Date | undefined): boolean {
  const isPaidAgain = row.status === 'refunded' && reported.status === 'paid' && row.parent_reference === null;
  return isPaidAgain && askedAt !== undefined && askedAt > row.updated;
}

export function isSameTransaction(one: TransactionRow, other: TransactionRow): boolean {
  return (
    one.status === other.status &&
    one.amount === other.amount &&
    one.currency === other.currency &&
    one.fee === other.fee &&
    one.refunded_amount === other.refunded_amount &&
    one.is_verified === other.is_verified &&
    one.order_id === other.order_id
  );
}

const CODE = /^DK-(\d\d)(\d\d)(\d\d)-[A-Z0-9]{6}$/;

/** The day in an order code; the search for the code is limited to it. */
export function dayOfCode(reference: string): Date | null {
  const found = CODE.exec(reference);
  if (found === null) return null;
  const day = new Date(`20${found[1]}-${found[2]}-${found[3]}T00:00:00.000Z`);
  return Number.isNaN(day.getTime()) ? null : day;
}

export function isRefundedWhole(refunded: number, total: number): boolean {
  return total > 0 && compare(decimal(refunded), decimal(total)) >= 0;
}
