import { describe, expect, it } from 'vitest';
import { createPasswordHashQueue } from './password-hash-queue.ts';

/** Work that ends on demand, and a list of the work that has started. */
function stage() {
  const begun: string[] = [];
  const gates = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      gates.set(name, () => resolve(name));
    });
  const end = async (name: string) => {
    gates.get(name)?.();
    // The slot is handed on in the microtasks that follow.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, work, end };
}

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => value,
    (error: { status?: number; headers?: Record<string, string> }) => [error.status, error.headers?.['retry-after']],
  );

describe('the password hash queue', () => {
  it('runs two hashes at a time and starts the next when one is done', async () => {
    const queue = createPasswordHashQueue();
    const { begun, work, end } = stage();
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => queue.run('a', work(name)));
    await end('none');
    expect(begun).toEqual(['a1', 'a2']);
    await end('a2');
    expect(begun).toEqual(['a1', 'a2', 'a3']);
    await end('a1');
    await end('a3');
    await end('a4');
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect(await queue.run('a', async () => 'idle again')).toBe('idle again');
  });

  it('releases the slot when the work fails', async () => {
    const queue = createPasswordHashQueue({ maxConcurrent: 1 });
    const failing = queue.run('a', () => Promise.reject(new Error('no')));
    const next = queue.run('a', async () => 'next');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });

  it('serves callers round-robin, so that many requests of one caller do not delay another', async () => {
    const queue = createPasswordHashQueue({ maxConcurrent: 1 });
    const { begun, work, end } = stage();
    const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
    for (const name of names) void queue.run(name.slice(0, 1), work(name));
    for (let done = 0; done < names.length; done += 1) await end(begun.at(-1) ?? '');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('returns 429 with Retry-After when a caller has too many requests queued', async () => {
    const queue = createPasswordHashQueue({ maxConcurrent: 1, maxQueuedPerTenant: 2 });
    const { begun, work, end } = stage();
    const [running, second, third, refused, other] = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) =>
      outcomeOf(queue.run(name.slice(0, 1), work(name))),
    );
    expect(await refused).toEqual([429, '2']);
    for (let done = 0; done < 4; done += 1) await end(begun.at(-1) ?? '');
    expect(await Promise.all([running, second, third, other])).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  it('refuses the last request of the caller with the longest queue when the queue is full', async () => {
    const queue = createPasswordHashQueue({ maxConcurrent: 1, maxQueued: 3, maxQueuedPerTenant: 3 });
    const { begun, work, end } = stage();
    const outcomes = ['a0', 'a1', 'a2', 'b1', 'c1', 'd1'].map((name) =>
      outcomeOf(queue.run(name.slice(0, 1), work(name))),
    );
    // a2 is displaced by c1; then each caller has one, and d1 is refused.
    expect(await outcomes[2]).toEqual([429, '2']);
    expect(await outcomes[5]).toEqual([429, '2']);
    for (let done = 0; done < 4; done += 1) await end(begun.at(-1) ?? '');
    expect(begun).toEqual(['a0', 'a1', 'b1', 'c1']);
  });

  it('returns 429 when no slot is free within the wait limit', async () => {
    const queue = createPasswordHashQueue({ maxConcurrent: 1, maxWaitMs: 5 });
    const { work, end } = stage();
    const running = queue.run('a', work('a1'));
    expect(await outcomeOf(queue.run('b', work('b1')))).toEqual([429, '2']);
    await end('a1');
    expect(await running).toBe('a1');
  });
});
