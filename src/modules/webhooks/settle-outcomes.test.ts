import { describe, expect, it } from 'vitest';
import { PRIORITY } from './delivery.ts';
import { healthAfter, queueReleases } from './settle-outcomes.ts';
import type { HealthRow, Outcome } from './sql/outcomes.ts';

const now = new Date('2026-11-15T08:00:00.000Z');
const DAY_MS = 86_400_000;
const ago = (ms: number) => new Date(now.getTime() - ms);

const healthy: HealthRow = { organization_id: 'o', id: 's', status: 'active', failing_since: null };

function outcome(status: Outcome['status'], changes: Partial<Outcome> & { code?: number; to?: string } = {}): Outcome {
  const { code = status === 'delivered' ? 200 : 500, to = 's', ...rest } = changes;
  return {
    claim: {
      delivery_id: 'd',
      organization_id: 'o',
      subscription_id: to,
      event_id: 'evt_1_1',
      event_type: 'order.created',
      priority: PRIORITY.first,
      retries_left: 7,
      claim_id: 'c',
    },
    attempt: { at: now.toISOString(), status_code: code, error: '', duration_ms: 1, response_excerpt: '' },
    counts: true,
    status,
    endedAt: now,
    next: undefined,
    ...rest,
  };
}
const delivered = outcome('delivered');
const failed = outcome('pending');
const dead = outcome('dead');
const gone = outcome('pending', { code: 410 });

describe('healthAfter', () => {
  it.each([
    ['a success', null, [delivered], { last_success_at: now, last_failure_at: null, failing_since: null }],
    ['a first failure', null, [failed], { last_success_at: null, last_failure_at: now, failing_since: now }],
    ['a further failure', ago(DAY_MS), [failed], { failing_since: ago(DAY_MS), last_failure_at: now }],
    ['the end of a delivery', ago(DAY_MS), [dead], { failing_since: ago(DAY_MS) }],
    ['a success after failures', ago(2 * DAY_MS), [delivered], { failing_since: null, last_success_at: now }],
    ['success, then failure', ago(2 * DAY_MS), [delivered, failed], { failing_since: now, last_success_at: now }],
    ['failure, then success', null, [failed, delivered], { failing_since: null, last_failure_at: now }],
  ])('after %s', (_what, failingSince, outcomes, expected) => {
    const after = healthAfter({ ...healthy, failing_since: failingSince }, outcomes, now);
    expect(after).toMatchObject({ ...expected, disabled_reason: null });
  });

  it.each([
    ['a moment short of three days', 3 * DAY_MS - 1, [failed], null],
    ['three days', 3 * DAY_MS, [failed], 'No successful delivery for three days'],
    ['long after', 40 * DAY_MS, [dead], 'No successful delivery for three days'],
    ['long after, but it answers again', 40 * DAY_MS, [delivered], null],
    ['long after, one answers among those that do not', 40 * DAY_MS, [failed, delivered, failed], null],
    ['410 at once', 0, [gone], 'The receiver answered 410 Gone'],
    ['410 among successes', 0, [delivered, gone, delivered], 'The receiver answered 410 Gone'],
  ])('%s', (_what, failingForMs, outcomes, reason) => {
    const after = healthAfter({ ...healthy, failing_since: ago(failingForMs) }, outcomes, now);
    expect(after?.disabled_reason).toBe(reason);
  });

  it.each(['paused', 'disabled'] as const)('a %s subscription is not disabled by what is sent by hand', (status) => {
    const row = { ...healthy, status, failing_since: ago(9 * DAY_MS) };
    expect(healthAfter(row, [gone, failed], now)?.disabled_reason).toBeNull();
  });

  it('learns nothing from lost senders, nor from other subscriptions', () => {
    const lost = outcome('pending', { counts: false });
    expect(healthAfter({ ...healthy, failing_since: ago(9 * DAY_MS) }, [lost], now)).toBeUndefined();
    expect(healthAfter(healthy, [outcome('pending', { to: 'another' })], now)).toBeUndefined();
  });
});

describe('queueReleases', () => {
  it('frees a place where each was claimed, and makes the priority it goes to due by the earliest', () => {
    const soon = { dueAt: new Date(now.getTime() + 1000), priority: PRIORITY.retry, retriesLeft: 1 };
    const later = { dueAt: new Date(now.getTime() + 9000), priority: PRIORITY.retry, retriesLeft: 1 };
    const releases = queueReleases([
      delivered,
      outcome('pending', { next: later }),
      outcome('pending', { next: soon }),
      outcome('delivered', { to: 'another' }),
    ]);
    expect(releases).toEqual([
      { subscription_id: 's', priority: PRIORITY.first, freed: 3, due_at: null },
      { subscription_id: 's', priority: PRIORITY.retry, freed: 0, due_at: soon.dueAt },
      { subscription_id: 'another', priority: PRIORITY.first, freed: 1, due_at: null },
    ]);
  });
});
