import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import { createSteadyLoop } from './steady-loop.ts';

/**
 * When each of many last did something, to within a grain. Whoever saw it leaves a note in memory only; what was noted is
 * written in the background, a batch in one statement. A node that dies loses a second of it, which nobody is owed.
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
  /** Whoever falls out is noted once more than needed. */
  maxNoted: number;
  keyOf(who: Who): string;
  save(moments: (Who & { at: Date })[]): Promise<void>;
}): LatestMoments<Who> {
  const { name, clock, log, grainMs, maxWaiting, maxNoted, keyOf, save } = options;
  const notedAtMs = new Map<string, number>();
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
      // Where the database is away for long, later moments of others are not told; those of these are.
      if (waiting.size >= maxWaiting && !waiting.has(key)) return;
      notedAtMs.delete(key);
      notedAtMs.set(key, at.getTime());
      const oldest = notedAtMs.keys().next();
      if (notedAtMs.size > maxNoted && !oldest.done) notedAtMs.delete(oldest.value);
      waiting.set(key, { ...who, at });
    },
    start: async () => loop.start(),
    async stop() {
      await loop.stop();
      await write().catch(() => undefined);
    },
  };
}
