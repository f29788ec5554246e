import { createFairLimiter, type Release } from '../../platform/fair-limiter/index.ts';
import { tooManyRequests, unavailable } from '../../platform/http/problem.ts';

/** Limits requests that stay open, per tenant and in total. */
export type OpenRequestLimiter = {
  /** Throws 429 when the tenant's own limit is reached, 503 when the total is. */
  acquire(organizationId: string): Release;
  open(): number;
};

const RETRY_AFTER_MS = 5_000;

export function createOpenRequestLimiter(maxConcurrentPerTenant: number, maxConcurrent: number): OpenRequestLimiter {
  const limiter = createFairLimiter({ maxConcurrent, maxConcurrentPerTenant });
  return {
    acquire(organizationId) {
      const release = limiter.tryAcquire({ tenant: organizationId });
      if (release === 'tenant limit') throw tooManyRequests(maxConcurrentPerTenant, RETRY_AFTER_MS);
      if (release === 'total limit')
        throw unavailable('Too many readers of the feed are connected', RETRY_AFTER_MS / 1000);
      return release;
    },
    open: () => limiter.stats().running,
  };
}
