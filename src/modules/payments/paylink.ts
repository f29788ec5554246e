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

/** A row of `paylinks` that its provider has confirmed. Rows with the status `creating` are seen by the requests that create them only. */
export type Paylink = {
  organization_id: string;
  id: string;
  provider: string;
  organization_app_id: string;
  order_id: string | null;
  status: PaylinkStatus;
  /** Amounts are exact as numbers: under 10^12 with few decimals. */
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

/** `creating`: the row is there before the provider is called, and the provider has not confirmed the payment yet. */
export type PaylinkRow = Omit<Paylink, 'status'> & { status: PaylinkStatus | 'creating' };

export function isConfirmed(row: PaylinkRow): row is Paylink {
  return row.status !== 'creating';
}

/** The row in a response. */
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

/** The amount left to capture. */
export function restOf({ amount, captured_amount }: Pick<Paylink, 'amount' | 'captured_amount'>): Decimal {
  return subtract(decimal(amount), decimal(captured_amount));
}

export type PaylinkState = Pick<Paylink, 'status' | 'captured_amount' | 'refunded_amount'>;

/** Whether the provider reports another amount or currency than the paylink's. Fields that it omits count as equal. */
export function isOtherPayment(
  { amount, currency }: Pick<Paylink, 'amount' | 'currency'>,
  reported: Pick<ProviderPayment, 'amount' | 'currency'>,
): boolean {
  if (reported.currency !== undefined && reported.currency.toUpperCase() !== currency) return true;
  return reported.amount !== undefined && compare(reported.amount, decimal(amount)) !== 0;
}

/**
 * The state of a paylink after a report of its provider. Amounts never shrink and a status only moves forward: reports arrive
 * late, and the write of our own call may be under way.
 */
export function stateAfter(row: Paylink, reported: ProviderPayment): PaylinkState {
  const status = paylinkMayBecome(row.status, reported.status) ? reported.status : row.status;
  const isTaken = status === 'captured' || status === 'refunded';
  const captured = larger(row.captured_amount, reported.capturedAmount);
  // A provider that reports no captured amount captured all of it.
  const whole = isTaken && reported.capturedAmount === undefined && row.captured_amount === 0 ? row.amount : captured;
  const refunded = larger(row.refunded_amount, reported.refundedAmount);
  return {
    status,
    captured_amount: whole,
    refunded_amount: status === 'refunded' && reported.refundedAmount === undefined ? whole : refunded,
  };
}

/** The state of a paylink after a capture by this service. */
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

function larger(known: number, reported: Decimal | undefined): number {
  return reported !== undefined && compare(reported, decimal(known)) > 0 ? toNumber(reported) : known;
}

/** Whether the whole amount was captured and nothing was refunded. */
export function isPaid(state: PaylinkState, amount: number): boolean {
  return state.status === 'captured' && compare(decimal(state.captured_amount), decimal(amount)) >= 0;
}

export function isRefunded({ status, captured_amount }: PaylinkState): boolean {
  return status === 'refunded' && compare(decimal(captured_amount), ZERO) > 0;
}
