import { LRUCache } from 'lru-cache';
import { atMostEntries } from '../../platform/lru-limit.ts';

/** Pauses between calls for an install whose vendor keeps failing. */
export type CoolDowns = {
  isCooling(installId: string): boolean;
  record(installId: string, hasSucceeded: boolean): void;
};

const FIRST_MS = 250;
const LONGEST_MS = 30_000;
/** An evicted install is called once more than needed. */
const MAX_INSTALLS = 5_000;

/**
 * The pause doubles with every failure in a row, up to half a minute, and ends with a success. Without it, a vendor that answers
 * 4 MB at once for every notice keeps a core busy with reading and throwing away.
 */
export function createCoolDowns(nowMs: () => number = performance.now.bind(performance)): CoolDowns {
  const failing = new LRUCache<string, { failures: number; untilMs: number }>(atMostEntries(MAX_INSTALLS));
  return {
    isCooling: (installId) => (failing.get(installId)?.untilMs ?? 0) > nowMs(),
    record(installId, hasSucceeded) {
      const failures = hasSucceeded ? 0 : (failing.get(installId)?.failures ?? 0) + 1;
      if (failures === 0) failing.delete(installId);
      else
        failing.set(installId, { failures, untilMs: nowMs() + Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS) });
    },
  };
}
