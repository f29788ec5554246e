import { setTimeout as delay } from 'node:timers/promises';
import { createSteadyLoop } from '../../platform/background/index.ts';
import { classifyDatabaseError } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Shipment, Wanted } from './claim-deliveries.ts';
import type { InFlight } from './in-flight.ts';
import type { Outcome } from './sql/outcomes.ts';
import { takeTurn } from './take-turn.ts';

const SETTLE_AT_MOST = 512;
const POLL_MS = 500;
const CONTENDED_PAUSE_MS = 5;

export type DeliveryTurns = {
  wake(): void;
  start(): void;
  /** The turn under way is finished, and no further one begun. */
  stop(): Promise<void>;
  /** An attempt has ended, and waits to be settled. */
  take(outcome: Outcome): void;
  waiting(): number;
  /** After the stop: settles what is left, if the database lets it. */
  settleRest(): Promise<void>;
};

export type TurnsWork = {
  inFlight: InFlight;
  /** What there is room for at this moment, if any. */
  whatToClaim(now: Date): Wanted | undefined;
  /** These are ours, and committed: they are to be sent. */
  onClaimed(shipments: Shipment[], claimedAtMs: number): void;
  /** A disabled subscription has more waiting than was skipped in the turn. */
  onLeftToSkip(): void;
};

/** One turn after the other, for as long as there is something to settle or to claim. */
export function createDeliveryTurns({ sql, clock, log }: Platform, work: TurnsWork): DeliveryTurns {
  const ended: Outcome[] = [];

  async function step(): Promise<boolean> {
    const outcomes = ended.splice(0, SETTLE_AT_MOST);
    const now = clock.now();
    const wanted = work.whatToClaim(now);
    if (outcomes.length === 0 && wanted === undefined) return false;
    const claimedAtMs = performance.now();
    const { settled, claimed } = await takeTurn(sql, work.inFlight, outcomes, wanted, now).catch((error: unknown) =>
      keepOutcomes(outcomes, error),
    );
    if (settled?.leftToSkip) work.onLeftToSkip();
    work.onClaimed(claimed.shipments, claimedAtMs);
    if (claimed.contended && claimed.shipments.length === 0) await delay(CONTENDED_PAUSE_MS);
    return claimed.more || claimed.contended || ended.length > 0;
  }

  /** Until the database is back; should this process die first, the leases run out and say so. */
  async function keepOutcomes(outcomes: Outcome[], error: unknown): Promise<never> {
    const { kind } = classifyDatabaseError(error);
    if (kind === 'unavailable' || kind === 'retry') ended.unshift(...outcomes);
    else await settleOneByOne(outcomes);
    throw error;
  }

  /** One outcome that cannot be written must not hold up the others for ever. Its lease runs out, and it is sent again. */
  async function settleOneByOne(outcomes: Outcome[]): Promise<void> {
    for (const outcome of outcomes) {
      await takeTurn(sql, work.inFlight, [outcome], undefined, clock.now()).catch((error: unknown) =>
        log.error({ err: error, deliveryId: outcome.claim.delivery_id }, 'the outcome of a webhook cannot be written'),
      );
    }
  }

  const loop = createSteadyLoop({ name: 'webhook turns', log, everyMs: POLL_MS, step });
  return {
    ...loop,
    take: (outcome) => {
      ended.push(outcome);
    },
    waiting: () => ended.length,
    async settleRest() {
      while (await step().catch(() => false)) {}
    },
  };
}
