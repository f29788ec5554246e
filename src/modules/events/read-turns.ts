import { unavailable } from '../../platform/http/problem.ts';

/** Lets a tenant have a few reads under way at once; the others wait for their turn, the one that came first going first. */
export type ReadTurns = { take<T>(organizationId: string, read: () => Promise<T>): Promise<T> };

type Turns = { underWay: number; waiting: Set<() => void> };

/** Whoever waits has a place in the feed already, so there are never more than a few hundred of a tenant. */
export function createReadTurns(atOnce: number, patienceMs: number): ReadTurns {
  const turnsOf = new Map<string, Turns>();

  function waitForTurn(turns: Turns): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        turns.waiting.delete(go);
        reject(unavailable('Too many reads of the feed are waiting'));
      }, patienceMs);
      turns.waiting.add(go);
    });
  }

  return {
    async take(organizationId, read) {
      const turns = turnsOf.get(organizationId) ?? { underWay: 0, waiting: new Set() };
      turnsOf.set(organizationId, turns);
      // Whoever is let go has been counted by the one before it.
      if (turns.underWay >= atOnce) await waitForTurn(turns);
      else turns.underWay += 1;
      try {
        return await read();
      } finally {
        const [next] = turns.waiting;
        if (next !== undefined) {
          turns.waiting.delete(next);
          next();
        } else {
          turns.underWay -= 1;
          if (turns.underWay === 0) turnsOf.delete(organizationId);
        }
      }
    },
  };
}
