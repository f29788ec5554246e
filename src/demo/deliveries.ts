import { listSubscriptions, type PastAttempts, recordPastDeliveries } from '../modules/webhooks/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { DemoLogins } from './logins.ts';
import { hashOf } from './receiver.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const LOGGED_MS = 2 * DAY_MS;
/** The receiver was down for a while yesterday: what was sent then is dead, and some of it was replayed. */
const DOWN_FROM_MS = 27 * HOUR_MS;
const DOWN_TO_MS = 26.5 * HOUR_MS;
const REPLAYED_MS = 20 * HOUR_MS;
/** Seconds after the first attempt. */
const RETRIED_AFTER_SECONDS = [0, 10, 70, 370, 2170, 9370];

/** The log of the last two days. Called once the events have their positions. */
export async function seedDeliveries(
  { sql, clock }: Pick<Platform, 'sql' | 'clock'>,
  logins: DemoLogins | undefined,
): Promise<void> {
  const now = clock.now();
  for (const { id: organizationId } of logins?.organizations ?? []) {
    const [subscription] = await listSubscriptions(sql, organizationId);
    if (subscription === undefined) continue;
    const since = new Date(now.getTime() - LOGGED_MS);
    await recordPastDeliveries(sql, { organizationId, id: subscription.id }, since, (event) =>
      attemptsOf(event.event_id, event.occurred_at.getTime(), now.getTime()),
    );
  }
}

export function attemptsOf(eventId: string, occurredMs: number, nowMs: number): PastAttempts {
  const hash = hashOf(eventId);
  const attempt = (atMs: number, status_code: number) => ({
    at: new Date(Math.min(atMs, nowMs)).toISOString(),
    status_code,
    error: status_code === 200 ? '' : `status ${status_code}`,
    duration_ms: 25 + (hash % 160),
    response_excerpt: status_code === 200 ? '{"received":true}' : 'ERP is down for maintenance',
  });
  const agoMs = nowMs - occurredMs;
  if (agoMs < DOWN_FROM_MS && agoMs > DOWN_TO_MS) {
    const failed = RETRIED_AFTER_SECONDS.map((seconds) => attempt(occurredMs + seconds * 1000, 503));
    if (hash % 2 === 0) return { isDead: true, attempts: failed };
    return { isDead: false, attempts: [...failed, attempt(nowMs - REPLAYED_MS, 200)] };
  }
  if (hash % 15 === 0) {
    return { isDead: false, attempts: [attempt(occurredMs, 503), attempt(occurredMs + 10_400, 200)] };
  }
  return { isDead: false, attempts: [attempt(occurredMs, 200)] };
}
