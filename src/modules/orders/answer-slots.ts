import { type Problem, tooManyRequests, unavailable } from '../../platform/http/problem.ts';

export type AnswerSlots = {
  /** Resolves with the way out, which may be taken more than once. Refuses with 429, or 503 when it is others who are too many. */
  enter(organizationId: string): Promise<() => void>;
};

export type SlotLimits = {
  perTenant: number;
  overall: number;
  /** How long a request may wait for its turn, and how many of a tenant may. */
  waitMs: number;
  waitingPerTenant: number;
};

const RETRY_AFTER_MS = 5_000;

type Waiting = { organizationId: string; resolve(leave: () => void): void };

/** Answers too large to be held whole in memory: so many at once for a tenant, so many for all of them. */
export function createAnswerSlots({ perTenant, overall, waitMs, waitingPerTenant }: SlotLimits): AnswerSlots {
  const running = new Map<string, number>();
  const queue: Waiting[] = [];
  let taken = 0;

  const runningOf = (organizationId: string) => running.get(organizationId) ?? 0;
  const hasRoom = (organizationId: string) => taken < overall && runningOf(organizationId) < perTenant;

  function take(organizationId: string): () => void {
    taken += 1;
    running.set(organizationId, runningOf(organizationId) + 1);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      taken -= 1;
      const left = runningOf(organizationId) - 1;
      if (left === 0) running.delete(organizationId);
      else running.set(organizationId, left);
      letNextIn();
    };
  }

  function letNextIn(): void {
    const next = queue.findIndex((waiting) => hasRoom(waiting.organizationId));
    const [waiting] = next < 0 ? [] : queue.splice(next, 1);
    waiting?.resolve(take(waiting.organizationId));
  }

  function refusal(organizationId: string): Problem {
    return runningOf(organizationId) < perTenant
      ? unavailable('Too many large answers are under way', RETRY_AFTER_MS / 1000)
      : tooManyRequests(perTenant, RETRY_AFTER_MS);
  }

  return {
    async enter(organizationId) {
      if (hasRoom(organizationId)) return take(organizationId);
      const ahead = queue.filter((waiting) => waiting.organizationId === organizationId).length;
      if (ahead >= waitingPerTenant) throw refusal(organizationId);
      return new Promise((resolve, reject) => {
        const waiting: Waiting = {
          organizationId,
          resolve(leave) {
            clearTimeout(timer);
            resolve(leave);
          },
        };
        const timer = setTimeout(() => {
          queue.splice(queue.indexOf(waiting), 1);
          reject(refusal(organizationId));
        }, waitMs);
        queue.push(waiting);
      });
    },
  };
}
