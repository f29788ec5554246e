import { describe, expect, test } from 'vitest';
import { createResponseLimiter } from './response-limiter.ts';

const limits = { maxConcurrent: 3, maxConcurrentPerTenant: 2, maxQueuedPerTenant: 1, maxWaitMs: 30_000 };

describe('the limiter for large responses', () => {
  test('queues one request past the tenant limit and returns 429 for the next', async () => {
    const limiter = createResponseLimiter(limits);
    const release = await limiter.acquire('a');
    await limiter.acquire('a');
    const waiting = limiter.acquire('a');
    await expect(limiter.acquire('a')).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
    release();
    release();
    (await waiting)();
    await limiter.acquire('a');
  });

  test('serves another tenant while one is at its limit with a request queued', async () => {
    const limiter = createResponseLimiter(limits);
    const first = await limiter.acquire('a');
    await limiter.acquire('a');
    let isServed = false;
    const queued = limiter.acquire('a').then((release) => {
      isServed = true;
      return release;
    });
    (await limiter.acquire('b'))();
    (await limiter.acquire('b'))();
    expect(isServed).toBe(false);
    first();
    expect(await queued).toBeTypeOf('function');
  });

  test('returns 503 when the total limit is reached by other tenants', async () => {
    const limiter = createResponseLimiter({ ...limits, maxQueuedPerTenant: 0 });
    await limiter.acquire('a');
    await limiter.acquire('b');
    const release = await limiter.acquire('c');
    await expect(limiter.acquire('d')).rejects.toMatchObject({ status: 503 });
    release();
    await limiter.acquire('d');
  });

  test('returns 429 when the tenant is still at its limit after the longest wait', async () => {
    const limiter = createResponseLimiter({ ...limits, maxWaitMs: 20 });
    await limiter.acquire('a');
    const release = await limiter.acquire('a');
    await expect(limiter.acquire('a')).rejects.toMatchObject({ status: 429 });
    release();
    await limiter.acquire('a');
  });
});
