import { createHash } from 'node:crypto';
import type { LocalReceiver } from '../modules/webhooks/index.ts';

/** Of a top-level domain that is reserved for examples, so that no real receiver is hidden. */
const RECEIVERS = /^https:\/\/erp\.(?:najd|tihama)\.example\//;
const FAILING_EVERY = 12;
/** Shorter than the first retry delay: the second attempt is answered. */
const BUSY_MS = 8_000;

/**
 * The receiver of the demo's webhooks. It accepts everything, but for the first attempt of every twelfth event: those get a 503 and are
 * delivered by the retry.
 */
export const demoReceiver: LocalReceiver = ({ url, headers, body }, now) => {
  if (!RECEIVERS.test(url)) return undefined;
  const hash = hashOf(headers['webhook-id'] ?? '');
  const durationMs = 25 + (hash % 160);
  if (hash % FAILING_EVERY === 0 && now.getTime() - occurredAtMs(body) < BUSY_MS) {
    return { ok: false, statusCode: 503, error: undefined, durationMs, responseExcerpt: 'ERP is busy, try again' };
  }
  return { ok: true, statusCode: 200, error: undefined, durationMs, responseExcerpt: '{"received":true}' };
};

/** A whole number that is the same for the same event. */
export function hashOf(eventId: string): number {
  return createHash('sha256').update(eventId).digest().readUInt32BE();
}

function occurredAtMs(body: string | Buffer): number {
  const text = /"occurred_at":"([^"]+)"/.exec(body.toString().slice(0, 400))?.[1];
  return text === undefined ? 0 : Date.parse(text);
}
