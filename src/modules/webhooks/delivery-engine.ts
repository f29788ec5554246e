import { setTimeout as delay, setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { classifyDatabaseError } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import type { Sender } from '../../platform/outbound/post.ts';
import type { Platform } from '../../platform/platform.ts';
import { createSteadyLoop, type WakeUp } from '../events/index.ts';
import type { Shipment, Wanted } from './claim-deliveries.ts';
import { createInFlight } from './in-flight.ts';
import { createDeliverySender } from './send-delivery.ts';
import type { Outcome } from './sql/outcomes.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';
import { type Turn, takeTurn } from './take-turn.ts';

const MAX_IN_FLIGHT = 1024;
/** The rest of the room is kept for first attempts. */
const MAX_RETRIES_IN_FLIGHT = 256;
/** Below this, what is left of the room is kept for receivers that answer. */
const FREE_FOR_FAILING = 128;
const CLAIM_AT_MOST = 256;
const SETTLE_AT_MOST = 256;
const STARTED_AT_ONCE = 8;
const POLL_MS = 500;
const SWEEP_EVERY_MS = 5_000;
const CONTENDED_PAUSE_MS = 5;
/** At a stop, receivers that have not answered by then are hung up on. */
const STOP_PATIENCE_MS = 4_000;

export type EngineCounts = {
  attempts: number;
  delivered: number;
  failed: number;
  dead: number;
  abandoned: number;
  in_flight: number;
};

/**
 * Sends what is due: claim and commit, send, then settle under the claim. No transaction is open while a receiver
 * thinks. Attempts that end together are settled together, by the same transaction that claims what comes next.
 */
export function createDeliveryEngine(platform: Platform, sender: Sender, queue: WakeUp) {
  const { sql, clock, log, config } = platform;
  const counts = { attempts: 0, delivered: 0, failed: 0, dead: 0, abandoned: 0 };
  const inFlight = createInFlight();
  const ended: Outcome[] = [];
  const hangUp = new AbortController();
  const sendDelivery = createDeliverySender(platform, sender, hangUp.signal);
  let claimsNoMore = false;
  let idle = Promise.withResolvers<void>();

  async function turnStep(): Promise<boolean> {
    const outcomes = ended.splice(0, SETTLE_AT_MOST);
    const now = clock.now();
    const wanted = whatToClaim(now);
    if (outcomes.length === 0 && wanted === undefined) return false;
    const claimedAtMs = performance.now();
    const { settled, claimed } = await takeTurn(sql, inFlight, outcomes, wanted, now).catch((error: unknown) =>
      keepOutcomes(outcomes, error),
    );
    if (settled?.leftToSkip) sweeping.wake();
    void startAll(claimed.shipments, claimedAtMs);
    if (claimed.contended && claimed.shipments.length === 0) await delay(CONTENDED_PAUSE_MS);
    return claimed.more || claimed.contended || ended.length > 0;
  }

  function whatToClaim(now: Date): Wanted | undefined {
    const free = MAX_IN_FLIGHT - inFlight.total();
    if (claimsNoMore || free <= 0) return undefined;
    return {
      claimId: newId(),
      now,
      leaseUntil: new Date(now.getTime() + config.webhookLeaseSeconds * 1000),
      room: Math.min(CLAIM_AT_MOST, free),
      retryRoom: MAX_RETRIES_IN_FLIGHT - inFlight.retries(),
      free,
      failingToo: free > FREE_FOR_FAILING,
    };
  }

  /** Until the database is back; should this process die first, the leases run out and say so. */
  async function keepOutcomes(outcomes: Outcome[], error: unknown): Promise<Turn> {
    const { kind } = classifyDatabaseError(error);
    if (kind === 'unavailable' || kind === 'retry') ended.unshift(...outcomes);
    else await settleOneByOne(outcomes);
    throw error;
  }

  /** One outcome that cannot be written must not hold up the others for ever. Its lease runs out, and it is sent again. */
  async function settleOneByOne(outcomes: Outcome[]): Promise<void> {
    for (const outcome of outcomes) {
      await takeTurn(sql, inFlight, [outcome], undefined, clock.now()).catch((error: unknown) =>
        log.error({ err: error, deliveryId: outcome.claim.delivery_id }, 'the outcome of a webhook cannot be written'),
      );
    }
  }

  /** In slices: a hundred signed and sent in one go would keep the database waiting for its next statement. */
  async function startAll(shipments: Shipment[], claimedAtMs: number): Promise<void> {
    for (const { claim } of shipments) inFlight.add(claim);
    for (const [index, shipment] of shipments.entries()) {
      if (index > 0 && index % STARTED_AT_ONCE === 0) await nextTurnOfTheLoop();
      void start(shipment, claimedAtMs);
    }
  }

  async function start(shipment: Shipment, claimedAtMs: number): Promise<void> {
    try {
      const { outcome, result } = await sendDelivery(shipment, claimedAtMs);
      ended.push(outcome);
      if (result !== 'not sent') {
        counts.attempts += 1;
        counts[result] += 1;
      }
      if (outcome.status === 'dead') counts.dead += 1;
    } catch (error) {
      log.error({ err: error }, 'a webhook could not be sent; its lease will run out');
    }
    inFlight.remove(shipment.claim);
    if (inFlight.total() === 0) idle.resolve();
    turning.wake();
  }

  async function sweepStep(): Promise<boolean> {
    // After an outage of the database, what was answered meanwhile is settled first: it need not be sent again.
    if (ended.length > 0) return false;
    const { takenOver, more } = await sweepDeliveries(sql, clock.now());
    counts.abandoned += takenOver;
    if (takenOver > 0) {
      log.warn({ deliveries: takenOver }, 'took over deliveries of a lost sender');
      turning.wake();
    }
    return more;
  }

  async function allSent(): Promise<void> {
    while (inFlight.total() > 0) {
      idle = Promise.withResolvers();
      await idle.promise;
    }
  }

  const turning = createSteadyLoop({ name: 'webhook turns', log, everyMs: POLL_MS, step: turnStep });
  const sweeping = createSteadyLoop({ name: 'webhook sweep', log, everyMs: SWEEP_EVERY_MS, step: sweepStep });
  let stopListening: (() => void) | undefined;

  return {
    counts: (): EngineCounts => ({ ...counts, in_flight: inFlight.total() }),
    async start() {
      stopListening = queue.onRing(turning.wake);
      sweeping.start();
      turning.start();
    },
    /** What is under way is finished and settled; what is not yet sent waits for the next process. */
    async stop() {
      stopListening?.();
      claimsNoMore = true;
      await sweeping.stop();
      const patience = setTimeout(() => hangUp.abort(), STOP_PATIENCE_MS);
      await allSent();
      await turning.stop();
      // A turn that was under way may have brought the last ones.
      await allSent();
      clearTimeout(patience);
      while (await turnStep().catch(() => false)) {}
      await sender.close();
    },
  };
}
