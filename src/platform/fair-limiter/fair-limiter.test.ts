import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairLimiter, type FairLimiter, type Refusal, type Release, type SlotKey } from './index.ts';

/** Records the order in which keys get their slots. */
function recorder(limiter: FairLimiter) {
  const served: string[] = [];
  const releases: Release[] = [];
  const acquire = async (name: string, key: SlotKey = { tenant: name }, maxWaitMs?: number) => {
    const slot = limiter.acquire(key, maxWaitMs);
    const outcome = slot instanceof Promise ? await slot : slot;
    if (typeof outcome === 'string') return outcome;
    served.push(name);
    releases.push(outcome);
    return outcome;
  };
  const releaseFirst = async () => {
    releases.shift()?.();
    await new Promise(setImmediate);
  };
  return { served, acquire, releaseFirst };
}

const slotOf = (outcome: ReturnType<FairLimiter['acquire']> | Refusal): Release => {
  if (typeof outcome !== 'function') throw new Error(`expected a slot, got ${String(outcome)}`);
  return outcome;
};

describe('acquire', () => {
  it('returns a slot synchronously while one is free, and a promise when none is', async () => {
    const limiter = createFairLimiter({ maxConcurrent: 1 });
    const release = slotOf(limiter.acquire({ tenant: 'a' }));
    const waiting = limiter.acquire({ tenant: 'b' });
    expect(waiting).toBeInstanceOf(Promise);
    expect(limiter.stats()).toEqual({ running: 1, queued: 1 });
    release();
    slotOf((await waiting) as Release)();
    expect(limiter.stats()).toEqual({ running: 0, queued: 0 });
  });

  it('counts a release once, however often it is called', () => {
    const limiter = createFairLimiter({ maxConcurrent: 2 });
    const release = slotOf(limiter.acquire({ tenant: 'a' }));
    slotOf(limiter.acquire({ tenant: 'a' }));
    release();
    release();
    expect(limiter.stats().running).toBe(1);
  });

  it('does not let a newcomer overtake waiters of its own tenant', async () => {
    const limiter = createFairLimiter({ maxConcurrent: 4, maxConcurrentPerTenant: 1 });
    const { acquire, served, releaseFirst } = recorder(limiter);
    void acquire('first', { tenant: 'a' });
    void acquire('second', { tenant: 'a' });
    void acquire('third', { tenant: 'a' });
    await releaseFirst();
    await releaseFirst();
    expect(served).toEqual(['first', 'second', 'third']);
  });

  it('serves every waiter that a release allows', async () => {
    const limiter = createFairLimiter({
      maxConcurrent: 10,
      maxConcurrentPerTenant: 1,
      classes: { normal: {}, expensive: { maxConcurrent: 1 } },
    });
    const { acquire, served, releaseFirst } = recorder(limiter);
    void acquire('a expensive', { tenant: 'a', class: 'expensive' });
    void acquire('a normal', { tenant: 'a', class: 'normal' });
    void acquire('b expensive', { tenant: 'b', class: 'expensive' });
    await releaseFirst();
    expect(served).toEqual(['a expensive', 'a normal', 'b expensive']);
  });
});

describe('caps', () => {
  it('bound each tenant, target and host', () => {
    const limiter = createFairLimiter({
      maxConcurrent: 100,
      maxConcurrentPerTenant: 4,
      maxConcurrentPerTarget: 2,
      maxConcurrentPerHost: 5,
    });
    const take = (tenant: string, target: string, host: string) => limiter.tryAcquire({ tenant, target, host });
    expect([1, 2, 3].map(() => typeof take('a', 'a/1', 'x'))).toEqual(['function', 'function', 'string']);
    expect([1, 2, 3].map(() => typeof take('a', 'a/2', 'x'))).toEqual(['function', 'function', 'string']);
    expect(take('a', 'a/3', 'y')).toBe('tenant limit');
    expect([1, 2].map(() => typeof take('b', 'b/1', 'x'))).toEqual(['function', 'string']);
    expect(typeof take('b', 'b/1', 'y')).toBe('function');
  });

  it('name the limit that was reached, the tenant’s before the total', () => {
    const limiter = createFairLimiter({ maxConcurrent: 2, maxConcurrentPerTenant: 1 });
    slotOf(limiter.tryAcquire({ tenant: 'a' }));
    expect(limiter.tryAcquire({ tenant: 'a' })).toBe('tenant limit');
    slotOf(limiter.tryAcquire({ tenant: 'b' }));
    expect(limiter.tryAcquire({ tenant: 'c' })).toBe('total limit');
    expect(limiter.tryAcquire({ tenant: 'a' })).toBe('tenant limit');
  });

  it('do not apply per tenant to work without a tenant', () => {
    const limiter = createFairLimiter({ maxConcurrent: 3, maxConcurrentPerTenant: 1, maxQueuedPerTenant: 0 });
    for (let count = 0; count < 3; count += 1) slotOf(limiter.acquire({}));
    expect(limiter.acquire({})).toBeInstanceOf(Promise);
  });

  it('reserve the last slots for tenants with few running', () => {
    const limiter = createFairLimiter({ maxConcurrent: 4, reserved: { slots: 2, fewerThan: 1 } });
    slotOf(limiter.tryAcquire({ tenant: 'a' }));
    slotOf(limiter.tryAcquire({ tenant: 'a' }));
    expect(limiter.tryAcquire({ tenant: 'a' })).toBe('total limit');
    slotOf(limiter.tryAcquire({ tenant: 'b' }));
    expect(limiter.tryAcquire({ tenant: 'b' })).toBe('total limit');
    slotOf(limiter.tryAcquire({ tenant: 'c' }));
    expect(limiter.tryAcquire({ tenant: 'd' })).toBe('total limit');
  });

  it('bound a priority class in total and per tenant', () => {
    const limiter = createFairLimiter({
      maxConcurrent: 16,
      maxConcurrentPerTenant: 4,
      classes: { normal: {}, expensive: { maxConcurrent: 4, maxConcurrentPerTenant: 2 } },
    });
    const take = (tenant: string, name: 'normal' | 'expensive') => typeof limiter.tryAcquire({ tenant, class: name });
    expect(['a', 'a', 'a'].map((tenant) => take(tenant, 'expensive'))).toEqual(['function', 'function', 'string']);
    expect(['b', 'b', 'c'].map((tenant) => take(tenant, 'expensive'))).toEqual(['function', 'function', 'string']);
    expect(['a', 'a', 'a'].map((tenant) => take(tenant, 'normal'))).toEqual(['function', 'function', 'string']);
    expect(limiter.runningOf('expensive')).toBe(4);
  });
});

describe('the queue', () => {
  it('serves tenants round-robin, and the targets of each', async () => {
    const limiter = createFairLimiter({ maxConcurrent: 1 });
    const { acquire, served, releaseFirst } = recorder(limiter);
    void acquire('zero');
    for (const name of ['a/1', 'a/1', 'a/2', 'b/1', 'b/1']) {
      void acquire(name, { tenant: name.slice(0, 1), target: name });
    }
    for (let count = 0; count < 5; count += 1) await releaseFirst();
    expect(served).toEqual(['zero', 'a/1', 'b/1', 'a/2', 'b/1', 'a/1']);
  });

  it('serves a higher priority class of a tenant first', async () => {
    const limiter = createFairLimiter({ maxConcurrent: 1, classes: { normal: {}, expensive: {} } });
    const { acquire, served, releaseFirst } = recorder(limiter);
    void acquire('running', { tenant: 'a', class: 'normal' });
    for (const name of ['expensive', 'normal', 'normal']) void acquire(name, { tenant: 'a', class: name });
    for (let count = 0; count < 3; count += 1) await releaseFirst();
    expect(served).toEqual(['running', 'normal', 'normal', 'expensive']);
  });

  it('is bounded in total, per tenant and per target', () => {
    const limiter = createFairLimiter({
      maxConcurrent: 0,
      maxQueued: 4,
      maxQueuedPerTenant: 3,
      maxQueuedPerSubqueue: 2,
    });
    const queue = (tenant: string, target: string) => limiter.acquire({ tenant, target });
    expect([1, 2, 3].map(() => queue('a', 'a/1')).at(-1)).toBe('queue full');
    expect([1, 2].map(() => queue('a', 'a/2')).at(-1)).toBe('queue full');
    expect(queue('b', 'b/1')).toBeInstanceOf(Promise);
    expect(queue('c', 'c/1')).toBe('queue full');
    expect(limiter.stats().queued).toBe(4);
  });

  it('when full, refuses the last waiter of the longest queue in favour of a tenant with none', async () => {
    const limiter = createFairLimiter({ maxConcurrent: 0, maxQueued: 3, displacesLongestQueue: true });
    void limiter.acquire({ tenant: 'a' });
    const last = limiter.acquire({ tenant: 'a' });
    void limiter.acquire({ tenant: 'b' });
    expect(limiter.acquire({ tenant: 'c' })).toBeInstanceOf(Promise);
    expect(await last).toBe('queue full');
    expect(limiter.acquire({ tenant: 'd' })).toBe('queue full');
  });

  it('refuses a waiter at its deadline', async () => {
    const limiter = createFairLimiter({ maxConcurrent: 1, maxWaitMs: 20 });
    const release = slotOf(limiter.acquire({ tenant: 'a' }));
    expect(await limiter.acquire({ tenant: 'b' })).toBe('timed out');
    expect(limiter.stats().queued).toBe(0);
    release();
    slotOf(limiter.acquire({ tenant: 'b' }));
  });

  it('passes over a waiter with too little time left', async () => {
    const limiter = createFairLimiter({ maxConcurrent: 1, minRemainingMs: 1_000 });
    const release = slotOf(limiter.acquire({ tenant: 'a' }));
    const late = limiter.acquire({ tenant: 'b' }, 500);
    const patient = limiter.acquire({ tenant: 'c' }, 60_000);
    release();
    expect(await late).toBe('timed out');
    slotOf((await patient) as Release);
  });
});

describe('run', () => {
  const toError = (refusal: Refusal) => new Error(refusal);

  it('releases the slot when the work fails', async () => {
    const limiter = createFairLimiter({ maxConcurrent: 1 });
    await expect(limiter.run({}, () => Promise.reject(new Error('failed')), toError)).rejects.toThrow('failed');
    expect(await limiter.run({}, async () => 'next', toError)).toBe('next');
    expect(limiter.stats().running).toBe(0);
  });

  it('throws the caller’s error when it is refused', async () => {
    const limiter = createFairLimiter({ maxConcurrent: 0, maxQueued: 0 });
    await expect(limiter.run({}, async () => 'never', toError)).rejects.toThrow('queue full');
  });
});

describe('any sequence of acquires and releases', () => {
  const step = fc.record({
    tenant: fc.constantFrom(undefined, 'a', 'b', 'c', 'd'),
    target: fc.constantFrom(undefined, '1', '2'),
    class: fc.constantFrom<'normal' | 'expensive'>('normal', 'expensive'),
    releases: fc.boolean(),
  });
  const capped = fc.record({
    maxConcurrent: fc.integer({ min: 1, max: 12 }),
    maxConcurrentPerTenant: fc.integer({ min: 1, max: 4 }),
    maxConcurrentPerTarget: fc.integer({ min: 1, max: 3 }),
    expensive: fc.integer({ min: 1, max: 3 }),
  });

  it('exceeds no cap, leaves no free slot beside a waiter, serves every waiter, and ends at zero', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 100 }), capped, async (steps, { expensive, ...caps }) => {
        const classes = { normal: {}, expensive: { maxConcurrent: expensive } };
        const limiter = createFairLimiter({ ...caps, classes });
        const running: { key: SlotKey; release: Release }[] = [];
        const waiting = new Set<SlotKey<keyof typeof classes>>();
        let acquired = 0;
        const settle = async () => {
          await Promise.resolve();
          await Promise.resolve();
        };
        const releaseFirst = () => running.shift()?.release();
        for (const { tenant, target, class: priority, releases } of steps) {
          if (releases) releaseFirst();
          else {
            const key = { tenant, class: priority, ...(target && { target: `${tenant}/${target}` }) };
            acquired += 1;
            const slot = limiter.acquire(key);
            if (slot instanceof Promise) {
              waiting.add(key);
              void slot.then((release) => {
                waiting.delete(key);
                running.push({ key, release: slotOf(release) });
              });
            } else running.push({ key, release: slotOf(slot) });
          }
          await settle();
          const count = (matches: (key: SlotKey) => boolean) => running.filter(({ key }) => matches(key)).length;
          expect(running.length).toBeLessThanOrEqual(caps.maxConcurrent);
          expect(count((key) => key.class === 'expensive')).toBeLessThanOrEqual(expensive);
          for (const one of 'abcd') {
            expect(count((key) => key.tenant === one)).toBeLessThanOrEqual(caps.maxConcurrentPerTenant);
            const ofTarget = count((key) => key.target === `${one}/1`);
            expect(ofTarget).toBeLessThanOrEqual(caps.maxConcurrentPerTarget);
          }
          expect(limiter.stats()).toEqual({ running: running.length, queued: waiting.size });
          // Only the first of each subqueue: those behind it wait for it, whatever they need.
          const heads = Map.groupBy(waiting, (key) => `${key.tenant} ${key.class}`);
          for (const [head] of heads.values()) expect(head && limiter.limitReached(head)).toBeDefined();
        }
        let served = acquired - waiting.size;
        while (running.length > 0) {
          const before = waiting.size;
          releaseFirst();
          await settle();
          served += before - waiting.size;
        }
        expect(served).toBe(acquired);
        expect(limiter.stats()).toEqual({ running: 0, queued: 0 });
      }),
      { numRuns: 300 },
    );
  });

  it('serves a tenant that waits at the latest after one slot of each other tenant', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 }), async (tenants) => {
        const limiter = createFairLimiter({ maxConcurrent: 1 });
        const { acquire, served, releaseFirst } = recorder(limiter);
        void acquire('', {});
        for (const tenant of tenants) void acquire(tenant);
        for (let count = 0; count < tenants.length; count += 1) await releaseFirst();
        const order = served.slice(1);
        expect(order.toSorted()).toEqual(tenants.toSorted());
        const count = (list: string[], tenant: string) => list.filter((one) => one === tenant).length;
        for (const [index, tenant] of order.entries()) {
          const before = order.slice(0, index);
          for (const other of 'abcd') {
            const isWaiting = count(before, other) < count(tenants, other);
            if (isWaiting) expect(count(before, tenant)).toBeLessThanOrEqual(count(before, other) + 1);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
