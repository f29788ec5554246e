/** Stored values are whatever the source calls them; these are the words that mean the same everywhere. */
export const CANONICAL_STATUSES = [
  'received',
  'ready_for_pickup',
  'dispatched',
  'delivered',
  'cancelled',
  'pending_payment',
  'unknown',
] as const;
export type CanonicalStatus = (typeof CANONICAL_STATUSES)[number];

export const CANONICAL_PAYMENT_STATUSES = ['pending', 'paid', 'refunded', 'failed', 'cancelled', 'unknown'] as const;
export type CanonicalPaymentStatus = (typeof CANONICAL_PAYMENT_STATUSES)[number];

const STATUS_WORDS: Record<Exclude<CanonicalStatus, 'unknown'>, readonly string[]> = {
  received: ['received', 'new', 'accepted', 'confirmed', 'processing', 'preparing'],
  ready_for_pickup: ['ready', 'ready_for_pickup'],
  dispatched: ['dispatched', 'shipped', 'out_for_delivery', 'picked_up'],
  delivered: ['delivered', 'completed', 'fulfilled'],
  cancelled: ['cancelled', 'canceled', 'rejected'],
  pending_payment: ['pending', 'pending_payment', 'awaiting_payment'],
};

const PAYMENT_WORDS: Record<Exclude<CanonicalPaymentStatus, 'unknown'>, readonly string[]> = {
  pending: ['pending', 'processing', 'authorized'],
  paid: ['completed', 'paid', 'captured'],
  refunded: ['refunded'],
  failed: ['failed'],
  cancelled: ['cancelled'],
};

const statusByWord = invert(STATUS_WORDS);
const paymentByWord = invert(PAYMENT_WORDS);

export function canonicalStatus(stored: string): CanonicalStatus {
  return statusByWord.get(plainWord(stored)) ?? 'unknown';
}

export function canonicalPaymentStatus(stored: string): CanonicalPaymentStatus {
  return paymentByWord.get(plainWord(stored)) ?? 'unknown';
}

/** Case, surrounding space, and the choice between space, dash and underscore carry no meaning. */
function plainWord(stored: string): string {
  return stored
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}

function invert<Word extends string>(words: Record<Word, readonly string[]>): Map<string, Word> {
  const meanings = Object.entries(words) as [Word, readonly string[]][];
  return new Map(meanings.flatMap(([meaning, spellings]) => spellings.map((spelling) => [spelling, meaning])));
}

const FORWARD: readonly CanonicalStatus[] = ['received', 'ready_for_pickup', 'dispatched', 'delivered'];

/** Where an order stands: its stored status and, while that is an unknown word, the last one that was known. */
export type Standing = { order_status: string; last_known_status: CanonicalStatus | null };

/** What is kept of where an order stood, when it goes on to another status: something only if that is an unknown word. */
export function lastKnownAfter(before: Standing, to: string): CanonicalStatus | null {
  if (canonicalStatus(to) !== 'unknown') return null;
  const status = canonicalStatus(before.order_status);
  return status === 'unknown' ? before.last_known_status : status;
}

/**
 * Whether an order may go from where it stands to another stored status. Another spelling of the same thing always may.
 * A detour over unknown words opens no way back: what follows them is judged by the last known status before them.
 */
export function mayMove(from: Standing, to: string): boolean {
  const status = canonicalStatus(from.order_status);
  const after = canonicalStatus(to);
  if (status === after) return true;
  const before = status === 'unknown' ? (from.last_known_status ?? 'unknown') : status;
  if (before === after) return true;
  switch (before) {
    case 'delivered':
    case 'cancelled':
      return false;
    case 'pending_payment':
    case 'unknown':
      return true;
    default:
      if (after === 'cancelled' || after === 'unknown') return true;
      return FORWARD.indexOf(after) > FORWARD.indexOf(before);
  }
}

export function isOpenStatus(stored: string): boolean {
  const status = canonicalStatus(stored);
  return status !== 'delivered' && status !== 'cancelled';
}
