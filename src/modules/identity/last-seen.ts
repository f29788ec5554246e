import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { onBehalfOfNobody, type Sql } from '../../platform/database/index.ts';
import { type Sighting, writeSightings } from './sql/last-seen.ts';

/**
 * When somebody was last seen in an organization, to within ten minutes. A request only makes a note in memory; notes are
 * gathered and written behind its back, all in one statement.
 */
export type LastSeen = {
  note(organizationId: string, userId: string): void;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const GRAIN_MS = 10 * 60_000;
const GATHER_MS = 1_000;
const AFTER_ERROR_MS = 10_000;
const MAX_WAITING = 5_000;
/** Whoever falls out is noted once more than needed, and the statement leaves the row as it is. */
const MAX_NOTED = 50_000;

export function createLastSeen(sql: Sql, clock: Clock, log: FastifyBaseLogger): LastSeen {
  const notedAtMs = new Map<string, number>();
  let waiting = new Map<string, Sighting>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let stopped = false;

  function writeAfter(delayMs: number): void {
    if (timer !== undefined || stopped) return;
    timer = setTimeout(() => {
      timer = undefined;
      writing = writing.then(write);
    }, delayMs);
    timer.unref();
  }

  async function write(): Promise<void> {
    const gathered = waiting;
    waiting = new Map();
    if (gathered.size === 0) return;
    try {
      await onBehalfOfNobody(() => writeSightings(sql, [...gathered.values()], GRAIN_MS / 1000));
    } catch (error) {
      log.warn({ err: error }, 'could not note who was seen, trying again');
      for (const [key, sighting] of gathered) {
        if (waiting.size < MAX_WAITING && !waiting.has(key)) waiting.set(key, sighting);
      }
      writeAfter(AFTER_ERROR_MS);
    }
  }

  return {
    note(organizationId, userId) {
      const key = `${organizationId} ${userId}`;
      const at = clock.now();
      const before = notedAtMs.get(key);
      if (before !== undefined && at.getTime() - before < GRAIN_MS) return;
      // Past the bound somebody is seen a little later.
      if (waiting.size >= MAX_WAITING) return;
      notedAtMs.delete(key);
      notedAtMs.set(key, at.getTime());
      const oldest = notedAtMs.keys().next();
      if (notedAtMs.size > MAX_NOTED && !oldest.done) notedAtMs.delete(oldest.value);
      waiting.set(key, { organizationId, userId, at });
      writeAfter(GATHER_MS);
    },
    async start() {},
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await writing;
    },
  };
}
