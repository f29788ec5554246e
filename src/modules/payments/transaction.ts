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

/** What the gateway tells, for the columns of the row. */
export function updatedColumns(told: GatewayTransaction, receivedAt: Date) {
  return {
    parent_reference: told.parentReference ?? null,
    merchant_reference: told.merchantReference ?? null,
    amount: toNumber(roundToCurrency(told.amount, told.currency)),
    currency: told.currency,
    status: told.status,
    fee: told.fee === undefined ? null : toNumber(told.fee),
    refunded_amount: told.refundedAmount === undefined ? 0 : toNumber(told.refundedAmount),
    occurred_at: told.occurredAt ?? receivedAt,
  };
}

export type Report = {
  columns: ReturnType<typeof updatedColumns>;
  isVerified: boolean;
  /** When the gateway was asked; nothing where it was not. */
  askedAt: Date | undefined;
};

/**
 * After another report of the same transaction: what is old, or may not follow, changes nothing. What is verified replaces
 * what is not, and never the other way round.
 */
export function transactionAfter(row: TransactionRow, { columns: told, isVerified, askedAt }: Report): TransactionRow {
  if (row.is_verified && !isVerified) return row;
  if (isVerified && !row.is_verified) return { ...row, ...told, is_verified: true };
  if (isCorrection(row, told, askedAt)) return { ...row, ...told };
  if (told.status !== row.status && !transactionMayBecome(row.status, told.status)) return row;
  return {
    ...row,
    ...told,
    fee: told.fee ?? row.fee,
    merchant_reference: told.merchant_reference ?? row.merchant_reference,
    parent_reference: told.parent_reference ?? row.parent_reference,
    refunded_amount: Math.max(row.refunded_amount, told.refunded_amount),
    occurred_at: row.occurred_at,
  };
}

/**
 * A payment that was refunded and is paid again: the gateway has taken its refund back. Only a reading that began after the
 * refund was written shows that; one that was under way at that moment may be older than the refund.
 */
function isCorrection(row: TransactionRow, told: Report['columns'], askedAt: Date | undefined): boolean {
  const isPaidAgain = row.status === 'refunded' && told.status === 'paid' && row.parent_reference === null;
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

/** The day that an order's code begins with; codes are looked for within it. */
export function dayOfCode(reference: string): Date | null {
  const found = CODE.exec(reference);
  if (found === null) return null;
  const day = new Date(`20${found[1]}-${found[2]}-${found[3]}T00:00:00.000Z`);
  return Number.isNaN(day.getTime()) ? null : day;
}

export function isRefundedWhole(refunded: number, total: number): boolean {
  return total > 0 && compare(decimal(refunded), decimal(total)) >= 0;
}
