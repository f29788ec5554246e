import { tooManyRequests } from '../../../platform/http/problem.ts';

/**
 * Where all password hashing of the service queues. scrypt runs on libuv's four threads, which files and name look-ups
 * need as well, and each run takes 32 MB and about 60 ms: two at a time, whoever asks.
 *
 * Callers take turns (by address for a login, by account for a password change), so that one who asks a hundred times
 * makes only himself wait. Past the limits the answer is 429; when everything is full, whoever has most waiting gives
 * way to one who has nothing yet.
 */
export type PasswordLane = { run<Result>(caller: string, work: () => Promise<Result>): Promise<Result> };

export type PasswordLaneLimits = {
  atOnce: number;
  maxWaiting: number;
  maxWaitingPerCaller: number;
  maxWaitMs: number;
};

const LIMITS: PasswordLaneLimits = { atOnce: 2, maxWaiting: 256, maxWaitingPerCaller: 8, maxWaitMs: 5_000 };
const RETRY_AFTER_MS = 2_000;

type Waiting = { begin(): void; refuse(): void };

export function createPasswordLane(limits: Partial<PasswordLaneLimits> = {}): PasswordLane {
  const { atOnce, maxWaiting, maxWaitingPerCaller, maxWaitMs } = { ...LIMITS, ...limits };
  // A Map keeps the order of insertion: its first entry is the caller whose turn it is.
  const queues = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;

  function beginNext(): void {
    for (const [caller, queue] of queues) {
      queues.delete(caller);
      const next = queue.shift();
      // To the back, behind all who wait as well.
      if (queue.length > 0) queues.set(caller, queue);
      if (next === undefined) continue;
      waiting -= 1;
      next.begin();
      return;
    }
  }

  function makeRoomFor(caller: string): boolean {
    const own = queues.get(caller)?.length ?? 0;
    if (own >= maxWaitingPerCaller) return false;
    if (waiting < maxWaiting) return true;
    const longest = [...queues.values()].reduce((most, queue) => (queue.length > most.length ? queue : most));
    if (longest.length <= own + 1) return false;
    longest.at(-1)?.refuse();
    return true;
  }

  function waitForTurn(caller: string): Promise<void> {
    if (!makeRoomFor(caller)) return Promise.reject(tooManyRequests(atOnce, RETRY_AFTER_MS));
    return new Promise((resolve, reject) => {
      const queue = queues.get(caller) ?? [];
      const timer = setTimeout(() => entry.refuse(), maxWaitMs);
      const entry: Waiting = {
        begin() {
          clearTimeout(timer);
          resolve();
        },
        refuse() {
          clearTimeout(timer);
          queue.splice(queue.indexOf(entry), 1);
          if (queue.length === 0) queues.delete(caller);
          waiting -= 1;
          reject(tooManyRequests(atOnce, RETRY_AFTER_MS));
        },
      };
      queue.push(entry);
      queues.set(caller, queue);
      waiting += 1;
    });
  }

  return {
    async run(caller, work) {
      // The place of one who is done is handed to the next, so nobody can slip in between.
      if (running >= atOnce) await waitForTurn(caller);
      else running += 1;
      try {
        return await work();
      } finally {
        if (waiting > 0) beginNext();
        else running -= 1;
      }
    },
  };
}
