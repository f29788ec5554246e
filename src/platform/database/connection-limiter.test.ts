import { describe, expect, it } from 'vitest';
import { createConnectionLimiter, type PriorityClass } from './connection-limiter.ts';

const limits = { poolSize: 16, maxWaitMs: 60_000, maxQueuedPerTenant: 100 };

/** Slots that were granted at once. */
function acquireMany(limiter: ReturnType<typeof createConnectionLimiter>) {
  return (count: number, tenant: string | undefined, priorityClass: PriorityClass = 'normal'): number => {
    const slots = Array.from({ length: count }, () => limiter.acquire({ tenant, class: priorityClass }));
    return slots.filter((slot) => typeof slot === 'function').length;
  };
}

describe('the connection limiter', () => {
  it('gives one tenant at most a quarter of the pool, so that another tenant does not wait for it', () => {
    const limiter = createConnectionLimiter(limits);
    const acquire = acquireMany(limiter);
    expect(acquire(50, 'busy')).toBe(4);
    expect(acquire(1, 'quiet')).toBe(1);
    expect(limiter.stats()).toEqual({ running: 5, queued: 46 });
  });

  it('gives expensive reads a quarter in total and an eighth per tenant, and the rest to the others', () => {
    const limiter = createConnectionLimiter(limits);
    const acquire = acquireMany(limiter);
    expect(['a', 'b', 'c'].map((tenant) => acquire(10, tenant, 'expensive'))).toEqual([2, 2, 0]);
    expect(acquire(10, 'a')).toBe(2);
  });

  it('gives work without a tenant the whole pool', () => {
    expect(acquireMany(createConnectionLimiter(limits))(20, undefined)).toBe(16);
  });

  it('gives every class one slot in the smallest pool', () => {
    expect(acquireMany(createConnectionLimiter({ ...limits, poolSize: 1 }))(2, 'a', 'expensive')).toBe(1);
  });

  it('refuses at once when too many statements of a tenant and class are queued', () => {
    const limiter = createConnectionLimiter({ ...limits, maxQueuedPerTenant: 3 });
    acquireMany(limiter)(7, 'busy');
    expect(limiter.acquire({ tenant: 'busy', class: 'normal' })).toBe('queue full');
    expect(limiter.acquire({ tenant: 'busy', class: 'expensive' })).toBeInstanceOf(Promise);
    expect(limiter.acquire({ tenant: 'quiet', class: 'normal' })).toBeTypeOf('function');
  });
});
