import type { Queryable } from '../../platform/database/index.ts';
import { isStillStamped, type StampedEvent } from './sql/events.ts';
import { type BatchOfEvents, type FollowerBatch, readAfter } from './sql/read-after.ts';

/** One to two seconds of bulk calls, by which the slowest follower lags. Limits of a process, in equal parts for the groups of tenants. */
const MAX_EVENTS = 4_000;
const MAX_CHARACTERS = 6 * 1024 * 1024;
/** Older events are looked up: they may have been deleted. */
const FOUND_FOR_MS = 60_000;
/** Of a cluster, which has a group for each shard. */
const MAX_GROUPS = 32;

/**
 * The latest events that a follower of this process has read, so that the others, and the deliveries, need not read them again: a read
 * takes 30 us of PostgreSQL for an event. Positions of a group have no gaps, so the entries after a follower's position are its next events.
 */
export type RecentEvents = {
  /** As `readAfter` with bodies: what is known, and the rest from the database. Call it with the follower locked, or check its position afterwards. */
  readAfter(sql: Queryable, group: string, position: number, batch: FollowerBatch): Promise<BatchOfEvents>;
  /** Undefined when it is not known or not recent, or when another event is at the position. */
  find(group: string, position: number, eventId: string, now: Date): StampedEvent | undefined;
};

/** In order of their positions, without gaps. */
type Run = { events: StampedEvent[]; characters: number };

export function createRecentEvents(): RecentEvents {
  const runs = new Map<string, Run>();

  /** Appends what follows the known events. Newer ones replace them; older ones, of a follower that lags, are not kept. */
  function remember({ layout }: Queryable, group: string, events: readonly StampedEvent[]): void {
    const first = events[0]?.position;
    if (first === undefined) return;
    const last = runs.get(group)?.events.at(-1)?.position ?? Number.NEGATIVE_INFINITY;
    const added = events.filter(({ position }) => position > last);
    if (added.length === 0) return;
    const run = (first <= last + 1 ? runs.get(group) : undefined) ?? { events: [], characters: 0 };
    for (const event of added) {
      run.events.push(event);
      run.characters += event.body.length;
    }
    forgetOldest(run, Math.min(layout.groups.length, MAX_GROUPS));
    // The group that was read last is the last to be dropped.
    runs.delete(group);
    runs.set(group, run);
    const [oldest] = runs.keys();
    if (runs.size > MAX_GROUPS && oldest !== undefined) runs.delete(oldest);
  }

  function knownAfter(group: string, position: number, limit: number, maxBodyBytes: number): StampedEvent[] {
    const events = runs.get(group)?.events ?? [];
    const from = position + 1 - (events[0]?.position ?? Number.POSITIVE_INFINITY);
    if (from < 0) return [];
    const known = events.slice(from, from + limit);
    // A character takes at most three bytes, so that short texts need not be counted.
    let bytes = 0;
    const count = known.findIndex((event) => {
      const isOver = bytes >= maxBodyBytes;
      bytes += 3 * event.body.length;
      return isOver;
    });
    return count < 0 ? known : known.slice(0, count);
  }

  return {
    async readAfter(sql, group, position, batch) {
      const known = knownAfter(group, position, batch.limit, batch.maxBodyBytes);
      const last = known.at(-1);
      if (last === undefined) {
        const read = await readAfter(sql, group, position, batch);
        remember(sql, group, read.events);
        return read;
      }
      // After a failover to a server that lacks the last events, their positions are given to others.
      const isFull = known.length === batch.limit || last !== runs.get(group)?.events.at(-1);
      const [isValid, rest] = await Promise.all([
        isStillStamped(sql, group, last),
        isFull
          ? { events: [], more: true }
          : readAfter(sql, group, last.position, { ...batch, limit: batch.limit - known.length }),
      ]);
      if (!isValid) {
        runs.delete(group);
        return readAfter(sql, group, position, batch);
      }
      remember(sql, group, rest.events);
      return { events: [...known, ...rest.events], more: rest.more };
    },
    find(group, position, eventId, now) {
      const events = runs.get(group)?.events ?? [];
      const event = events[position - (events[0]?.position ?? 0)];
      if (event?.event_id !== eventId) return undefined;
      return now.getTime() - event.stamped_at.getTime() < FOUND_FOR_MS ? event : undefined;
    },
  };
}

/** A quarter at once: the array is copied each time. */
function forgetOldest(run: Run, groups: number): void {
  const maxEvents = MAX_EVENTS / groups;
  while (run.events.length > maxEvents || run.characters > MAX_CHARACTERS / groups) {
    const surplus = Math.max(run.events.length - maxEvents, 0) + maxEvents / 4;
    for (const event of run.events.splice(0, surplus)) run.characters -= event.body.length;
  }
}
