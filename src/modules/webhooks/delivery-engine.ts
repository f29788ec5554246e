import { setTimeout as delay } from 'node:timers/promises';
import { createSteadyLoop, IDLE_LOOP_MS, type Notifier } from '../../platform/background/index.ts';
import { newId } from '../../platform/ids.ts';
import type { Sender } from '../../platform/outbound/post.ts';
import type { Platform } from '../../platform/platform.ts';
import { createWorkQueue, type Settling, type StartItems } from '../../platform/work-queue/index.ts';
import type { RecentEvents } from '../events/index.ts';
import type { ClaimLimits, OutgoingDelivery } from './claim-deliveries.ts';
import type { ClaimedDirectly, DirectLimits } from './claim-directly.ts';
import { createDirectWindow } from './direct-window.ts';
import { createInFlight } from './in-flight.ts';
import { createDeliverySender } from './send-delivery.ts';
import type { WebhookSettings } from './settings.ts';
import { settleAndClaim } from './settle-and-claim.ts';
import type { LateClaim } from './sql/direct-claims.ts';
import { isAnyQueueDue, isAnySweepDue } from './sql/due.ts';
import type { Outcome } from './sql/outcomes.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';

/** The other slots are reserved for first attempts. */
const MAX_RETRIES_IN_FLIGHT = 256;
/** With fewer free slots than this, failing receivers get none. */
const FREE_FOR_FAILING = 256;
const CLAIMED_AT_ONCE = 512;
const REST_MS = 8;
const CONTENDED_PAUSE_MS = 5;
/** At a stop, requests that have no answer by then are aborted. */
const STOP_GRACE_MS = 4_000;

export type EngineCounts = {
  attempts: number;
  delivered: number;
  failed: number;
  dead: number;
  abandoned: number;
  in_flight: number;
};

type Sending = OutgoingDelivery & { claimedAtMs: number };

/**
 * Sends what is due: claims and commits, sends, then settles under the claim. No transaction is open while a receiver answers.
 * Attempts that end together are settled together, by the transaction that claims the next ones.
 */
export function createDeliveryEngine(
  platform: Platform,
  settings: WebhookSettings,
  sender: Sender,
  notifier: Notifier,
  recent: RecentEvents,
) {
  const { sql, clock, log, duePoll } = platform;
  const counts = { attempts: 0, delivered: 0, failed: 0, dead: 0, abandoned: 0 };
  const inFlight = createInFlight();
  const abort = new AbortController();
  const direct = createDirectWindow(
    inFlight,
    (deliveries) => queue.run(deliveries),
    () => queue.wake(),
  );
  const sendDelivery = createDeliverySender(platform, settings, sender, abort.signal);

  async function claim(start: StartItems<Sending>, { outcomes, isSettlingOnly }: Settling<Outcome>): Promise<boolean> {
    const now = clock.now();
    const limits = isSettlingOnly ? undefined : claimLimits(now);
    const late = isSettlingOnly ? [] : direct.takeLate();
    if (outcomes.length === 0 && late.length === 0 && limits === undefined) return false;
    const claimedAtMs = performance.now();
    const { settled, claimed } = await settle(outcomes, late, limits, now).catch((error: unknown) => {
      // Written by itself, it will not be tried again.
      if (isSettlingOnly) for (const { claim } of outcomes) direct.forget(claim);
      throw error;
    });
    if (settled?.leftToSkip) sweeping.wake();
    start(claimed.deliveries.map((delivery) => ({ ...delivery, claimedAtMs })));
    if (claimed.isContended && claimed.deliveries.length === 0) await delay(CONTENDED_PAUSE_MS);
    return claimed.hasMore || claimed.isContended;
  }

  async function settle(outcomes: Outcome[], late: LateClaim[], limits: ClaimLimits | undefined, now: Date) {
    try {
      const done = await settleAndClaim(sql, inFlight, { outcomes, late }, limits, now, recent);
      for (const { claim } of outcomes) direct.forget(claim);
      direct.settle(late, done.settled?.logged);
      return done;
    } catch (error) {
      direct.putBack(late);
      throw error;
    }
  }

  const leaseUntil = (now: Date) => new Date(now.getTime() + settings.leaseSeconds * 1000);

  function claimLimits(now: Date): ClaimLimits | undefined {
    const freeSlots = inFlight.free();
    if (freeSlots <= 0) return undefined;
    return {
      claimId: newId(),
      now,
      leaseUntil: leaseUntil(now),
      maxItems: Math.min(CLAIMED_AT_ONCE, freeSlots),
      maxRetries: MAX_RETRIES_IN_FLIGHT - inFlight.retries(),
      freeSlots,
      includesFailing: freeSlots > FREE_FOR_FAILING,
    };
  }

  /** For deliveries that the fan-out claims for this process. On a cluster it queues them all. */
  function directLimits(now: Date): DirectLimits | undefined {
    if (sql.layout.isDistributed) return undefined;
    const claimedAtMs = performance.now();
    return { claimId: newId(), now, leaseUntil: leaseUntil(now), capacity: direct.capacity(), claimedAtMs };
  }

  async function send(delivery: Sending): Promise<Outcome> {
    const { outcome, result } = await sendDelivery(delivery, delivery.claimedAtMs).catch((error: unknown) => {
      direct.forget(delivery.claim);
      throw error;
    });
    if (result !== 'not sent') {
      counts.attempts += 1;
      counts[result] += 1;
    }
    if (result === 'failed') direct.hold(delivery.claim.subscription_id);
    if (outcome.status === 'dead') counts.dead += 1;
    return outcome;
  }

  /** Without the database they are taken over when their lease ends. */
  async function queueWaiting(): Promise<void> {
    const waiting = direct.takeWaiting();
    if (waiting.length === 0) return;
    await settle([], waiting, undefined, clock.now()).catch((error: unknown) =>
      log.warn({ err: error }, 'deliveries that wait could not be queued'),
    );
  }

  async function sweepStep(): Promise<boolean> {
    // After an outage of the database, answers that arrived meanwhile are settled first: those need not be sent again.
    if (queue.unsettled() > 0) return false;
    const { takenOver, more } = await sweepDeliveries(sql, clock.now());
    counts.abandoned += takenOver;
    if (takenOver > 0) {
      log.warn({ deliveries: takenOver }, 'took over deliveries of a lost sender');
      queue.wake();
    }
    return more;
  }

  const sweeping = createSteadyLoop({
    name: 'webhook sweep',
    log,
    everyMs: IDLE_LOOP_MS,
    due: { duePoll, isDue: isAnySweepDue },
    step: sweepStep,
  });
  const queue = createWorkQueue<Sending, Outcome>({
    name: 'webhook deliveries',
    log,
    due: { duePoll, isDue: isAnyQueueDue },
    restMs: REST_MS,
    notifier,
    claim,
    acquireSlot(delivery) {
      inFlight.add(delivery.claim);
      return () => {
        inFlight.remove(delivery.claim);
        direct.ended(delivery.claim);
      };
    },
    run: send,
    describe: (delivery) => ({ deliveryId: delivery.claim.delivery_id }),
  });

  return {
    counts: (): EngineCounts => ({ ...counts, in_flight: queue.inFlight() }),
    directLimits,
    /** Deliveries that the fan-out has claimed, after its commit. */
    send(deliveries: ClaimedDirectly['sent']) {
      if (deliveries.length > 0) direct.add(deliveries);
    },
    /** Before its log is read: what this process has sent, or is sending, is in it. */
    logOpen: direct.logOpen,
    async start() {
      sweeping.start();
      queue.start();
    },
    /** Attempts in flight are finished and settled; what is not yet claimed stays for the next process. */
    async stop(withinMs = 2 * STOP_GRACE_MS) {
      const grace = setTimeout(() => abort.abort(), Math.min(STOP_GRACE_MS, withinMs / 2));
      await queueWaiting();
      await Promise.all([sweeping.stop(), queue.stop()]);
      direct.stop();
      clearTimeout(grace);
      await sender.close();
    },
  };
}
