import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import type { PostOutcome, Sender } from '../../platform/outbound/post.ts';
import type { Platform } from '../../platform/platform.ts';
import { createSteadyLoop, type WakeUp } from '../events/index.ts';
import { LANE } from './delivery.ts';
import { abandonedOutcome, judgeAttempt } from './judge-attempt.ts';
import { settleOutcomes, settleOutcomesIn } from './settle-outcomes.ts';
import { signatureHeader } from './signature.ts';
import { type Claim, claimDue, lockExpiredClaims, type Parcel, readParcels } from './sql/claims.ts';
import type { Outcome } from './sql/outcomes.ts';
import { isRotating } from './subscription.ts';

const DEADLINE_MS = 10_000;
/** Well past the deadline: a lease that runs out belongs to a process that is gone. */
const LEASE_MS = 30_000;
const MAX_IN_FLIGHT = 256;
/** The rest of the room is kept for first attempts. */
const MAX_RETRIES_IN_FLIGHT = 128;
const CLAIM_AT_MOST = 64;
const POLL_MS = 500;
const SWEEP_EVERY_MS = 5_000;
/** At a stop, receivers that have not answered by then are hung up on. */
const STOP_PATIENCE_MS = 4_000;

export type EngineCounts = { attempts: number; delivered: number; failed: number; abandoned: number; inFlight: number };

/**
 * Sends what is due: claim and commit, send, then settle under the claim. No transaction is open while a receiver
 * thinks. Attempts that end together are settled together.
 */
export function createDeliveryEngine(platform: Platform, sender: Sender, queue: WakeUp) {
  const { sql, clock, log, box, config } = platform;
  const schedule = { delaysSeconds: config.webhookRetryDelaysSeconds, random: Math.random };
  const counts: EngineCounts = { attempts: 0, delivered: 0, failed: 0, abandoned: 0, inFlight: 0 };
  const sending = new Set<Promise<void>>();
  const ended: Outcome[] = [];
  let retriesInFlight = 0;
  let sweptAtMs = 0;
  const stopping = new AbortController();

  async function claimStep(): Promise<boolean> {
    if (performance.now() - sweptAtMs > SWEEP_EVERY_MS) {
      sweptAtMs = performance.now();
      await sweepStep();
    }
    const room = Math.min(CLAIM_AT_MOST, MAX_IN_FLIGHT - counts.inFlight);
    if (room <= 0) return false;
    const now = clock.now();
    const claims = await inTransaction(sql, (tx) =>
      claimDue(tx, {
        claimId: newId(),
        now,
        leaseUntil: new Date(now.getTime() + LEASE_MS),
        room,
        retriesToo: retriesInFlight < MAX_RETRIES_IN_FLIGHT,
      }),
    );
    if (claims.length === 0) return false;
    for (const claim of claims) track(claim, 1);
    const parcels = new Map((await readParcels(sql, claims)).map((parcel) => [parcel.delivery_id, parcel]));
    for (const claim of claims) {
      const attempt = send(claim, parcels.get(claim.delivery_id)).finally(() => {
        sending.delete(attempt);
        track(claim, -1);
        settling.wake();
        claiming.wake();
      });
      sending.add(attempt);
    }
    return claims.length === room;
  }

  function track(claim: Claim, by: 1 | -1): void {
    counts.inFlight += by;
    if (claim.lane === LANE.retry) retriesInFlight += by;
  }

  async function send(claim: Claim, parcel: Parcel | undefined): Promise<void> {
    const startedAt = clock.now();
    const outcome =
      parcel === undefined || parcel.body === null ? NOTHING_TO_SEND : await post(claim, parcel, startedAt);
    if (stopping.signal.aborted && outcome.error === 'aborted') {
      const now = clock.now();
      ended.push(abandonedOutcome({ ...claim, claimed_at: startedAt }, now, 'abandoned: the service was stopped'));
      return;
    }
    counts.attempts += 1;
    if (outcome.ok) counts.delivered += 1;
    else counts.failed += 1;
    const final = outcome === NOTHING_TO_SEND ? { ...claim, retries_left: 0 } : claim;
    ended.push(judgeAttempt(final, outcome, startedAt, clock.now(), schedule));
  }

  function post(claim: Claim, parcel: Parcel, now: Date): Promise<PostOutcome> {
    const body = parcel.body ?? '';
    const timestampSeconds = Math.floor(now.getTime() / 1000);
    const secrets = [box.open(parcel.secret)];
    if (parcel.previous_secret !== null && isRotating(parcel, now)) secrets.push(box.open(parcel.previous_secret));
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
    const batch = ended.splice(0, 256);
    if (batch.length === 0) return false;
    try {
      await settleOutcomes(sql, batch, clock.now());
    } catch (error) {
      // Kept until the database is back; should this process die first, the leases run out and say so.
      ended.unshift(...batch);
      throw error;
    }
    claiming.wake();
    return ended.length > 0;
  }

  /** Deliveries whose sender died go back to the queue, with a trace in the log. */
  async function sweepStep(): Promise<void> {
    const now = clock.now();
    const swept = await inTransaction(sql, async (tx) => {
      const claims = await lockExpiredClaims(tx, now, 200);
      if (claims.length > 0)
        await settleOutcomesIn(
          tx,
          claims.map((claim) => abandonedOutcome(claim, now)),
          now,
        );
      return claims.length;
    });
    counts.abandoned += swept;
    if (swept > 0) log.warn({ deliveries: swept }, 'took over deliveries of a lost sender');
  }

  const claiming = createSteadyLoop({ name: 'webhook claims', log, everyMs: POLL_MS, step: claimStep });
  const settling = createSteadyLoop({ name: 'webhook outcomes', log, everyMs: POLL_MS, step: settleStep });
  let stopListening: (() => void) | undefined;

  return {
    counts: () => ({ ...counts }),
    wake: claiming.wake,
    async start() {
      stopListening = queue.onRing(claiming.wake);
      settling.start();
      claiming.start();
    },
    /** What is under way is finished and settled; what is not yet sent waits for the next process. */
    async stop() {
      stopListening?.();
      await claiming.stop();
      const patience = setTimeout(() => stopping.abort(), STOP_PATIENCE_MS);
      await Promise.allSettled(sending);
      clearTimeout(patience);
      await settling.stop();
      while (await settleStep().catch(() => false)) {}
      await sender.close();
    },
  };
}

const NOTHING_TO_SEND: PostOutcome = {
  ok: false,
  statusCode: undefined,
  error: 'the event is no longer kept',
  durationMs: 0,
  responseExcerpt: '',
};
