import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';

export type VendorToken = { headers: Readonly<Record<string, string>>; livesForSeconds: number };

/** Cache of access tokens, in memory only: each process fetches its own. */
export type VendorTokens = {
  /** The cached token or a fetched one; concurrent callers share one fetch. */
  get(key: string, fetch: () => Promise<VendorToken>): Promise<VendorToken>;
  /** For a token that the vendor rejects. A newer one stays. */
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
    // A token that lives for a minute or less is used for half of its life.
    const seconds = Math.min(lives - Math.min(END_MARGIN_SECONDS, lives / 2), MAX_LIFE_SECONDS);
    kept.delete(key);
    // Also NaN.
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

/** Covers the install and its token request: another secret or address gives another token. */
export function tokenKeyOf(installId: string, ...parts: unknown[]): string {
  return `${installId} ${createHash('sha256').update(JSON.stringify(parts)).digest('base64')}`;
}
