import type { PostOutcome } from '../../platform/outbound/post.ts';
import { type Attempt, type DeliveryStatus, LANE } from './delivery.ts';
import type { Claim } from './sql/claims.ts';
import type { LostClaim } from './sql/leases.ts';
import type { Outcome } from './sql/outcomes.ts';

export type Schedule = { delaysSeconds: readonly number[]; random(): number };

const GONE = 410;
/** Waits grow by up to a tenth, so that a receiver that comes back is not met by everyone in the same second. */
const JITTER = 0.1;

function attemptEntry(outcome: PostOutcome, startedAt: Date): Attempt {
  return {
    at: startedAt.toISOString(),
    status_code: outcome.statusCode ?? null,
    error: outcome.ok ? '' : (outcome.error ?? `status ${outcome.statusCode}`),
    duration_ms: Math.round(outcome.durationMs),
    response_excerpt: outcome.responseExcerpt,
  };
}

/** What becomes of a delivery after an attempt. */
export function judgeAttempt(
  claim: Claim,
  outcome: PostOutcome,
  startedAt: Date,
  endedAt: Date,
  schedule: Schedule,
): Outcome {
  const attempt = attemptEntry(outcome, startedAt);
  const settled = (status: DeliveryStatus): Outcome => ({
    claim,
    attempt,
    counts: true,
    status,
    endedAt,
    next: undefined,
  });
  if (outcome.ok) return settled('delivered');
  if (claim.retries_left <= 0) return settled('dead');
  const waitMs = retryDelayMs(claim, outcome, schedule);
  return {
    ...settled('pending'),
    next: { dueAt: new Date(endedAt.getTime() + waitMs), lane: LANE.retry, retriesLeft: claim.retries_left - 1 },
  };
}

function retryDelayMs(claim: Claim, outcome: PostOutcome, { delaysSeconds, random }: Schedule): number {
  const step = Math.max(0, delaysSeconds.length - claim.retries_left);
  const plannedSeconds = delaysSeconds[step] ?? delaysSeconds.at(-1) ?? 0;
  // A receiver may ask for more time, never for less.
  const seconds = Math.max(plannedSeconds, outcome.retryAfterSeconds ?? 0);
  return Math.ceil(seconds * 1000 * (1 + random() * JITTER));
}

export function isGone(attempt: Attempt): boolean {
  return attempt.status_code === GONE;
}

/** Nobody can say how it went, or it never left. It is sent again at once; the log keeps the trace. */
export function abandonedOutcome(claim: LostClaim, now: Date, error: string): Outcome {
  return {
    claim,
    attempt: notAnswered(claim.claimed_at, error),
    counts: false,
    status: 'pending',
    endedAt: now,
    next: { dueAt: now, lane: claim.lane, retriesLeft: claim.retries_left },
  };
}

/** The event has passed its days while its delivery was held back. No fault of the receiver's. */
export function expiredOutcome(claim: Claim, now: Date): Outcome {
  const attempt = notAnswered(now, 'not sent: the event is no longer kept');
  return { claim, attempt, counts: false, status: 'dead', endedAt: now, next: undefined };
}

function notAnswered(at: Date, error: string): Attempt {
  return { at: at.toISOString(), status_code: null, error, duration_ms: 0, response_excerpt: '' };
}
