import type { Sql } from '../../platform/database/index.ts';
import type { TokenHolder } from './principal.ts';
import { readIdentityEpoch } from './sql/accounts.ts';

/**
 * Remembers who tokens stand for, so that the hot path reads no database. What it remembers may be used only while the
 * identity epoch was seen unchanged less than a second ago: a node that cannot see the epoch (partition, dead
 * connection, stalled loop) falls back to reading, and so no node honours a revoked token for longer than that.
 */
export type IdentityCache = {
  /** Answers at once from memory where it may. */
  find(key: string): TokenHolder | undefined;
  load(key: string, read: () => Promise<TokenHolder | undefined>): Promise<TokenHolder | undefined>;
  forgetAll(): void;
  /** Share of look-ups answered from memory since start. */
  hitRate(): number;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const TRUST_MS = 1_000;
const POLL_MS = 400;
const MAX_ENTRIES = 20_000;

export function createIdentityCache(sql: Sql): IdentityCache {
  const entries = new Map<string, TokenHolder>();
  let generation = 0;
  let hits = 0;
  let misses = 0;
  let epoch = -1;
  let trustedUntilMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let unlisten: (() => Promise<void>) | undefined;

  function forgetAll(): void {
    entries.clear();
    generation += 1;
  }

  async function poll(): Promise<void> {
    const askedAtMs = performance.now();
    try {
      const seen = await readIdentityEpoch(sql);
      if (seen !== epoch) {
        forgetAll();
        epoch = seen;
      }
      trustedUntilMs = askedAtMs + TRUST_MS;
    } catch {
      // Nothing to do: trust runs out by itself, and requests read the database until it answers again.
    }
  }

  return {
    find(key) {
      const holder = performance.now() < trustedUntilMs ? entries.get(key) : undefined;
      if (holder === undefined) misses += 1;
      else hits += 1;
      return holder;
    },

    hitRate: () => (hits + misses === 0 ? 1 : hits / (hits + misses)),

    async load(key, read) {
      const generationBefore = generation;
      const holder = await read();
      // A change that came while reading may have made the answer old; it is good for this request only.
      if (holder !== undefined && generation === generationBefore) {
        if (entries.size >= MAX_ENTRIES) entries.delete(entries.keys().next().value ?? '');
        entries.set(key, holder);
      }
      return holder;
    },

    forgetAll,

    async start() {
      await poll();
      const subscription = await sql.listen('identity_changed', () => {
        forgetAll();
        void poll();
      });
      unlisten = () => subscription.unlisten();
      timer = setInterval(() => void poll(), POLL_MS);
      timer.unref();
    },

    async stop() {
      clearInterval(timer);
      await unlisten?.().catch(() => undefined);
    },
  };
}
