import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { createSteadyLoop, type Notifier } from '../../platform/background/index.ts';
import { newId } from '../../platform/ids.ts';
import type { Sender } from '../../platform/outbound/post.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Shipment, Wanted } from './claim-deliveries.ts';
import { createDeliveryTurns, type DeliveryTurns } from './delivery-turns.ts';
import { createInFlight } from './in-flight.ts';
import { createDeliverySender } from './send-delivery.ts';
import type { WebhookSettings } from './settings.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

const MAX_IN_FLIGHT = 2048;
/** The rest of the room is kept for first attempts. */
const MAX_RETRIES_IN_FLIGHT = 256;
/** Below this, what is left of the room is kept for receivers that answer. */
const FREE_FOR_FAILING = 256;
const CLAIM_AT_MOST = 512;
const STARTED_AT_ONCE = 8;
const SWEEP_EVERY_MS = 5_000;
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
export function createDeliveryEngine(platform: Platform, settings: WebhookSettings, sender: Sender, queue: Notifier) {
  const { sql, clock, log } = platform;
  const counts = { attempts: 0, delivered: 0, failed: 0, dead: 0, abandoned: 0 };
  const inFlight = createInFlight();
  const hangUp = new AbortController();
  const sendDelivery = createDeliverySender(platform, settings, sender, hangUp.signal);
  let claimsNoMore = false;
  let idle = Promise.withResolvers<void>();

  const turns: DeliveryTurns = createDeliveryTurns(platform, {
    inFlight,
    whatToClaim,
    onClaimed(shipments, claimedAtMs) {
      for (const { claim } of shipments) inFlight.add(claim);
      void startAll(shipments, claimedAtMs);
    },
    onLeftToSkip: () => sweeping.wake(),
  });

  function whatToClaim(now: Date): Wanted | undefined {
    const free = MAX_IN_FLIGHT - inFlight.total();
    if (claimsNoMore || free <= 0) return undefined;
    return {
      claimId: newId(),
      now,
      leaseUntil: new Date(now.getTime() + settings.leaseSeconds * 1000),
      room: Math.min(CLAIM_AT_MOST, free),
      retryRoom: MAX_RETRIES_IN_FLIGHT - inFlight.retries(),
      free,
      failingToo: free > FREE_FOR_FAILING,
    };
  }

  /** In slices: a hundred signed and sent in one go would keep the database waiting for its next statement. */
  async function startAll(shipments: Shipment[], claimedAtMs: number): Promise<void> {
    for (const [index, shipment] of shipments.entries()) {
      if (index > 0 && index % STARTED_AT_ONCE === 0) await nextTurnOfTheLoop();
      void start(shipment, claimedAtMs);
    }
  }

  async function start(shipment: Shipment, claimedAtMs: number): Promise<void> {
    try {
      const { outcome, result } = await sendDelivery(shipment, claimedAtMs);
      turns.take(outcome);
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
    turns.wake();
  }

  async function sweepStep(): Promise<boolean> {
    // After an outage of the database, what was answered meanwhile is settled first: it need not be sent again.
    if (turns.waiting() > 0) return false;
    const { takenOver, more } = await sweepDeliveries(sql, clock.now());
    counts.abandoned += takenOver;
    if (takenOver > 0) {
      log.warn({ deliveries: takenOver }, 'took over deliveries of a lost sender');
      turns.wake();
    }
    return more;
  }

  async function allSent(): Promise<void> {
    while (inFlight.total() > 0) {
      idle = Promise.withResolvers();
      await idle.promise;
    }
  }

  const sweeping = createSteadyLoop({ name: 'webhook sweep', log, everyMs: SWEEP_EVERY_MS, step: sweepStep });
  let stopListening: (() => void) | undefined;

  return {
    counts: (): EngineCounts => ({ ...counts, in_flight: inFlight.total() }),
    async start() {
      stopListening = queue.onNotify(turns.wake);
      sweeping.start();
      turns.start();
    },
    /** What is under way is finished and settled; what is not yet sent waits for the next process. */
    async stop(withinMs = 2 * STOP_PATIENCE_MS) {
      stopListening?.();
      claimsNoMore = true;
      await sweeping.stop();
      const patience = setTimeout(() => hangUp.abort(), Math.min(STOP_PATIENCE_MS, withinMs / 2));
      await allSent();
      await turns.stop();
      // A turn that was under way may have brought the last ones.
      await allSent();
      clearTimeout(patience);
      await turns.settleRest();
      await sender.close();
    },
  };
}
