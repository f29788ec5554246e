import { compare, type Decimal, decimal, subtract, toNumber, ZERO } from '../../platform/money.ts';
import { type PaylinkStatus, type ProviderPayment, paylinkMayBecome } from '../../providers/contract.ts';

export const PAYLINK_STATUSES = [
  'created',
  'authorized',
  'captured',
  'cancelled',
  'expired',
  'failed',
  'refunded',
] as const satisfies readonly PaylinkStatus[];

/** A paylink as the table holds it. Amounts are exact: under 10^12 with few decimals. */
export type Paylink = {
  organization_id: string;
  id: string;
  provider: string;
  organization_app_id: string;
  order_id: string | null;
  is_made: boolean;
  status: PaylinkStatus;
  amount: number;
  currency: string;
  url: string | null;
  provider_reference: string | null;
  session_reference: string | null;
  captured_amount: number;
  refunded_amount: number;
  is_sandbox: boolean;
  needs_phone: boolean;
  request_key: string | null;
  request_fingerprint: string | null;
  expires_at: Date | null;
  look_at: Date | null;
  created: Date;
  updated: Date;
};

/** The row on the wire. */
export function paylinkShape(row: Paylink) {
  return {
    id: row.id,
    provider: row.provider,
    order_id: row.order_id,
    status: row.status,
    amount: row.amount,
    currency: row.currency,
    url: row.url ?? '',
    provider_reference: row.provider_reference ?? '',
    captured_amount: row.captured_amount,
    refunded_amount: row.refunded_amount,
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}

/** What is left to capture. */
export function restOf({ amount, captured_amount }: Pick<Paylink, 'amount' | 'captured_amount'>): Decimal {
  return subtract(decimal(amount), decimal(captured_amount));
}

export type PaylinkState = Pick<Paylink, 'status' | 'captured_amount' | 'refunded_amount'>;

/** Whether the provider speaks of another payment than the one we asked for. What it does not say is not against us. */
export function isOtherPayment(
  { amount, currency }: Pick<Paylink, 'amount' | 'currency'>,
  told: Pick<ProviderPayment, 'amount' | 'currency'>,
): boolean {
  if (told.currency !== undefined && told.currency.toUpperCase() !== currency) return true;
  return told.amount !== undefined && compare(told.amount, decimal(amount)) !== 0;
}

/**
 * A paylink after what its provider told. Amounts never shrink and a status moves forward alone: updates come late, and
 * our own write of the same thing may be on its way.
 */
export function stateAfter(row: Paylink, told: ProviderPayment): PaylinkState {
  const status = paylinkMayBecome(row.status, told.status) ? told.status : row.status;
  const isTaken = status === 'captured' || status === 'refunded';
  const captured = larger(row.captured_amount, told.capturedAmount);
  // Where the provider does not say how much, it was all of it.
  const whole = isTaken && told.capturedAmount === undefined && row.captured_amount === 0 ? row.amount : captured;
  const refunded = larger(row.refunded_amount, told.refundedAmount);
  return {
    status,
    captured_amount: whole,
    refunded_amount: status === 'refunded' && told.refundedAmount === undefined ? whole : refunded,
  };
}

/** After a capture of our own. */
export function stateAfterCapture(row: Paylink, captured: Decimal): PaylinkState {
  const total = larger(row.captured_amount, captured);
  const isWhole = compare(decimal(total), decimal(row.amount)) >= 0;
  const mayMove = row.status !== 'refunded' && row.status !== 'captured';
  return {
    status: mayMove ? (isWhole ? 'captured' : 'authorized') : row.status,
    captured_amount: total,
    refunded_amount: row.refunded_amount,
  };
}

function larger(known: number, told: Decimal | undefined): number {
  return told !== undefined && compare(told, decimal(known)) > 0 ? toNumber(told) : known;
}

/** Whether all of it was captured, and nothing of that given back. */
export function isPaid(state: PaylinkState, amount: number): boolean {
  return state.status === 'captured' && compare(decimal(state.captured_amount), decimal(amount)) >= 0;
}

export function isRefunded({ status, captured_amount }: PaylinkState): boolean {
  return status === 'refunded' && compare(decimal(captured_amount), ZERO) > 0;
}
