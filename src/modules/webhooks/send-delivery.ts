import type { PostOutcome, Sender } from '../../platform/outbound/post.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { OutgoingDelivery } from './claim-deliveries.ts';
import { steadyHeaders } from './delivery.ts';
import { abandonedOutcome, expiredOutcome, judgeAttempt } from './judge-attempt.ts';
import type { WebhookSettings } from './settings.ts';
import { signatureHeader } from './signature.ts';
import type { Target } from './sql/claims.ts';
import type { Outcome } from './sql/outcomes.ts';
import { isRotating } from './subscription.ts';

const DEADLINE_MS = 10_000;

export type Sent = { outcome: Outcome; result: 'delivered' | 'failed' | 'not sent' };

/** Sends one claimed delivery. Failures are part of the outcome. */
export function createDeliverySender(
  { clock, box, log }: Platform,
  settings: WebhookSettings,
  sender: Sender,
  abort: AbortSignal,
) {
  const schedule = { delaysSeconds: settings.retryDelaysSeconds, random: Math.random };
  // Half of the lease without the deadline; the other half is for an answer that is settled late.
  const sendWithinMs = (settings.leaseSeconds * 1000 - DEADLINE_MS) / 2;
  const openSecret = cacheOpened(box);

  return async function sendDelivery({ claim, body, target }: OutgoingDelivery, claimedAtMs: number): Promise<Sent> {
    const startedAt = clock.now();
    const unsent = (reason: string): Sent => ({
      outcome: abandonedOutcome(claim, startedAt, clock.now(), reason),
      result: 'not sent',
    });
    if (target === undefined || body === undefined) {
      return { outcome: expiredOutcome(claim, startedAt), result: 'not sent' };
    }
    // A process that was blocked for this long could still be sending when another takes the delivery over.
    if (performance.now() - claimedAtMs > sendWithinMs) return unsent('not sent: the claim was too old');
    const answer = await post(claim, target, body, startedAt);
    if (abort.aborted && answer.error === 'aborted') return unsent('abandoned: the service was stopped');
    return {
      outcome: judgeAttempt(claim, answer, startedAt, clock.now(), schedule),
      result: answer.ok ? 'delivered' : 'failed',
    };
  };

  async function post(claim: OutgoingDelivery['claim'], target: Target, body: Buffer, now: Date): Promise<PostOutcome> {
    const { event_id: id } = claim;
    const timestampSeconds = Math.floor(now.getTime() / 1000);
    let secrets: string[];
    try {
      secrets = [openSecret(target.secret)];
      if (target.previous_secret !== null && isRotating(target, now)) secrets.push(openSecret(target.previous_secret));
    } catch (error) {
      log.error(
        { err: error, subscriptionId: target.id },
        'a webhook secret cannot be opened: is DUKKAN_SECRET the same?',
      );
      return { ok: false, statusCode: undefined, error: 'not signed', durationMs: 0, responseExcerpt: '' };
    }
    return sender.post({
      url: target.url,
      body,
      deadlineMs: DEADLINE_MS,
      signal: abort,
      isolationKey: target.id,
      headers: {
        ...steadyHeaders(claim),
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': signatureHeader({ id, timestampSeconds, body, secrets }),
      },
    });
  }
}

const MAX_OPENED = 1_000;

/** Decryption takes 25 us of an attempt of about 220, and a busy subscription would decrypt its secret thousands of times. */
function cacheOpened(box: SecretBox): (sealed: Buffer) => string {
  const opened = new Map<string, string>();
  return (sealed) => {
    const key = sealed.toString('latin1');
    const known = opened.get(key);
    if (known !== undefined) return known;
    if (opened.size >= MAX_OPENED) opened.clear();
    const secret = box.open(sealed);
    opened.set(key, secret);
    return secret;
  };
}
