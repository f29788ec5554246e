import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../platform/clock.ts';
import { tooManyRequests } from '../../../platform/http/problem.ts';
import { atMostEntries } from '../../../platform/lru-limit.ts';

/**
 * Slows down guessing. From one address an account may be tried ten times in five minutes; from all addresses together a
 * hundred times, except from those that it was entered from before: guesses by others cannot lock the owner out.
 * An address without an account counts just the same, or the difference would reveal which ones exist.
 *
 * Each node counts for itself and forgets when it restarts.
 */
export type WrongPasswords = {
  /**
   * Counts the check before it is made, so that a hundred at the same moment are a hundred. 429 past the limits.
   * Undefined is neither right nor wrong: were it right, one who guesses codes could begin afresh after each.
   */
  judge<Outcome extends boolean | undefined>(
    email: string,
    address: string,
    check: () => Promise<Outcome>,
  ): Promise<Outcome>;
};

export const TRIES_PER_ADDRESS = 10;
export const TRIES_PER_ACCOUNT = 100;
export const WINDOW_MS = 5 * 60_000;
const MAX_ENTRIES = 10_000;

/** Wrong ones since the window opened, and tries that are not decided yet. */
type Tally = { opensAtMs: number; wrong: number; undecided: number };

export function createWrongPasswords(clock: Clock): WrongPasswords {
  const byAddress = new LRUCache<string, Tally>(atMostEntries(MAX_ENTRIES));
  const byAccount = new LRUCache<string, Tally>(atMostEntries(MAX_ENTRIES));
  const familiar = new LRUCache<string, true>(atMostEntries(MAX_ENTRIES));

  function tallyOf(tallies: LRUCache<string, Tally>, key: string, nowMs: number): Tally {
    const tally = tallies.get(key) ?? { opensAtMs: nowMs, wrong: 0, undecided: 0 };
    if (nowMs - tally.opensAtMs >= WINDOW_MS) {
      tally.opensAtMs = nowMs;
      tally.wrong = 0;
    }
    tallies.set(key, tally);
    return tally;
  }

  function refusePast(limit: number, tally: Tally, nowMs: number): void {
    if (tally.wrong + tally.undecided < limit) return;
    // With none wrong so far, those under way will soon be decided.
    throw tooManyRequests(limit, tally.wrong === 0 ? 1_000 : Math.max(1, tally.opensAtMs + WINDOW_MS - nowMs));
  }

  return {
    async judge(email, address, check) {
      const nowMs = clock.now().getTime();
      const account = email.toLowerCase();
      const pair = `${account} ${address}`;
      const here = tallyOf(byAddress, pair, nowMs);
      const anywhere = tallyOf(byAccount, account, nowMs);
      const known = familiar.has(pair);
      refusePast(TRIES_PER_ADDRESS, here, nowMs);
      if (!known) refusePast(TRIES_PER_ACCOUNT, anywhere, nowMs);

      here.undecided += 1;
      anywhere.undecided += 1;
      try {
        const right = await check();
        if (right === true) {
          here.wrong = 0;
          familiar.set(pair, true);
        } else if (right === false) {
          here.wrong += 1;
          if (!known) anywhere.wrong += 1;
        }
        return right;
      } finally {
        here.undecided -= 1;
        anywhere.undecided -= 1;
      }
    },
  };
}
