import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PostOutcome } from '../../platform/outbound/post.ts';
import { PRIORITY } from './delivery.ts';
import { abandonedOutcome, expiredOutcome, judgeAttempt, type Schedule } from './judge-attempt.ts';
import type { Claim } from './sql/claims.ts';

const startedAt = new Date('2026-11-15T08:00:00.000Z');
const endedAt = new Date('2026-11-15T08:00:01.500Z');
const DELAYS = [10, 60, 300, 1800, 7200, 28_800, 86_400];
const plain: Schedule = { delaysSeconds: DELAYS, random: () => 0 };

const claim: Claim = {
  delivery_id: 'd',
  organization_id: 'o',
  subscription_id: 's',
  event_id: 'evt_1_1',
  event_type: 'order.created',
  priority: PRIORITY.first,
  retries_left: DELAYS.length,
  claim_id: 'c',
};

function answered(statusCode: number, more: Partial<PostOutcome> = {}): PostOutcome {
  const ok = statusCode >= 200 && statusCode < 300;
  return { ok, statusCode, error: undefined, durationMs: 12, responseExcerpt: 'text', ...more };
}
const broken: PostOutcome = {
  ok: false,
  statusCode: undefined,
  error: 'connection refused',
  durationMs: 3,
  responseExcerpt: '',
};

function waitSeconds(retriesLeft: number, outcome: PostOutcome, schedule = plain): number | undefined {
  const { next } = judgeAttempt({ ...claim, retries_left: retriesLeft }, outcome, startedAt, endedAt, schedule);
  return next && (next.dueAt.getTime() - endedAt.getTime()) / 1000;
}

describe('judgeAttempt', () => {
  it.each([200, 201, 204, 299])('%i is delivered', (status) => {
    expect(judgeAttempt(claim, answered(status), startedAt, endedAt, plain)).toMatchObject({
      status: 'delivered',
      counts: true,
      endedAt,
      next: undefined,
      attempt: { at: startedAt.toISOString(), status_code: status, error: '', response_excerpt: 'text' },
    });
  });

  it.each([
    [answered(301, { error: 'redirect not followed' }), 'redirect not followed'],
    [answered(304), 'status 304'],
    [answered(400), 'status 400'],
    [answered(404), 'status 404'],
    [answered(410), 'status 410'],
    [answered(500), 'status 500'],
    [broken, 'connection refused'],
  ])('schedules a retry for anything but 2xx: $0.statusCode $0.error', (outcome, error) => {
    expect(judgeAttempt(claim, outcome, startedAt, endedAt, plain)).toMatchObject({
      status: 'pending',
      counts: true,
      next: { priority: PRIORITY.retry, retriesLeft: 6 },
      attempt: { error, status_code: outcome.statusCode ?? null },
    });
  });

  it('schedules seven retries with growing delays, and marks the delivery dead after the eighth attempt', () => {
    const waits = [7, 6, 5, 4, 3, 2, 1, 0].map((retriesLeft) => waitSeconds(retriesLeft, broken));
    expect(waits).toEqual([...DELAYS, undefined]);
    expect(judgeAttempt({ ...claim, retries_left: 0 }, broken, startedAt, endedAt, plain)).toMatchObject({
      status: 'dead',
      counts: true,
      next: undefined,
    });
  });

  it.each([
    ['shorter than planned', 7, 5, 10],
    ['longer than planned', 7, 90, 90],
    ['zero', 6, 0, 60],
    ['longer late in the schedule', 2, 86_400, 86_400],
    ['shorter late in the schedule', 1, 3600, 86_400],
  ])('Retry-After %s: with %i left and %i s asked for, %i s', (_what, left, asked, waited) => {
    expect(waitSeconds(left, answered(503, { retryAfterSeconds: asked }))).toBe(waited);
  });

  it('adds jitter to delays and never shortens them', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.option(fc.integer({ min: 0, max: 86_400 }), { nil: undefined }),
        (left, random, asked) => {
          const planned = Math.max(DELAYS[7 - left] ?? 0, asked ?? 0);
          const outcome = answered(503, asked === undefined ? {} : { retryAfterSeconds: asked });
          const waited = waitSeconds(left, outcome, { ...plain, random: () => random }) ?? 0;
          expect(waited).toBeGreaterThanOrEqual(planned);
          expect(waited).toBeLessThanOrEqual(planned * 1.1 + 0.001);
        },
      ),
    );
  });

  it('uses the first delay when a delivery has more retries left than the setting has delays', () => {
    expect(waitSeconds(7, broken, { delaysSeconds: [1, 2], random: () => 0 })).toBe(1);
  });
});

describe('abandonedOutcome', () => {
  it('is due again at once with the same priority, and is not counted', () => {
    const lost = { ...claim, priority: PRIORITY.manual, retries_left: 3 };
    const outcome = abandonedOutcome(lost, startedAt, endedAt, 'abandoned: the sender was lost');
    // Not a copy: a process knows its direct claims by identity.
    expect(outcome.claim).toBe(lost);
    expect(outcome).toMatchObject({
      status: 'pending',
      counts: false,
      next: { dueAt: endedAt, priority: PRIORITY.manual, retriesLeft: 3 },
      attempt: { at: startedAt.toISOString(), status_code: null, error: 'abandoned: the sender was lost' },
    });
  });
});

describe('expiredOutcome', () => {
  it('is dead without counting as a failure', () => {
    expect(expiredOutcome(claim, endedAt)).toMatchObject({ status: 'dead', counts: false, next: undefined });
  });
});
