import { type CanonicalPaymentStatus, canonicalPaymentStatus } from './order-status.ts';

/**
 * The source of a payment report. `gateway` and `provider` reports were verified at the payment company (read back, or signed in
 * full); `vendor` is the shop or marketplace of the order; `till` is a sale over the counter, where the money was taken;
 * `person` is a client of the API.
 */
export const PAYMENT_SOURCES = ['gateway', 'provider', 'vendor', 'till', 'person'] as const;
export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

/** The last payment status of each source, as it is spelled in `payment_status`. */
export type PaymentFacts = Partial<Record<PaymentSource, string>>;

export type PaymentFact = {
  source: PaymentSource;
  status: string;
  /** A gateway withdraws its own earlier report of a refund. */
  isCorrection?: boolean;
};

export type PaymentState = { payment_status: string; payment_facts: PaymentFacts | null };

/** The columns that the payment state of an order is derived from. */
type PaymentRecord = PaymentState & { app_slug: string; source_revision: number | null };

/**
 * The till took the cash, so it ranks above a person: a person may report a refund, but not that the cash was never paid. Orders of
 * a till have no vendor, so the rank between these two has no effect.
 */
const RANK: Readonly<Record<PaymentSource, number>> = { gateway: 4, provider: 4, vendor: 3, till: 2, person: 1 };

/** Between sources of one rank, the status with the higher progress counts. */
const PROGRESS: Readonly<Record<CanonicalPaymentStatus, number>> = {
  unknown: 0,
  pending: 0,
  cancelled: 1,
  failed: 2,
  paid: 3,
  refunded: 4,
};

/**
 * The payment status that follows from all facts, and the source that decides it. It does not depend on the order in which the facts
 * arrived:
 *
 * - `refunded` of any source decides: a refund follows a payment and contradicts none;
 * - otherwise the strongest source with a status other than `pending` decides;
 * - `pending` states nothing. A vendor keeps sending it for cash on delivery, and it must neither undo nor prevent the status
 *   of another source.
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

/** All facts of an order. Without stored facts there is one: the payment status, from the source of the order. */
export function paymentFactsOf(order: PaymentRecord): PaymentFacts {
  return order.payment_facts ?? { [soleSourceOf(order)]: order.payment_status };
}

/** Whether that is the last word of the source, whatever others say. */
export function isReported(order: PaymentRecord, source: PaymentSource, status: CanonicalPaymentStatus): boolean {
  const reported = paymentFactsOf(order)[source];
  return reported !== undefined && canonicalPaymentStatus(reported) === status;
}

export function paymentStateOf({ payment_status, payment_facts }: PaymentState): PaymentState {
  return { payment_status, payment_facts };
}

/** The source that decides the status of an order. */
export function paymentSetBy(order: PaymentRecord): PaymentSource {
  return derivePaymentStatus(paymentFactsOf(order))?.source ?? soleSourceOf(order);
}

/**
 * The payment state of an order after a fact. A source replaces its own last status, except `refunded`: only a correction by a
 * gateway leaves it.
 *
 * Facts are stored only when the payment status alone does not express them, so that an ordinary order stores none.
 */
export function withPaymentFact(order: PaymentRecord, fact: PaymentFact): PaymentState {
  const before = paymentFactsOf(order);
  const facts = factsAfter(before, fact);
  const derived = derivePaymentStatus(facts) ?? fact;
  const payment_status = spell(order, fact, derived.status);
  const stored = isSoleFact(order, facts, payment_status) ? null : facts;
  // The same object when nothing changed, so that callers compare two states by reference.
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
  // A client that sends back the status it has read adds no fact: a fact of its own would outlive a correction.
  if (isEcho(before, fact)) return before;
  return { ...before, [source]: status };
}

/** Refund reports of weaker sources follow from the withdrawn one. A report that another payment company verified does not. */
function withoutWeakerRefunds(facts: PaymentFacts, source: PaymentSource): PaymentFacts {
  const remaining = Object.entries(facts).filter(
    ([name, status]) => RANK[name as PaymentSource] >= RANK[source] || canonicalPaymentStatus(status) !== 'refunded',
  );
  return Object.fromEntries(remaining);
}

function isEcho(before: PaymentFacts, { source, status }: PaymentFact): boolean {
  const decided = derivePaymentStatus(before);
  if (decided === undefined || decided.source === source || before[source] !== undefined) return false;
  return (
    RANK[source] < RANK[decided.source] && canonicalPaymentStatus(status) === canonicalPaymentStatus(decided.status)
  );
}

/** Several spellings have the same meaning. A verified report keeps the stored spelling; other sources may choose theirs. */
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
