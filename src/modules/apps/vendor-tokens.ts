import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';

export type VendorToken = { headers: Readonly<Record<string, string>>; livesForSeconds: number };

/** Tokens that vendors gave us for a while, in memory only: another process fetches its own. */
export type VendorTokens = {
  /** The one that is kept, or a fetched one; whoever asks while it is being fetched shares it. */
  get(key: string, fetch: () => Promise<VendorToken>): Promise<VendorToken>;
  /** When the vendor no longer takes it. A newer one stays. */
  forget(key: string, token: VendorToken): void;
};

const END_MARGIN_SECONDS = 60;
const MAX_LIFE_SECONDS = 24 * 60 * 60;
const MAX_TOKENS = 1000;

export function createVendorTokens(clock: Clock, maxTokens = MAX_TOKENS): VendorTokens {
  const kept = new LRUCache<string, { token: VendorToken; untilMs: number }>({ max: maxTokens });
  const fetching = new Map<string, Promise<VendorToken>>();

  function keep(key: string, token: VendorToken): void {
    const lives = token.livesForSeconds;
    // One that lives for a minute is of use for half of it.
    const seconds = Math.min(lives - Math.min(END_MARGIN_SECONDS, lives / 2), MAX_LIFE_SECONDS);
    kept.delete(key);
    // Nothing that can be counted with.
    if (!(seconds > 0)) return;
    kept.set(key, { token, untilMs: clock.now().getTime() + seconds * 1000 });
  }

  return {
    async get(key, fetch) {
      const known = kept.get(key);
      if (known !== undefined && clock.now().getTime() < known.untilMs) return known.token;
      const running = fetching.get(key);
      if (running !== undefined) return running;
      const fetched = fetch()
        .then((token) => {
          keep(key, token);
          return token;
        })
        .finally(() => fetching.delete(key));
      fetching.set(key, fetched);
      return fetched;
    },
    forget(key, token) {
      if (kept.get(key)?.token === token) kept.delete(key);
    },
  };
}

/** Of an install and what it would fetch a token with: with another secret or at another address it is another token. */
export function tokenKeyOf(installId: string, ...parts: unknown[]): string {
  return `${installId} ${createHash('sha256').update(JSON.stringify(parts)).digest('base64')}`;
}
