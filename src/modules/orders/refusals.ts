import { conflict, notFound, type Problem, unprocessable } from '../../platform/http/problem.ts';
import type { StatusHistory } from './order-status.ts';
import type { PaymentSource } from './payment-state.ts';

export const INVALID_TRANSITION = 'Invalid status transition';
export const PAYMENT_STATUS_CONFLICT = 'Payment status conflict';
export const ORDER_NOT_FOUND = 'Order not found';
export const DUPLICATE_TRANSACTION = 'Duplicate source transaction ID';

/**
 * The size of a stored order, in bytes of JSON. A thousand lines of 150 bytes fit. Line items and the three objects are the
 * client's own; this is the only limit of their size.
 */
export const MAX_ORDER_BYTES = 262_144;

export function orderNotFound(id: string): Problem {
  return notFound(ORDER_NOT_FOUND, { id });
}

export function invalidTransition(from: StatusHistory, to: string | undefined): Problem {
  const { order_status, last_known_status } = from;
  const before = last_known_status === null ? '' : `, having been ${last_known_status},`;
  return unprocessable({ order_status: `cannot go from ${order_status}${before} to ${to}` }, INVALID_TRANSITION);
}

/** A stronger source reported another status, or the payment was refunded: see payment-state.ts. */
export function paymentStatusConflict(paymentStatus: string, verifiedBy: PaymentSource): Problem {
  return conflict(PAYMENT_STATUS_CONFLICT, { payment_status: paymentStatus, proven_by: verifiedBy });
}

export function duplicateTransaction(sourceTransactionId: string | null): Problem {
  return conflict(DUPLICATE_TRANSACTION, { source_transaction_id: sourceTransactionId });
}

/** A status change of the order is in progress at the vendor. */
export function orderBusy(id: string): Problem {
  return conflict('Order is being changed', { id, hint: 'another change of its status is under way: try again' });
}

export function orderTooLarge(): Problem {
  return unprocessable({ order: `must be at most ${MAX_ORDER_BYTES} bytes as JSON` });
}

/** A refusal of the single call as the text of one item of a bulk call, which has no details. */
export function refusalInShort({ message, details }: Problem): string {
  if (typeof details === 'string') return message;
  if (message === PAYMENT_STATUS_CONFLICT) {
    return `${message}: ${details.payment_status}, reported by ${details.proven_by}`;
  }
  return typeof details.message === 'string' ? `${message}: ${details.message}` : message;
}
