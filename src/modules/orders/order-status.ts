/** Statuses are stored as the source spells them. These are their normalised values. */
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

const STATUS_SPELLINGS: Record<Exclude<CanonicalStatus, 'unknown'>, readonly string[]> = {
  received: ['received', 'new', 'accepted', 'confirmed', 'processing', 'preparing'],
  ready_for_pickup: ['ready', 'ready_for_pickup'],
  dispatched: ['dispatched', 'shipped', 'out_for_delivery', 'picked_up'],
  delivered: ['delivered', 'completed', 'fulfilled'],
  cancelled: ['cancelled', 'canceled', 'rejected'],
  pending_payment: ['pending', 'pending_payment', 'awaiting_payment'],
};

const PAYMENT_SPELLINGS: Record<Exclude<CanonicalPaymentStatus, 'unknown'>, readonly string[]> = {
  pending: ['pending', 'processing', 'authorized'],
  paid: ['completed', 'paid', 'captured'],
  refunded: ['refunded'],
  failed: ['failed'],
  cancelled: ['cancelled'],
};

const statusBySpelling = invert(STATUS_SPELLINGS);
const paymentBySpelling = invert(PAYMENT_SPELLINGS);

export function canonicalStatus(stored: string): CanonicalStatus {
  return statusBySpelling.get(normaliseSpelling(stored)) ?? 'unknown';
}

export function canonicalPaymentStatus(stored: string): CanonicalPaymentStatus {
  return paymentBySpelling.get(normaliseSpelling(stored)) ?? 'unknown';
}

/** The normalised spellings of a payment status; every other spelling is unknown. */
export function paymentSpellings(status: CanonicalPaymentStatus): { spellings: string[]; isOther: boolean } {
  return status === 'unknown'
    ? { spellings: [...paymentBySpelling.keys()], isOther: true }
    : { spellings: [...PAYMENT_SPELLINGS[status]], isOther: false };
}

/** A new order looks its statuses up seven times, and nearly every order has one of a few. */
const MAX_NORMALISED = 1_000;
const normalised = new Map<string, string>();

/** Ignores case, surrounding whitespace, and the difference between space, dash and underscore. */
function normaliseSpelling(stored: string): string {
  const known = normalised.get(stored);
  if (known !== undefined) return known;
  const spelling = stored
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  if (normalised.size >= MAX_NORMALISED) normalised.clear();
  normalised.set(stored, spelling);
  return spelling;
}

function invert<Status extends string>(spellings: Record<Status, readonly string[]>): Map<string, Status> {
  const entries = Object.entries(spellings) as [Status, readonly string[]][];
  return new Map(entries.flatMap(([status, known]) => known.map((spelling) => [spelling, status])));
}

const FORWARD: readonly CanonicalStatus[] = ['received', 'ready_for_pickup', 'dispatched', 'delivered'];

/** The stored status of an order and, while its canonical status is unknown, the last known one. */
export type StatusHistory = { order_status: string; last_known_status: CanonicalStatus | null };

/** `last_known_status` after a move to another status: null unless the canonical status of `to` is unknown. */
export function lastKnownAfter(before: StatusHistory, to: string): CanonicalStatus | null {
  if (canonicalStatus(to) !== 'unknown') return null;
  const status = canonicalStatus(before.order_status);
  return status === 'unknown' ? before.last_known_status : status;
}

/**
 * Whether an order may move to another stored status. Another spelling of the same status is always allowed. Unknown statuses
 * do not allow a way back: the status after them is compared with the last known status before them.
 */
export function mayMove(from: StatusHistory, to: string): boolean {
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
