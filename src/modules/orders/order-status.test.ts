import { describe, expect, it } from 'vitest';
import {
  CANONICAL_STATUSES,
  type CanonicalStatus,
  canonicalPaymentStatus,
  canonicalStatus,
  isOpenStatus,
  lastKnownAfter,
  mayMove,
} from './order-status.ts';

describe('canonicalStatus', () => {
  const table: Record<CanonicalStatus, string[]> = {
    received: ['RECEIVED', 'received', 'New', 'accepted', 'confirmed', 'Processing', 'preparing', ' received '],
    ready_for_pickup: ['READY_FOR_PICKUP', 'ready', 'Ready for pickup', 'ready-for-pickup', 'READY  FOR  PICKUP'],
    dispatched: ['DISPATCHED', 'shipped', 'Out for delivery', 'out-for-delivery', 'picked_up', 'Picked Up'],
    delivered: ['DELIVERED', 'completed', 'fulfilled'],
    cancelled: ['CANCELLED', 'canceled', 'Rejected'],
    pending_payment: ['pending', 'pending_payment', 'awaiting payment', 'Pending-Payment'],
    unknown: ['on_hold', 'returned', 'x', 'partially_shipped', 'تم'],
  };
  for (const [canonical, spellings] of Object.entries(table)) {
    it.each(spellings)(`maps %j to ${canonical}`, (stored) => expect(canonicalStatus(stored)).toBe(canonical));
  }

  it('maps every status of connectors and payment orders', () => {
    const connector = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'CANCELLED'];
    expect(connector.map(canonicalStatus)).toEqual([
      'received',
      'ready_for_pickup',
      'dispatched',
      'delivered',
      'cancelled',
    ]);
    expect(['pending', 'confirmed'].map(canonicalStatus)).toEqual(['pending_payment', 'received']);
  });
});

describe('canonicalPaymentStatus', () => {
  it.each([
    ['pending', 'pending'],
    ['processing', 'pending'],
    ['Authorized', 'pending'],
    ['completed', 'paid'],
    ['paid', 'paid'],
    ['captured', 'paid'],
    ['refunded', 'refunded'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
    ['partially_refunded', 'unknown'],
    ['', 'unknown'],
  ])('maps %j to %j', (stored, canonical) => expect(canonicalPaymentStatus(stored)).toBe(canonical));
});

describe('mayMove', () => {
  // Rows: from. Columns in the order of CANONICAL_STATUSES:
  // received, ready_for_pickup, dispatched, delivered, cancelled, pending_payment, unknown.
  const allowed: Record<CanonicalStatus, string> = {
    received: '=yyyy.y',
    ready_for_pickup: '.=yyy.y',
    dispatched: '..=yy.y',
    delivered: '...=...',
    cancelled: '....=..',
    pending_payment: 'yyyyy=y',
    unknown: 'yyyyyy=',
  };
  const cases = CANONICAL_STATUSES.flatMap((from) =>
    CANONICAL_STATUSES.map((to, column) => [from, to, allowed[from][column] !== '.'] as const),
  );
  const at = (order_status: string, last_known_status: CanonicalStatus | null = null) => ({
    order_status,
    last_known_status,
  });
  it.each(cases)('from %s to %s is %s', (from, to, expected) => expect(mayMove(at(from), to)).toBe(expected));

  it('allows another spelling of a final status', () => {
    expect(mayMove(at('DELIVERED'), 'completed')).toBe(true);
    expect(mayMove(at('cancelled'), 'Rejected')).toBe(true);
  });

  it.each(cases.filter(([from]) => from !== 'unknown' && isOpenStatus(from)))(
    'after an unknown status, from %s to %s is %s',
    (from, to, expected) => {
      const lastKnown = lastKnownAfter(at(from), 'on_hold');
      expect(lastKnown).toBe(from);
      expect(mayMove(at('on_hold', lastKnown), to)).toBe(expected);
      expect(lastKnownAfter(at('on_hold', lastKnown), 'on_hold_again')).toBe(from);
    },
  );

  it('clears last_known_status on a known status, and has none for an order that never had a known status', () => {
    expect(lastKnownAfter(at('on_hold', 'received'), 'DISPATCHED')).toBeNull();
    expect(lastKnownAfter(at('on_hold'), 'waiting')).toBeNull();
  });
});

it('treats every order as open that is neither delivered nor cancelled', () => {
  expect(CANONICAL_STATUSES.filter(isOpenStatus)).toEqual([
    'received',
    'ready_for_pickup',
    'dispatched',
    'pending_payment',
    'unknown',
  ]);
});
