import { type CanonicalPaymentStatus, canonicalPaymentStatus } from './order-status.ts';

/**
 * Who reported a payment. `gateway` and `provider` are reports that were verified at the payment company (read back, or signed
 * in full); `vendor` is the shop or marketplace the order came from; `till` is a sale over the counter, where the money was
 * taken; `person` is a client of the API.
 */
export const PAYMENT_SOURCES = ['gateway', 'provider', 'vendor', 'till', 'person'] as const;
export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

/** The last word of each source, as it is spelled in `payment_status`. */
export type PaymentFacts = Partial<Record<PaymentSource, string>>;

export type PaymentFact = {
  source: PaymentSource;
  status: string;
  /** A gateway takes its own earlier report of a refund back. */
  isCorrection?: boolean;
};

export type PaymentState = { payment_status: string; payment_facts: PaymentFacts | null };

/** What the state of an order's payment is derived from. */
type PaymentRecord = PaymentState & { app_slug: string; source_revision: number | null };

/**
 * The till is where the cash was taken, so it stands above a person: one may report that the cash was given back, not that it
 * never came. A till's orders have no vendor, so which of those two is stronger decides nothing.
 */
const RANK: Readonly<Record<PaymentSource, number>> = { gateway: 4, provider: 4, vendor: 3, till: 2, person: 1 };

/** Between sources of one rank, the statement that is further along counts. */
const PROGRESS: Readonly<Record<CanonicalPaymentStatus, number>> = {
  unknown: 0,
  pending: 0,
  cancelled: 1,
  failed: 2,
  paid: 3,
  refunded: 4,
};

/**
 * The payment status that follows from all facts, and the source that decides it. The order in which the facts arrived plays
 * no part:
 *
 * - `refunded` of any source: a refund follows a payment and contradicts none;
 * - else the strongest source that states anything;
 * - `pending` states nothing. A vendor whose order is paid in cash on delivery goes on saying it, and must neither undo nor
 *   prevent what another source knows.
 */
export function derivePaymentStatus(facts: PaymentFacts): { status: string; source: PaymentSource } | undefined {
  let best: { status: string; source: PaymentSource; weight: number } | undefined;
  for (const source of PAYMENT_SOURCES) {
    const status = facts[source];
    if (status === undefined) continue;
    const weight = weightOf(source, canonicalPaymentStatus(status));
    if (best === undefined || weight > best.weight) best = { status, source, weight };
  }
  return best && { status: best.status, source: best.source };
}

function weightOf(source: PaymentSource, status: CanonicalPaymentStatus): number {
  if (status === 'refunded') return 1000 + RANK[source];
  const progress = PROGRESS[status];
  return progress === 0 ? RANK[source] : 100 * RANK[source] + progress;
}

/** All facts of an order. Without stored ones there is a single fact: the status, by the source that the order has. */
export function paymentFactsOf(order: PaymentRecord): PaymentFacts {
  return order.payment_facts ?? { [soleSourceOf(order)]: order.payment_status };
}

export function isReportedRefunded(order: PaymentRecord, source: PaymentSource): boolean {
  const status = paymentFactsOf(order)[source];
  return status !== undefined && canonicalPaymentStatus(status) === 'refunded';
}

export function paymentStateOf({ payment_status, payment_facts }: PaymentState): PaymentState {
  return { payment_status, payment_facts };
}

/** The source that decides the status of an order. */
export function paymentVerifiedBy(order: PaymentRecord): PaymentSource {
  return derivePaymentStatus(paymentFactsOf(order))?.source ?? soleSourceOf(order);
}

/**
 * The state of an order's payment after a fact. A source replaces its own last word, except `refunded`: that is left by a
 * gateway's correction alone.
 *
 * Facts are stored only when they are more than the status itself tells, so that an ordinary order stores none.
 */
export function withPaymentFact(order: PaymentRecord, fact: PaymentFact): PaymentState {
  const before = paymentFactsOf(order);
  const facts = factsAfter(before, fact);
  const derived = derivePaymentStatus(facts) ?? fact;
  const payment_status = spell(order, fact, derived.status);
  const stored = isSoleFact(order, facts, payment_status) ? null : facts;
  // The same object where nothing changed: comparing two states then is comparing two references.
  const isSame = stored !== null && order.payment_facts !== null && isSameFacts(order.payment_facts, stored);
  return { payment_status, payment_facts: isSame ? order.payment_facts : stored };
}

function factsAfter(before: PaymentFacts, fact: PaymentFact): PaymentFacts {
  const { source, status } = fact;
  const known = before[source];
  const isRefunded = known !== undefined && canonicalPaymentStatus(known) === 'refunded';
  const mayCorrect = fact.isCorrection === true && source === 'gateway';
  if (isRefunded && !mayCorrect) return before;
  if (mayCorrect) return { ...withoutWeakerRefunds(before, source), [source]: status };
  // A client that sends back what it has read states nothing new: as a fact of its own it would outlive a correction.
  if (isEcho(before, fact)) return before;
  return { ...before, [source]: status };
}

/** What weaker sources reported of a refund rests on it; what another payment company verified does not. */
function withoutWeakerRefunds(facts: PaymentFacts, source: PaymentSource): PaymentFacts {
  const kept = Object.entries(facts).filter(
    ([name, status]) => RANK[name as PaymentSource] >= RANK[source] || canonicalPaymentStatus(status) !== 'refunded',
  );
  return Object.fromEntries(kept);
}

function isEcho(before: PaymentFacts, { source, status }: PaymentFact): boolean {
  const decided = derivePaymentStatus(before);
  if (decided === undefined || decided.source === source || before[source] !== undefined) return false;
  return (
    RANK[source] < RANK[decided.source] && canonicalPaymentStatus(status) === canonicalPaymentStatus(decided.status)
  );
}

/** Several spellings mean the same. A verified report keeps the one that is there; others may choose theirs. */
function spell(order: PaymentRecord, { source, status }: PaymentFact, derived: string): string {
  const meaning = canonicalPaymentStatus(derived);
  const isVerified = source === 'gateway' || source === 'provider';
  if (!isVerified && canonicalPaymentStatus(status) === meaning) return status;
  return canonicalPaymentStatus(order.payment_status) === meaning ? order.payment_status : derived;
}

function isSoleFact(order: PaymentRecord, facts: PaymentFacts, status: string): boolean {
  const [only, ...others] = Object.entries(facts);
  return (
    others.length === 0 &&
    only?.[0] === soleSourceOf(order) &&
    canonicalPaymentStatus(only[1]) === canonicalPaymentStatus(status)
  );
}

/** Only an order that a vendor has reported has a revision. */
function soleSourceOf({ app_slug, source_revision }: PaymentRecord): PaymentSource {
  if (source_revision !== null) return 'vendor';
  return app_slug === 'till' ? 'till' : 'person';
}

function isSameFacts(one: PaymentFacts, other: PaymentFacts): boolean {
  return PAYMENT_SOURCES.every((source) => one[source] === other[source]);
}
