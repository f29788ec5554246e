import type { Notifier } from '../../platform/background/index.ts';
import { inOnePhase, inTransaction, inTransactionByIndex, type Tx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { isFaultOfEvent } from './event-faults.ts';
import { createGroupLoops } from './group-loops.ts';
import type { RecentEvents } from './recent-events.ts';
import {
  addFollower,
  advanceFollower,
  lockFollower,
  lockFollowerOnNode,
  moveFollower,
  readFollower,
  type StampedEvent,
} from './sql/events.ts';
import { deadLetterEvent, findAskedFor, isAnyAskedFor, isFollowerBehind, removeDeadLetter } from './sql/followers.ts';
import type { BatchOfEvents } from './sql/read-after.ts';

/** Bodies of a batch. An order has at most 256 kB, so 500 of them would be 128 MB. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** A batch that fails this often is processed event by event, and an event that still fails this often is dead-lettered. */
const TRIES = 3;
const ERROR_CHARACTERS = 1_000;

export type FollowerOptions = {
  name: string;
  batchSize: number;
  /**
   * The least time from one batch to the next. A batch costs about ten statements whatever its size: under load, events that arrive
   * meanwhile share the next one. An event after a quiet period is processed at once.
   */
  restMs?: number;
  /** `handle` writes to tables that a cluster spreads. The position is on the coordinator: without such writes one phase is enough. */
  writesToGroup: boolean;
  /**
   * Before a batch, outside of its transaction: what needs a connection of its own. Waiting for one inside `handle` can
   * go on for ever, because the batch holds a lock on the events that the other connection may be waiting for.
   */
  prepare?(): Promise<void>;
  /**
   * Processes a batch in feed order. Its writes and the follower's new position commit together, so each event counts once. A
   * dead-lettered event that is retried comes after later ones.
   */
  handle(tx: Tx, events: StampedEvent[]): Promise<void>;
  afterCommit?(events: StampedEvent[]): void;
};

/** Reads the events of every group of tenants in order, once, however many processes run it. */
export function createFollower(platform: Platform, feed: Notifier, recent: RecentEvents, options: FollowerOptions) {
  const { name, restMs = 0 } = options;
  return createGroupLoops(platform, feed, {
    name: `follower ${name}`,
    restMs,
    isDue: (sql, group) => isFollowerBehind(sql, name, group),
    stepOf: (group) => followGroup(platform, group, recent, options),
  });
}

/** The step for one group: the row of its position is the lock. */
function followGroup(
  { sql, clock, log }: Platform,
  group: string,
  recent: RecentEvents,
  options: FollowerOptions,
): () => Promise<boolean> {
  const { name } = options;
  let tries = 0;
  /** How many of the next events are processed one by one, since their batch failed. */
  let oneByOne = 0;

  async function step(): Promise<boolean> {
    await options.prepare?.();
    const limit = oneByOne > 0 ? 1 : options.batchSize;
    let taken: StampedEvent[] = [];
    try {
      const take = (events: StampedEvent[]) => {
        taken = events;
      };
      const { events, more } = sql.layout.isDistributed
        ? await followOnCluster(limit, take)
        : await inTransactionByIndex(sql, async (tx) => {
            const batch = await lockNext(tx, limit);
            take(batch.events);
            const last = batch.events.at(-1);
            if (last === undefined) return batch;
            // Sent together: the locks of what `handle` writes last are held until the commit only.
            await Promise.all([moveFollower(tx, name, group, last.position), options.handle(tx, batch.events)]);
            return batch;
          });
      tries = 0;
      oneByOne = events.length === 0 ? 0 : Math.max(0, oneByOne - events.length);
      if (events.length > 0) options.afterCommit?.(events);
      return more || (events.length === 0 && (await takeAskedFor()));
    } catch (error) {
      if (taken.length === 0 || !isFaultOfEvent(error)) throw error;
      return narrow(taken, error);
    }
  }

  /**
   * The batch is read before the transaction, by one message to the node. The transaction begins with the new position, which is its lock: a
   * batch that another process has processed meanwhile is left.
   */
  async function followOnCluster(limit: number, take: (events: StampedEvent[]) => void): Promise<BatchOfEvents> {
    const position = await readFollower(sql, name, group);
    if (position === undefined) await addFollower(sql, name, group);
    const next = await recent.readAfter(sql, group, position ?? 0, { limit, maxBodyBytes: BATCH_BYTES });
    const last = next.events.at(-1);
    if (last === undefined) return next;
    const run = options.writesToGroup ? inTransaction : inOnePhase;
    return run(sql, async (tx) => {
      if (!(await advanceFollower(tx, name, group, { from: position ?? 0, to: last.position })))
        return { events: [], more: true };
      take(next.events);
      if (options.writesToGroup) await lockFollowerOnNode(tx, name, group);
      await options.handle(tx, next.events);
      return next;
    });
  }

  async function lockNext(tx: Tx, limit: number) {
    return recent.readAfter(tx, group, await lockFollower(tx, name, group), { limit, maxBodyBytes: BATCH_BYTES });
  }

  /** Retries the batch, then goes event by event, and dead-letters the event at fault: it blocks all others. */
  async function narrow(taken: StampedEvent[], error: unknown): Promise<boolean> {
    tries += 1;
    const [event] = taken;
    if (tries < TRIES || event === undefined) throw error;
    tries = 0;
    if (taken.length > 1) {
      oneByOne = taken.length;
      throw error;
    }
    await inTransactionByIndex(sql, async (tx) => {
      const { events } = await lockNext(tx, 1);
      // Another process may have processed it.
      if (events[0]?.position !== event.position) return;
      await deadLetterEvent(tx, name, event, textOf(error), clock.now());
      await moveFollower(tx, name, group, event.position);
    });
    oneByOne = Math.max(0, oneByOne - 1);
    const { organization_id: organizationId, position, event_id: eventId } = event;
    log.error(
      { err: error, follower: name, organizationId, position, eventId },
      'an event could not be processed and was dead-lettered',
    );
    return true;
  }

  /** Retries one dead letter whose retry was requested. True when there was one. */
  async function takeAskedFor(): Promise<boolean> {
    if (!(await isAnyAskedFor(sql, name, group))) return false;
    let asked: StampedEvent | undefined;
    try {
      const isFound = await inTransaction(sql, async (tx) => {
        await lockFollower(tx, name, group);
        const found = await findAskedFor(tx, name, group);
        asked = found?.event;
        if (found === undefined) return false;
        if (found.event !== undefined) await options.handle(tx, [found.event]);
        await removeDeadLetter(tx, name, group, found.position);
        return true;
      });
      if (asked !== undefined) options.afterCommit?.([asked]);
      return isFound;
    } catch (error) {
      const event = asked;
      if (event === undefined || !isFaultOfEvent(error)) throw error;
      await inTransaction(sql, async (tx) => {
        await lockFollower(tx, name, group);
        await deadLetterEvent(tx, name, event, textOf(error), clock.now());
      });
      return true;
    }
  }

  return step;
}

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, ERROR_CHARACTERS);
}
