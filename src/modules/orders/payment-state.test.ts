import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalPaymentStatus } from './order-status.ts';
import {
  derivePaymentStatus,
  PAYMENT_SOURCES,
  type PaymentFact,
  type PaymentFacts,
  type PaymentState,
  paymentVerifiedBy,
  withPaymentFact,
} from './payment-state.ts';

type Record = PaymentState & { app_slug: string; source_revision: number | null };

const direct = (status: string): Record => ({
  app_slug: 'api',
  source_revision: null,
  payment_status: status,
  payment_facts: null,
});
const ofVendor = (status: string): Record => ({ ...direct(status), app_slug: 'salla', source_revision: 1 });
const ofTill = (status: string): Record => ({ ...direct(status), app_slug: 'till' });

function after(order: Record, ...facts: PaymentFact[]): Record {
  let known = order;
  for (const fact of facts) known = { ...known, ...withPaymentFact(known, fact) };
  return known;
}

describe('derivePaymentStatus', () => {
  test.each<[PaymentFacts, string, string]>([
    [{ person: 'completed' }, 'completed', 'person'],
    [{ gateway: 'paid', vendor: 'pending' }, 'paid', 'gateway'],
    [{ gateway: 'paid', person: 'failed' }, 'paid', 'gateway'],
    [{ provider: 'completed', vendor: 'cancelled' }, 'completed', 'provider'],
    [{ vendor: 'paid', person: 'failed' }, 'paid', 'vendor'],
    [{ vendor: 'failed', person: 'completed' }, 'failed', 'vendor'],
    // A vendor of cash on delivery goes on saying pending.
    [{ vendor: 'pending', person: 'completed' }, 'completed', 'person'],
    [{ till: 'completed', person: 'pending' }, 'completed', 'till'],
    [{ till: 'completed', person: 'failed' }, 'completed', 'till'],
    // A refund follows a payment, regardless of its source.
    [{ gateway: 'paid', vendor: 'refunded' }, 'refunded', 'vendor'],
    [{ till: 'completed', person: 'refunded' }, 'refunded', 'person'],
    [{ gateway: 'refunded', vendor: 'paid' }, 'refunded', 'gateway'],
    [{ gateway: 'paid', provider: 'refunded' }, 'refunded', 'provider'],
    [{ vendor: 'pending', person: 'processing' }, 'pending', 'vendor'],
  ])('derives from %j the status %s by %s', (facts, status, source) => {
    expect(derivePaymentStatus(facts)).toEqual({ status, source });
  });
});

describe('withPaymentFact', () => {
  test.each<[string, Record, PaymentFact, string, PaymentFacts | null]>([
    [
      'a person replaces their own status',
      direct('completed'),
      { source: 'person', status: 'pending' },
      'pending',
      null,
    ],
    ['a vendor replaces its own status', ofVendor('paid'), { source: 'vendor', status: 'pending' }, 'pending', null],
    [
      'a gateway confirms the report of a person',
      direct('completed'),
      { source: 'gateway', status: 'completed' },
      'completed',
      { person: 'completed', gateway: 'completed' },
    ],
    [
      'a vendor does not undo a payment',
      { ...ofVendor('paid'), payment_facts: { vendor: 'pending', gateway: 'paid' } },
      { source: 'vendor', status: 'pending' },
      'paid',
      { vendor: 'pending', gateway: 'paid' },
    ],
    [
      'a vendor does not undo a refund',
      { ...ofVendor('refunded'), payment_facts: { vendor: 'paid', gateway: 'refunded' } },
      { source: 'vendor', status: 'paid' },
      'refunded',
      { vendor: 'paid', gateway: 'refunded' },
    ],
    [
      'refunded stays, also for the source that reported it',
      direct('refunded'),
      { source: 'person', status: 'completed' },
      'refunded',
      null,
    ],
    [
      'a late payment of a gateway does not undo a refund',
      { ...direct('refunded'), payment_facts: { person: 'pending', gateway: 'refunded' } },
      { source: 'gateway', status: 'completed' },
      'refunded',
      { person: 'pending', gateway: 'refunded' },
    ],
    [
      'a correction by the gateway undoes its refund',
      { ...ofVendor('refunded'), payment_facts: { vendor: 'refunded', gateway: 'refunded' } },
      { source: 'gateway', status: 'paid', isCorrection: true },
      'paid',
      { gateway: 'paid' },
    ],
    [
      'no other source corrects a refund',
      { ...ofVendor('refunded'), payment_facts: { vendor: 'paid', gateway: 'refunded' } },
      { source: 'provider', status: 'paid', isCorrection: true },
      'refunded',
      { vendor: 'paid', gateway: 'refunded', provider: 'paid' },
    ],
    // A client that replaces an order sends back the status that it has read.
    [
      'a status that is sent back adds no fact',
      ofVendor('paid'),
      { source: 'person', status: 'completed' },
      'completed',
      null,
    ],
    [
      'another spelling of pending adds no fact',
      ofVendor('pending'),
      { source: 'person', status: 'processing' },
      'processing',
      null,
    ],
    [
      'a till ranks above a person',
      ofTill('completed'),
      { source: 'person', status: 'failed' },
      'completed',
      {
        till: 'completed',
        person: 'failed',
      },
    ],
  ])('%s', (_title, order, fact, status, facts) => {
    const { payment_status, payment_facts } = withPaymentFact(order, fact);
    expect([payment_status, payment_facts]).toEqual([status, facts]);
  });

  test('returns the same object when no fact changed', () => {
    const facts = { vendor: 'paid', gateway: 'paid' };
    const order = { ...ofVendor('paid'), payment_facts: facts };
    expect(withPaymentFact(order, { source: 'gateway', status: 'paid' }).payment_facts).toBe(facts);
  });
});

const status = fc.constantFrom('pending', 'completed', 'paid', 'failed', 'cancelled', 'refunded', 'authorized');
const unique = <T>(list: fc.Arbitrary<T>, selector: (value: T) => unknown) =>
  fc.uniqueArray(list, { selector, minLength: 1, maxLength: 5 });
const fact = fc.record({ source: fc.constantFrom(...PAYMENT_SOURCES), status }) as fc.Arbitrary<PaymentFact>;
const start = fc.constantFrom(direct('pending'), ofVendor('pending'), ofTill('pending'));

test('derives the same status in whatever order the sources report', () => {
  const facts = unique(fact, ({ source }) => source);
  const shuffled = facts.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  fc.assert(
    fc.property(start, shuffled, (order, [one, other]) => {
      const meaning = (facts: PaymentFact[]) => canonicalPaymentStatus(after(order, ...facts).payment_status);
      expect(meaning(other)).toBe(meaning(one));
    }),
  );
});

test('lets no weaker source undo a payment, and no fact leave refunded', () => {
  const rank = { gateway: 3, provider: 3, vendor: 2, till: 1, person: 0 };
  fc.assert(
    fc.property(start, fc.array(fact, { maxLength: 8 }), fact, (order, earlier, last) => {
      const before = after(order, ...earlier);
      const now = after(before, last);
      const [was, is] = [before, now].map(({ payment_status }) => canonicalPaymentStatus(payment_status));
      if (was === 'refunded') expect(is).toBe('refunded');
      if (was === 'paid' && rank[last.source] < rank[paymentVerifiedBy(before)])
        expect(['paid', 'refunded']).toContain(is);
    }),
  );
});

test('stores facts that derive to the stored status', () => {
  fc.assert(
    fc.property(start, fc.array(fact, { maxLength: 8 }), (order, facts) => {
      const { payment_status, payment_facts } = after(order, ...facts);
      if (payment_facts === null) return;
      const derived = derivePaymentStatus(payment_facts)?.status ?? '';
      expect(canonicalPaymentStatus(payment_status)).toBe(canonicalPaymentStatus(derived));
    }),
  );
});
