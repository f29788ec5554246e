import { describe, expect, it } from 'vitest';
import { createVendorCallLimiter } from './vendor-call-limiter.ts';

const LONG_MS = 60_000;

const keyOf = (organization: string, install = 'a', host = `${organization}.test`) => ({
  tenant: organization,
  target: `${organization}/${install}`,
  host,
});

/** Slots that were granted at once. */
function acquireMany(
  limiter: ReturnType<typeof createVendorCallLimiter>,
  key: ReturnType<typeof keyOf>,
  count: number,
) {
  const slots = Array.from({ length: count }, () => limiter.acquire(key, LONG_MS));
  return slots.filter((slot) => typeof slot === 'function').length;
}

describe('the limiter for vendor calls', () => {
  it('limits calls per install, organization and host', () => {
    const limiter = createVendorCallLimiter({ maxConcurrentPerHost: 20 });
    expect(acquireMany(limiter, keyOf('one', 'a'), 10)).toBe(8);
    expect(acquireMany(limiter, keyOf('one', 'b'), 10)).toBe(8);
    expect(acquireMany(limiter, keyOf('one', 'c'), 10)).toBe(0);
    expect(acquireMany(limiter, keyOf('two', 'a', 'one.test'), 10)).toBe(4);
    expect(acquireMany(limiter, keyOf('three'), 10)).toBe(8);
  });

  it('reserves slots for organizations with few calls running', () => {
    const limiter = createVendorCallLimiter();
    for (let index = 0; index < 30; index += 1) acquireMany(limiter, keyOf(`busy${index % 6}`, String(index)), 16);
    expect(limiter.stats().running).toBe(96);
    expect(acquireMany(limiter, keyOf('quiet'), 10)).toBe(4);
  });

  it('queues at most 200 calls of an install and 400 of an organization', () => {
    const limiter = createVendorCallLimiter();
    acquireMany(limiter, keyOf('one', 'a'), 300);
    expect(limiter.stats()).toEqual({ running: 8, queued: 200 });
    acquireMany(limiter, keyOf('one', 'b'), 300);
    acquireMany(limiter, keyOf('one', 'c'), 300);
    expect(limiter.stats()).toEqual({ running: 16, queued: 400 });
  });

  it('refuses a call that waited until its deadline', async () => {
    const limiter = createVendorCallLimiter({ maxConcurrent: 0 });
    expect(await limiter.acquire(keyOf('one'), 5)).toBe('timed out');
    expect(limiter.stats().queued).toBe(0);
  });

  it('refuses a call with less than 100 ms left when its turn comes', async () => {
    const limiter = createVendorCallLimiter({ maxConcurrent: 1, reserved: { slots: 0, fewerThan: 0 } });
    const release = await limiter.acquire(keyOf('one'), LONG_MS);
    const late = limiter.acquire(keyOf('two'), 50);
    const patient = limiter.acquire(keyOf('three'), LONG_MS);
    if (typeof release === 'function') release();
    expect(await late).toBe('timed out');
    expect(await patient).toBeTypeOf('function');
    expect(limiter.stats()).toEqual({ running: 1, queued: 0 });
  });
});
