import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import type { PostOutcome, Sender } from '../../platform/outbound/post.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { createSteadyLoop, type WakeUp } from '../events/index.ts';
import { claimDeliveries, type Shipment } from './claim-deliveries.ts';
import { createInFlight } from './in-flight.ts';
import { abandonedOutcome, expiredOutcome, judgeAttempt } from './judge-attempt.ts';
import { settleOutcomes } from './settle-outcomes.ts';
import { signatureHeader } from './signature.ts';
import { type Claim, findLostClaims, type Parcel } from './sql/claims.ts';
import { findClosedSubscriptions, lockLanes, skipWaiting } from './sql/lanes.ts';
import type { Outcome } from './sql/outcomes.ts';
import { isRotating } from './subscription.ts';

const DEADLINE_MS = 10_000;
const MAX_IN_FLIGHT = 512;
/** The rest of the room is kept for first attempts. */
const MAX_RETRIES_IN_FLIGHT = 256;
/** Below this, what is left of the room is kept for receivers that answer. */
const FREE_FOR_FAILING = 128;
const CLAIM_AT_MOST = 128;
const SETTLE_AT_MOST = 256;
const POLL_MS = 500;
const SWEEP_EVERY_MS = 5_000;
const SWEEP_AT_MOST = 200;
const SKIP_AT_ONCE = 1_000;
const CONTENDED_PAUSE_MS = 5;
/** At a stop, receivers that have not answered by then are hung up on. */
const STOP_PATIENCE_MS = 4_000;

export type EngineCounts = {
  attempts: number;
  delivered: number;
  failed: number;
  abandoned: number;
  in_flight: number;
};

/**
 * Sends what is due: claim and commit, send, then settle under the claim. No transaction is open while a receiver
 * thinks. Attempts that end together are settled together.
 */
export function createDeliveryEngine(platform: Platform, sender: Sender, queue: WakeUp) {
  const { sql, clock, log, box, config } = platform;
  const schedule = { delaysSeconds: config.webhookRetryDelaysSeconds, random: Math.random };
  const leaseMs = config.webhookLeaseSeconds * 1000;
  // Half of what the lease leaves beside the deadline; the other half is for an answer that is late in being settled.
  const sendWithinMs = (leaseMs - DEADLINE_MS) / 2;
  const counts = { attempts: 0, delivered: 0, failed: 0, abandoned: 0 };
  const inFlight = createInFlight();
  const openSecret = rememberOpened(box);
  const sending = new Set<Promise<void>>();
  const ended: Outcome[] = [];
  const stopping = new AbortController();

  async function claimStep(): Promise<boolean> {
    const free = MAX_IN_FLIGHT - inFlight.total();
    if (free <= 0) return false;
    const now = clock.now();
    const askedAtMs = performance.now();
    const { shipments, more, contended } = await claimDeliveries(sql, inFlight, {
      claimId: newId(),
      now,
      leaseUntil: new Date(now.getTime() + leaseMs),
      room: Math.min(CLAIM_AT_MOST, free),
      retryRoom: MAX_RETRIES_IN_FLIGHT - inFlight.retries(),
      free,
      failingToo: free > FREE_FOR_FAILING,
    });
    for (const shipment of shipments) start(shipment, askedAtMs);
    if (contended && shipments.length === 0) await delay(CONTENDED_PAUSE_MS);
    return more || contended;
  }

  function start({ claim, parcel }: Shipment, askedAtMs: number): void {
    inFlight.add(claim);
    const attempt = send(claim, parcel, askedAtMs).finally(() => {
      sending.delete(attempt);
      inFlight.remove(claim);
      settling.wake();
    });
    sending.add(attempt);
  }

  async function send(claim: Claim, parcel: Parcel | undefined, askedAtMs: number): Promise<void> {
    const startedAt = clock.now();
    const giveBack = (reason: string) =>
      ended.push(abandonedOutcome({ ...claim, claimed_at: startedAt }, clock.now(), reason));
    if (parcel === undefined || parcel.body === null) {
      ended.push(expiredOutcome(claim, startedAt));
      return;
    }
    // A process that was held up for so long could still be sending when another takes the delivery over.
    if (performance.now() - askedAtMs > sendWithinMs) {
      giveBack('not sent: the claim was too old');
      return;
    }
    const outcome = await post(claim, parcel, parcel.body, startedAt);
    if (stopping.signal.aborted && outcome.error === 'aborted') {
      giveBack('abandoned: the service was stopped');
      return;
    }
    counts.attempts += 1;
    if (outcome.ok) counts.delivered += 1;
    else counts.failed += 1;
    ended.push(judgeAttempt(claim, outcome, startedAt, clock.now(), schedule));
  }

  function post(claim: Claim, parcel: Parcel, body: string, now: Date): Promise<PostOutcome> {
    const timestampSeconds = Math.floor(now.getTime() / 1000);
    const secrets = [openSecret(parcel.secret)];
    if (parcel.previous_secret !== null && isRotating(parcel, now)) secrets.push(openSecret(parcel.previous_secret));
    return sender.post({
      url: parcel.url,
      body,
      deadlineMs: DEADLINE_MS,
      signal: stopping.signal,
      lane: claim.subscription_id,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'dukkan-webhooks',
        'webhook-id': parcel.event_id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': signatureHeader({ id: parcel.event_id, timestampSeconds, body, secrets }),
        'x-svc-event-type': parcel.event_type,
        'x-svc-organization-id': claim.organization_id,
      },
    });
  }

  async function settleStep(): Promise<boolean> {
    const batch = ended.splice(0, SETTLE_AT_MOST);
    if (batch.length === 0) return false;
    try {
      const { leftToSkip } = await settleOutcomes(sql, batch, clock.now());
      if (leftToSkip) sweeping.wake();
    } catch (error) {
      // Kept until the database is back; should this process die first, the leases run out and say so.
      ended.unshift(...batch);
      throw error;
    }
    claiming.wake();
    return ended.length > 0;
  }

  /** Deliveries whose sender died go back to the queue, with a trace in the log. */
  async function sweepStep(): Promise<boolean> {
    // After an outage of the database, what was answered meanwhile is settled first: it need not be sent again.
    if (ended.length > 0) return false;
    const now = clock.now();
    const lost = await findLostClaims(sql, now, SWEEP_AT_MOST);
    if (lost.length > 0) {
      const outcomes = lost.map((claim) => abandonedOutcome(claim, now, 'abandoned: the sender was lost'));
      const { settled } = await settleOutcomes(sql, outcomes, now);
      counts.abandoned += settled;
      if (settled > 0) log.warn({ deliveries: settled }, 'took over deliveries of a lost sender');
      claiming.wake();
    }
    const skipped = await skipClosed();
    return lost.length === SWEEP_AT_MOST || skipped > 0;
  }

  /** What disabled subscriptions still had waiting, a few at a time: a long backlog holds nobody up. */
  async function skipClosed(): Promise<number> {
    let skipped = 0;
    for (const subscriptionId of await findClosedSubscriptions(sql, 20)) {
      skipped += await inTransaction(sql, async (tx) => {
        await lockLanes(tx, [subscriptionId]);
        return skipWaiting(tx, subscriptionId, SKIP_AT_ONCE);
      });
    }
    return skipped;
  }

  const loop = (name: string, everyMs: number, step: () => Promise<boolean>) =>
    createSteadyLoop({ name: `webhook ${name}`, log, everyMs, step });
  const claiming = loop('claims', POLL_MS, claimStep);
  const settling = loop('outcomes', POLL_MS, settleStep);
  const sweeping = loop('sweep', SWEEP_EVERY_MS, sweepStep);
  let stopListening: (() => void) | undefined;

  return {
    counts: (): EngineCounts => ({ ...counts, in_flight: inFlight.total() }),
    wake: claiming.wake,
    async start() {
      stopListening = queue.onRing(claiming.wake);
      settling.start();
      sweeping.start();
      claiming.start();
    },
    /** What is under way is finished and settled; what is not yet sent waits for the next process. */
    async stop() {
      stopListening?.();
      await Promise.all([claiming.stop(), sweeping.stop()]);
      const patience = setTimeout(() => stopping.abort(), STOP_PATIENCE_MS);
      await Promise.allSettled(sending);
      clearTimeout(patience);
      await settling.stop();
      while (await settleStep().catch(() => false)) {}
      await sender.close();
    },
  };
}

const MAX_OPENED = 1_000;

/** Opening takes 25 us of an attempt of about 250, and a busy subscription would have it opened thousands of times. */
function rememberOpened(box: SecretBox): (sealed: Buffer) => string {
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
