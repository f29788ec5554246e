import { describe, expect, it } from 'vitest';
import { createPasswordLane } from './password-lane.ts';

/** Work that ends when it is told to, and a list of what has begun. */
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
    // The place is handed on in the microtasks that follow.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, work, end };
}

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => value,
    (error: { status?: number; headers?: Record<string, string> }) => [error.status, error.headers?.['retry-after']],
  );

describe('the lane for passwords', () => {
  it('runs two at a time, and the next when one is done', async () => {
    const lane = createPasswordLane();
    const { begun, work, end } = stage();
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => lane.run('a', work(name)));
    await end('none');
    expect(begun).toEqual(['a1', 'a2']);
    await end('a2');
    expect(begun).toEqual(['a1', 'a2', 'a3']);
    await end('a1');
    await end('a3');
    await end('a4');
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect(await lane.run('a', async () => 'idle again')).toBe('idle again');
  });

  it('hands the place on after an error', async () => {
    const lane = createPasswordLane({ atOnce: 1 });
    const failing = lane.run('a', () => Promise.reject(new Error('no')));
    const next = lane.run('a', async () => 'next');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });

  it('lets callers take turns: who asks much waits behind who asks once', async () => {
    const lane = createPasswordLane({ atOnce: 1 });
    const { begun, work, end } = stage();
    const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
    for (const name of names) void lane.run(name.slice(0, 1), work(name));
    for (let done = 0; done < names.length; done += 1) await end(begun.at(-1) ?? '');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('429 with Retry-After: more of one caller than may wait', async () => {
    const lane = createPasswordLane({ atOnce: 1, maxWaitingPerCaller: 2 });
    const { begun, work, end } = stage();
    const [running, second, third, refused, other] = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) =>
      outcomeOf(lane.run(name.slice(0, 1), work(name))),
    );
    expect(await refused).toEqual([429, '2']);
    for (let done = 0; done < 4; done += 1) await end(begun.at(-1) ?? '');
    expect(await Promise.all([running, second, third, other])).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  it('when all is full, whoever has most waiting gives way to one who has nothing', async () => {
    const lane = createPasswordLane({ atOnce: 1, maxWaiting: 3, maxWaitingPerCaller: 3 });
    const { begun, work, end } = stage();
    const outcomes = ['a0', 'a1', 'a2', 'b1', 'c1', 'd1'].map((name) =>
      outcomeOf(lane.run(name.slice(0, 1), work(name))),
    );
    // a2 gave way to c1; then each has one, and d1 is the one too many.
    expect(await outcomes[2]).toEqual([429, '2']);
    expect(await outcomes[5]).toEqual([429, '2']);
    for (let done = 0; done < 4; done += 1) await end(begun.at(-1) ?? '');
    expect(begun).toEqual(['a0', 'a1', 'b1', 'c1']);
  });

  it('429: one whose turn does not come in time', async () => {
    const lane = createPasswordLane({ atOnce: 1, maxWaitMs: 5 });
    const { work, end } = stage();
    const running = lane.run('a', work('a1'));
    expect(await outcomeOf(lane.run('b', work('b1')))).toEqual([429, '2']);
    await end('a1');
    expect(await running).toBe('a1');
  });
});
