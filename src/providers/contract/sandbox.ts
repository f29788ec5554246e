import { add, compare, type Decimal, subtract, ZERO } from '../../platform/money.ts';
import { type PaylinkStatus, paylinkMayBecome } from './paylink-status.ts';

/**
 * A payment of the sandbox provider and its transitions. The payments module stores it and serves the page. Each function returns
 * the payment afterwards, or the reason why the transition is not possible.
 */
export type SandboxPayment = {
  readonly status: PaylinkStatus;
  readonly amount: Decimal;
  readonly currency: string;
  readonly capturedAmount: Decimal;
  readonly refundedAmount: Decimal;
  /** References of past captures, which make repeats idempotent. */
  readonly captureReferences: readonly string[];
  readonly expiresAt: Date;
};

export type SandboxOutcome =
  | { ok: true; payment: SandboxPayment }
  | { ok: false; reason: 'wrong_state' | 'beyond_amount' | 'whole_only' };

/** Maximum captures of one payment. */
const MAX_CAPTURES = 100;

export function openInSandbox(
  { linkLivesForMinutes }: { linkLivesForMinutes: number },
  { amount, currency, now }: { amount: Decimal; currency: string; now: Date },
): SandboxPayment {
  return {
    status: 'created',
    amount,
    currency,
    capturedAmount: ZERO,
    refundedAmount: ZERO,
    captureReferences: [],
    expiresAt: new Date(now.getTime() + linkLivesForMinutes * 60_000),
  };
}

/** Idempotent; fails after the page has expired. */
export function authoriseInSandbox(payment: SandboxPayment, now: Date): SandboxOutcome {
  if (payment.status === 'authorized') return { ok: true, payment };
  if (payment.status !== 'created' || payment.expiresAt <= now) return { ok: false, reason: 'wrong_state' };
  return { ok: true, payment: { ...payment, status: 'authorized' } };
}

export function captureInSandbox(
  { capturesInParts }: { capturesInParts: boolean },
  payment: SandboxPayment,
  { amount, referenceId }: { amount: Decimal; referenceId: string },
): SandboxOutcome {
  if (payment.captureReferences.includes(referenceId)) return { ok: true, payment };
  if (payment.status !== 'authorized' || payment.captureReferences.length >= MAX_CAPTURES)
    return { ok: false, reason: 'wrong_state' };
  const left = subtract(payment.amount, payment.capturedAmount);
  if (compare(amount, left) > 0 || compare(amount, ZERO) <= 0) return { ok: false, reason: 'beyond_amount' };
  if (!capturesInParts && compare(amount, left) < 0) return { ok: false, reason: 'whole_only' };
  return {
    ok: true,
    payment: {
      ...payment,
      status: compare(amount, left) === 0 ? 'captured' : 'authorized',
      capturedAmount: add(payment.capturedAmount, amount),
      captureReferences: [...payment.captureReferences, referenceId],
    },
  };
}

/** Cancels the remaining amount; captures stay. */
export function cancelInSandbox(payment: SandboxPayment): SandboxOutcome {
  if (payment.status === 'cancelled') return { ok: true, payment };
  const status = payment.capturedAmount.units === 0n ? 'cancelled' : 'captured';
  if (!paylinkMayBecome(payment.status, status)) return { ok: false, reason: 'wrong_state' };
  return { ok: true, payment: { ...payment, status } };
}
