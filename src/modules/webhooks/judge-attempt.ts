import type { PostOutcome } from '../../platform/outbound/post.ts';
import { retryDelayMs } from '../../platform/work-queue/index.ts';
import { type Attempt, type DeliveryStatus, PRIORITY } from './delivery.ts';
import type { Claim } from './sql/claims.ts';
import type { Outcome } from './sql/outcomes.ts';

export type Schedule = { delaysSeconds: readonly number[]; random(): number };

const GONE = 410;
/** Delays grow by up to a tenth, so that a receiver that recovers does not get all retries in the same second. */
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
  const waitMs = delayMsOf(claim, outcome, schedule);
  return {
    ...settled('pending'),
    next: {
      dueAt: new Date(endedAt.getTime() + waitMs),
      priority: PRIORITY.retry,
      retriesLeft: claim.retries_left - 1,
    },
  };
}

function delayMsOf(claim: Claim, outcome: PostOutcome, { delaysSeconds, random }: Schedule): number {
  // Deliveries queued before the setting changed may have more retries left than there are delays.
  const attempt = Math.max(1, delaysSeconds.length - claim.retries_left + 1);
  const schedule = { delaysMs: delaysSeconds.map((seconds) => seconds * 1000), maxAttempts: Number.POSITIVE_INFINITY };
  const plannedMs = retryDelayMs(schedule, attempt) ?? 0;
  // Retry-After lengthens the delay and never shortens it.
  const delayMs = Math.max(plannedMs, (outcome.retryAfterSeconds ?? 0) * 1000);
  return Math.ceil(delayMs * (1 + random() * JITTER));
}

export function isGone(attempt: Attempt): boolean {
  return attempt.status_code === GONE;
}

/** The outcome is unknown, or the request was never sent. It is sent again at once; the log keeps the attempt. */
export function abandonedOutcome(claim: Claim, startedAt: Date, now: Date, error: string): Outcome {
  return {
    claim,
    attempt: notAnswered(startedAt, error),
    counts: false,
    status: 'pending',
    endedAt: now,
    next: { dueAt: now, priority: claim.priority, retriesLeft: claim.retries_left },
  };
}

/** The event passed its retention while its delivery was waiting. The receiver is not counted as failing. */
export function expiredOutcome(claim: Claim, now: Date): Outcome {
  const attempt = notAnswered(now, 'not sent: the event is no longer kept');
  return { claim, attempt, counts: false, status: 'dead', endedAt: now, next: undefined };
}

function notAnswered(at: Date, error: string): Attempt {
  return { at: at.toISOString(), status_code: null, error, duration_ms: 0, response_excerpt: '' };
}
