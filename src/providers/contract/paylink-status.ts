import { compare, type Decimal, ZERO } from '../../platform/money.ts';

/** `authorized`: the customer has agreed and an amount is left to capture. `captured`: nothing is left to capture. */
export type PaylinkStatus = 'created' | 'authorized' | 'captured' | 'cancelled' | 'expired' | 'failed' | 'refunded';

/**
 * Reports of providers arrive late and out of order, and some regress (MISPay calls a payment authorised after its capture): a
 * transition that is not listed is outdated.
 */
const NEXT: Readonly<Record<PaylinkStatus, readonly PaylinkStatus[]>> = {
  created: ['authorized', 'captured', 'cancelled', 'expired', 'failed', 'refunded'],
  // A part may be captured and the rest cancelled: that ends as captured, or as cancelled without any capture.
  authorized: ['captured', 'cancelled', 'expired', 'failed', 'refunded'],
  captured: ['refunded'],
  // The customer paid on a page that was cancelled at the same moment: the payment counts.
  cancelled: ['captured', 'refunded'],
  expired: ['captured', 'refunded'],
  failed: ['authorized', 'captured', 'refunded'],
  refunded: [],
};

export function paylinkMayBecome(from: PaylinkStatus, to: PaylinkStatus): boolean {
  return NEXT[from].includes(to);
}

/** The status of an authorised payment: `toCapture` is the authorised amount minus the cancelled part. */
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
