import type { WakeUp } from '../../platform/background/index.ts';

/** Lets requests wait for their tenant's next event without asking the database over and over. */
export type FeedWaiters = {
  /** Resolves when the tenant may have new events, when the time is up, or when the wait is called off. */
  wait(organizationId: string, timeoutMs: number, signal: AbortSignal): Promise<void>;
  releaseAll(): void;
};

export function createFeedWaiters(feed: WakeUp): FeedWaiters {
  const waiting = new Map<string, Set<() => void>>();

  function release(organizationId: string): void {
    for (const wake of waiting.get(organizationId) ?? []) wake();
  }
  function releaseAll(): void {
    for (const organizationId of waiting.keys()) release(organizationId);
  }

  feed.onRing((payload) => {
    // An empty payload follows a reconnect: anything may have happened in between.
    if (payload === '' || payload === '*') releaseAll();
    else for (const organizationId of payload.split(',')) release(organizationId);
  });

  return {
    releaseAll,
    wait(organizationId, timeoutMs, signal) {
      return new Promise((resolve) => {
        const waiters = waiting.get(organizationId) ?? new Set();
        waiting.set(organizationId, waiters);
        const timer = setTimeout(finish, timeoutMs);
        function finish() {
          clearTimeout(timer);
          signal.removeEventListener('abort', finish);
          waiters.delete(finish);
          if (waiters.size === 0 && waiting.get(organizationId) === waiters) waiting.delete(organizationId);
          resolve();
        }
        waiters.add(finish);
        signal.addEventListener('abort', finish, { once: true });
        if (signal.aborted) finish();
      });
    },
  };
}
