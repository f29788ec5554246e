import type { OutgoingDelivery } from './claim-deliveries.ts';
import type { InFlight } from './in-flight.ts';
import type { Claim } from './sql/claims.ts';
import { type DirectClaim, isDirect, type LateClaim } from './sql/direct-claims.ts';

/** Most receivers answer sooner. A delivery is in the log this late at most: one that hangs as pending, one that waits back in the queue. */
const LATE_AFTER_MS = 250;
/** Of a subscription, in flight or waiting for a slot. */
const MAX_OPEN = 256;
const MAX_OPEN_IN_TOTAL = 2_048;
/** Of bodies, in total. An order has at most 256 kB. */
const MAX_BYTES = 16 * 1024 * 1024;
const READER_WAITS_MS = 1_000;
/** After a failure, until the database says that the receiver is failing. */
const HELD_MS = 2_000;

export type Direct = OutgoingDelivery & { claim: DirectClaim; claimedAtMs: number };

/** `isWaiting`: for a slot. `isTaken`: it is being logged. `hasEnded`: its outcome is being settled. */
type Open = {
  delivery: Direct;
  openedAtMs: number;
  isWaiting: boolean;
  isTaken: boolean;
  hasEnded: boolean;
  isWanted: boolean;
  onGone: (() => void)[];
};

/** What the fan-out may still hand over. */
export type Capacity = { total: number; bytes: number; ofSubscription(id: string): number };

/**
 * Direct claims of this process that are not logged yet: they wait here for a slot, and for their outcome to be settled. The in-flight limits
 * are those of the process for all of its deliveries.
 */
export function createDirectWindow(inFlight: InFlight, start: (deliveries: Direct[]) => void, wake: () => void) {
  /** In the order in which they were claimed. */
  const open = new Map<DirectClaim, Open>();
  const waiting = new Map<string, Open[]>();
  const openOf = new Map<string, number>();
  /** Subscriptions of which an attempt has failed. */
  const heldUntilMs = new Map<string, number>();
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function freeSlots([first]: Open[]): number {
    if (first === undefined) return 0;
    const { claim } = first.delivery;
    const ofTenant = inFlight.freeInOrganization(claim.organization_id);
    return Math.max(0, Math.min(inFlight.freeInQueue(claim), ofTenant, inFlight.free()));
  }

  function startWaiting(): void {
    for (const [subscriptionId, queue] of waiting) {
      const next = queue.splice(0, freeSlots(queue));
      if (queue.length === 0) waiting.delete(subscriptionId);
      for (const one of next) one.isWaiting = false;
      // One subscription after the other, so that each sees the slots that the others leave.
      if (next.length > 0) start(next.map(({ delivery }) => delivery));
    }
  }

  function isHeld(subscriptionId: string): boolean {
    const untilMs = heldUntilMs.get(subscriptionId);
    if (untilMs === undefined) return false;
    if (untilMs > performance.now()) return true;
    heldUntilMs.delete(subscriptionId);
    return false;
  }

  function addWaiting(one: Open): void {
    const { subscription_id } = one.delivery.claim;
    if (isHeld(subscription_id)) {
      one.isWanted = true;
      wake();
      return;
    }
    const queue = waiting.get(subscription_id);
    if (queue === undefined) waiting.set(subscription_id, [one]);
    else queue.push(one);
  }

  function forget(claim: Claim): void {
    const found = open.get(claim as DirectClaim);
    if (found === undefined) return;
    open.delete(found.delivery.claim);
    bytes -= found.delivery.body?.length ?? 0;
    const left = (openOf.get(claim.subscription_id) ?? 0) - 1;
    if (left > 0) openOf.set(claim.subscription_id, left);
    else openOf.delete(claim.subscription_id);
    for (const onGone of found.onGone) onGone();
  }

  function wakeWhenLate(): void {
    if (timer !== undefined) return;
    for (const { openedAtMs, isTaken, hasEnded } of open.values()) {
      if (isTaken || hasEnded) continue;
      const onTime = () => {
        timer = undefined;
        wake();
      };
      timer = setTimeout(onTime, Math.max(0, openedAtMs + LATE_AFTER_MS - performance.now()));
      return;
    }
  }

  /** None of them is started any more. */
  function take(isDue: (one: Open) => boolean): LateClaim[] {
    const due = [...open.values()].filter((one) => !one.isTaken && !one.hasEnded && isDue(one));
    for (const one of due) one.isTaken = true;
    for (const [subscriptionId, queue] of waiting) {
      const left = queue.filter((one) => !one.isTaken);
      if (left.length > 0) waiting.set(subscriptionId, left);
      else waiting.delete(subscriptionId);
    }
    return due.map(({ delivery, isWaiting }) => ({ claim: delivery.claim, isWaiting }));
  }

  return {
    capacity: (): Capacity => ({
      total: MAX_OPEN_IN_TOTAL - open.size,
      bytes: MAX_BYTES - bytes,
      ofSubscription: (id) => (isHeld(id) ? 0 : MAX_OPEN - (openOf.get(id) ?? 0)),
    }),
    /** After the commit of their claim, which may have taken longer than they do. */
    add(deliveries: Direct[]) {
      const openedAtMs = performance.now();
      for (const delivery of deliveries) {
        const { claim, body } = delivery;
        const flags = { isWaiting: true, isTaken: false, hasEnded: false, isWanted: false };
        const one: Open = { delivery, openedAtMs, ...flags, onGone: [] };
        open.set(claim, one);
        openOf.set(claim.subscription_id, (openOf.get(claim.subscription_id) ?? 0) + 1);
        bytes += body?.length ?? 0;
        addWaiting(one);
      }
      startWaiting();
      wakeWhenLate();
    },
    /** The attempt of a delivery, claimed here or not, has ended: its slot is free. */
    ended(claim: Claim) {
      const one = isDirect(claim) ? open.get(claim) : undefined;
      if (one !== undefined) one.hasEnded = true;
      if (waiting.size > 0) startWaiting();
    },
    forget,
    /** An attempt of a subscription has failed: those of it that wait go to the queue, which sends a few at a time until one succeeds. */
    hold(subscriptionId: string) {
      heldUntilMs.set(subscriptionId, performance.now() + HELD_MS);
      const queue = waiting.get(subscriptionId) ?? [];
      waiting.delete(subscriptionId);
      for (const one of queue) addWaiting(one);
    },
    /** Those that have been open for long, are held, or that a reader of the log wants to see. */
    takeLate(): LateClaim[] {
      for (const id of heldUntilMs.keys()) isHeld(id);
      if (open.size === 0) return [];
      const dueMs = performance.now() - LATE_AFTER_MS;
      return take(({ openedAtMs, isWanted }) => isWanted || openedAtMs <= dueMs);
    },
    /** For a stop. */
    takeWaiting: () => take(({ isWaiting }) => isWaiting),
    /** Those that are in log and queue now are like any other. The rest belongs to another process. */
    settle(late: LateClaim[], logged?: ReadonlySet<string>) {
      for (const { claim } of late) {
        forget(claim);
        if (logged?.has(claim.delivery_id)) Object.assign(claim, { unlogged: undefined });
      }
      wakeWhenLate();
    },
    /** They could not be logged. */
    putBack(late: LateClaim[]) {
      for (const { claim } of late) {
        const one = open.get(claim);
        if (one === undefined) continue;
        one.isTaken = false;
        if (one.isWaiting) addWaiting(one);
      }
      startWaiting();
      wakeWhenLate();
    },
    /** Resolves when the log shows what is open now of a tenant, or does not in time. */
    async logOpen(organizationId: string): Promise<void> {
      const theirs = [...open.values()].filter(({ delivery }) => delivery.claim.organization_id === organizationId);
      if (theirs.length === 0) return;
      const gone = theirs.map((one) => {
        one.isWanted = true;
        return new Promise<void>((resolve) => one.onGone.push(resolve));
      });
      wake();
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const limit = setTimeout(resolve, READER_WAITS_MS);
      await Promise.race([Promise.all(gone), late]);
      clearTimeout(limit);
    },
    stop: () => clearTimeout(timer),
  };
}
