import { createSteadyLoop, type WakeUp } from '../../platform/background/index.ts';
import { byIndexOnly, inTransaction, type Tx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { lockFollower, moveFollower, readAfter, type StampedEvent } from './sql.ts';

/** Notices wake it; this is for the notice that got lost. */
const POLL_MS = 1_000;

export type FollowerOptions = {
  name: string;
  batchSize: number;
  /** Bodies are the bulk of an event; a follower that only needs to know what happened leaves them where they are. */
  withBodies: boolean;
  /**
   * Before a batch, outside of its transaction: what needs a connection of its own. Waiting for one inside `handle` can
   * go on for ever, because the batch holds a lock on the events that the other connection may be waiting for.
   */
  prepare?(): Promise<void>;
  /** Takes a batch in feed order. Its writes and the follower's new place commit together, so each event counts once. */
  handle(tx: Tx, events: StampedEvent[]): Promise<void>;
  afterCommit?(events: StampedEvent[]): void;
};

/** Reads every tenant's events in order, once, however many processes run it: the row of its place is the lock. */
export function createFollower({ sql, log }: Platform, feed: WakeUp, options: FollowerOptions) {
  async function step(): Promise<boolean> {
    await options.prepare?.();
    const events = await inTransaction(sql, async (tx) => {
      const [position] = await Promise.all([lockFollower(tx, options.name), byIndexOnly(tx)]);
      const batch = await readAfter(tx, position, options.batchSize, options.withBodies);
      const last = batch.at(-1);
      if (last === undefined) return batch;
      await options.handle(tx, batch);
      await moveFollower(tx, options.name, last.position);
      return batch;
    });
    if (events.length > 0) options.afterCommit?.(events);
    return events.length === options.batchSize;
  }

  const loop = createSteadyLoop({ name: `follower ${options.name}`, log, everyMs: POLL_MS, step });
  let stopListening: (() => void) | undefined;

  return {
    wake: loop.wake,
    async start() {
      stopListening = feed.onRing(loop.wake);
      loop.start();
    },
    async stop() {
      stopListening?.();
      await loop.stop();
    },
  };
}
