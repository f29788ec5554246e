import { createFairLimiter, type Release } from '../../platform/fair-limiter/index.ts';
import { tooManyRequests, unavailable } from '../../platform/http/problem.ts';

export type ResponseLimiter = {
  /** Throws 429 when the tenant's own limit is reached, 503 when the total is. */
  acquire(organizationId: string): Promise<Release>;
};

export type ResponseLimits = {
  maxConcurrent: number;
  maxConcurrentPerTenant: number;
  maxQueuedPerTenant: number;
  maxWaitMs: number;
};

const RETRY_AFTER_MS = 5_000;

/** Limits responses that are too large to be held in memory as a whole. */
export function createResponseLimiter(limits: ResponseLimits): ResponseLimiter {
  const limiter = createFairLimiter(limits);
  return {
    async acquire(organizationId) {
      const key = { tenant: organizationId };
      const release = await limiter.acquire(key);
      if (typeof release !== 'string') return release;
      throw limiter.limitReached(key) === 'tenant limit'
        ? tooManyRequests(limits.maxConcurrentPerTenant, RETRY_AFTER_MS)
        : unavailable('Too many large answers are under way', RETRY_AFTER_MS / 1000);
    },
  };
}
