import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { atMostEntries } from '../lru-limit.ts';
import { createSteadyLoop } from './steady-loop.ts';

/**
 * When each of many subjects was last active, to within `grainMs`. `note` writes to memory only; a background loop stores the moments,
 * one statement a batch. A process that dies loses the last second, which is acceptable for this data.
 */
export type LatestMoments<Who> = {
  note(who: Who): void;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const WRITE_EVERY_MS = 1_000;
const BATCH = 1_000;

export function createLatestMoments<Who>(options: {
  name: string;
  clock: Clock;
  log: FastifyBaseLogger;
  grainMs: number;
  maxWaiting: number;
  /** A subject that is evicted is written once more than needed. */
  maxNoted: number;
  keyOf(who: Who): string;
  save(moments: (Who & { at: Date })[]): Promise<void>;
}): LatestMoments<Who> {
  const { name, clock, log, grainMs, maxWaiting, maxNoted, keyOf, save } = options;
  const notedAtMs = new LRUCache<string, number>(atMostEntries(maxNoted));
  const waiting = new Map<string, Who & { at: Date }>();

  async function write(): Promise<boolean> {
    const batch = [...waiting].slice(0, BATCH);
    if (batch.length === 0) return false;
    await save(batch.map(([, moment]) => moment));
    for (const [key, moment] of batch) if (waiting.get(key) === moment) waiting.delete(key);
    return waiting.size > 0;
  }
  const loop = createSteadyLoop({ name, log, everyMs: WRITE_EVERY_MS, step: write });

  return {
    note(who) {
      const key = keyOf(who);
      const at = clock.now();
      const before = notedAtMs.get(key);
      if (before !== undefined && at.getTime() - before < grainMs) return;
      // During a long database outage only subjects that are queued already are updated.
      if (waiting.size >= maxWaiting && !waiting.has(key)) return;
      notedAtMs.set(key, at.getTime());
      waiting.set(key, { ...who, at });
    },
    start: async () => loop.start(),
    async stop() {
      await loop.stop();
      await write().catch(() => undefined);
    },
  };
}
