import { compare, type Decimal, ZERO } from '../../platform/money.ts';

/** `authorized`: the customer has agreed and something is still to be captured. `captured`: nothing is left to capture. */
export type PaylinkStatus = 'created' | 'authorized' | 'captured' | 'cancelled' | 'expired' | 'failed' | 'refunded';

/**
 * Tellings of providers come late and out of order, and some of them forget (MISPay calls a payment authorised after it was
 * captured): what is not listed is old news.
 */
const NEXT: Readonly<Record<PaylinkStatus, readonly PaylinkStatus[]>> = {
  created: ['authorized', 'captured', 'cancelled', 'expired', 'failed', 'refunded'],
  // A part may be captured and the rest given up: that ends as captured, or as cancelled where no part was.
  authorized: ['captured', 'cancelled', 'expired', 'failed', 'refunded'],
  captured: ['refunded'],
  // The customer paid on a page that we gave up at the same moment: the money counts.
  cancelled: ['captured', 'refunded'],
  expired: ['captured', 'refunded'],
  failed: ['authorized', 'captured', 'refunded'],
  refunded: [],
};

export function paylinkMayBecome(from: PaylinkStatus, to: PaylinkStatus): boolean {
  return NEXT[from].includes(to);
}

/** Of a payment that the customer has agreed to: `toCapture` is what was agreed on, less what was given up. */
export function statusByAmounts({
  toCapture,
  captured,
  refunded,
}: {
  toCapture: Decimal;
  captured: Decimal;
  refunded: Decimal;
}): PaylinkStatus {
  if (compare(captured, ZERO) > 0 && compare(refunded, captured) >= 0) return 'refunded';
  return compare(captured, toCapture) >= 0 ? 'captured' : 'authorized';
}
