import { createFairLimiter, type FairLimiter } from '../fair-limiter/index.ts';

/** The database has more work than it can take on. A later attempt may succeed. */
export class DatabaseBusy extends Error {
  readonly code = 'DATABASE_BUSY';
}

/** The tenant has as many requests waiting as it may. It slows down its own requests only. */
export class TenantQueueFull extends DatabaseBusy {
  readonly limit: number;

  constructor(limit: number) {
    super(`${limit} requests of the tenant are waiting for the database`);
    this.limit = limit;
  }
}

export type PriorityClass = 'normal' | 'expensive';

export type ConnectionLimits = { poolSize: number; maxWaitMs: number; maxQueuedPerTenant: number };

/**
 * Fair limiter for pool connections. Each tenant may hold at most 1/4 of the pool; expensive reads at most 1/4 in total and 1/8 per
 * tenant. `maxQueuedPerTenant` holds for each class. Work without a tenant (see `TenantContext`) has no share of its own: it is
 * limited where it is started.
 *
 * Half of the pool per tenant was tried: beside 200 clients of another tenant, a read then took 17.9 ms (p50) and an order up to
 * 101 ms (p99); with 1/4 it is 10.4 and 34. A single busy tenant loses nothing: its orders share statements, and four statements
 * keep both cores busy.
 *
 * The pool has a free connection for every slot, so a statement waits here and nowhere else.
 */
export function createConnectionLimiter(limits: ConnectionLimits): FairLimiter<PriorityClass> {
  const { poolSize, maxWaitMs, maxQueuedPerTenant } = limits;
  const shareOf = (parts: number) => Math.max(1, Math.floor(poolSize / parts));
  return createFairLimiter<PriorityClass>({
    maxConcurrent: poolSize,
    maxConcurrentPerTenant: shareOf(4),
    // Of a cluster, for the tenants of one node: when it hangs, connections are left for those of the others.
    maxConcurrentPerHost: Math.max(1, Math.ceil(poolSize * 0.6)),
    classes: { normal: {}, expensive: { maxConcurrent: shareOf(4), maxConcurrentPerTenant: shareOf(8) } },
    maxQueuedPerSubqueue: maxQueuedPerTenant,
    maxWaitMs,
  });
}
