import type { FastifyBaseLogger } from 'fastify';
import { createSteadyLoop } from '../../platform/background/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/database/index.ts';
import { type KeyUse, saveKeyUses } from './sql/key-uses.ts';

/**
 * When API keys were last used, to the minute. The request only leaves a note in memory; what was noted is written in the
 * background, all of it in one statement. A node that dies loses a second of it, which nobody is owed.
 */
export type KeyUses = {
  note(key: { organizationId: string; id: string }): void;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const COARSE_MS = 60_000;
const WRITE_EVERY_MS = 1_000;
/** An organization has a hundred live keys at most, so ten thousand are a hundred tenants that use all of theirs. */
const MAX_KEYS = 10_000;
const BATCH = 1_000;

export function createKeyUses({ sql, clock, log }: { sql: Sql; clock: Clock; log: FastifyBaseLogger }): KeyUses {
  const notedAtMs = new Map<string, number>();
  const waiting = new Map<string, KeyUse>();

  async function write(): Promise<boolean> {
    const uses = [...waiting.values()].slice(0, BATCH);
    if (uses.length === 0) return false;
    await saveKeyUses(sql, uses);
    for (const use of uses) if (waiting.get(use.id) === use) waiting.delete(use.id);
    return waiting.size > 0;
  }
  const loop = createSteadyLoop({ name: 'api-key-uses', log, everyMs: WRITE_EVERY_MS, step: write });

  return {
    note({ organizationId, id }) {
      const now = clock.now();
      const sinceMs = now.getTime() - (notedAtMs.get(id) ?? 0);
      if (sinceMs < COARSE_MS) return;
      // Where the database is away for long, later uses of other keys are not told; those of these are.
      if (waiting.size >= MAX_KEYS && !waiting.has(id)) return;
      notedAtMs.delete(id);
      notedAtMs.set(id, now.getTime());
      if (notedAtMs.size > MAX_KEYS) notedAtMs.delete(notedAtMs.keys().next().value ?? '');
      waiting.set(id, { organizationId, id, usedAt: now });
    },
    start: async () => loop.start(),
    async stop() {
      await loop.stop();
      await write().catch(() => undefined);
    },
  };
}
