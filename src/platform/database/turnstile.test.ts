import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTurnstile, DatabaseBusy, type Lane } from './turnstile.ts';

const options = { places: 16, maxWaitMs: 60_000, maxWaitingPerTenant: 100 };

/** Enters without waiting for it, and notes when it was let in. Who is still waiting when a test ends is turned away later. */
function comer(turnstile: ReturnType<typeof createTurnstile>, order: string[]) {
  return (tenant: string, lane: Lane = 'usual') => {
    const wait = turnstile.enter(tenant, lane);
    if (wait === undefined) order.push(tenant);
    return wait?.then(
      () => void order.push(tenant),
      () => undefined,
    );
  };
}

describe('a tenant', () => {
  it('holds at most a quarter, so that another never waits for it', async () => {
    const turnstile = createTurnstile(options);
    const order: string[] = [];
    const come = comer(turnstile, order);
    for (let times = 0; times < 50; times += 1) void come('loud');
    expect(order).toEqual(Array(4).fill('loud'));
    void come('quiet');
    expect(order.at(-1)).toBe('quiet');
    expect(turnstile.figures()).toEqual({ inUse: 5, expensive: 0, waiting: 46 });
  });

  it('takes turns with others, however many it has waiting', async () => {
    const turnstile = createTurnstile(options);
    const order: string[] = [];
    const come = comer(turnstile, order);
    for (const tenant of 'abcd') for (let times = 0; times < 20; times += 1) void come(tenant);
    const late = come('e');
    order.length = 0;
    turnstile.leave('a', 'usual');
    turnstile.leave('b', 'usual');
    turnstile.leave('a', 'usual');
    await late;
    expect(order.length).toBe(3);
    expect(order).toContain('e');
  });

  it('is turned away at once when too many of its own wait', () => {
    const turnstile = createTurnstile({ ...options, maxWaitingPerTenant: 3 });
    const come = comer(turnstile, []);
    for (let times = 0; times < 7; times += 1) void come('loud');
    expect(() => turnstile.enter('loud', 'usual')).toThrow(DatabaseBusy);
    expect(turnstile.enter('quiet', 'usual')).toBeUndefined();
  });
});

describe('expensive reads', () => {
  it('hold a quarter of the places, one tenant half of that, and leave the rest to the others', () => {
    const turnstile = createTurnstile({ ...options, places: 16 });
    const order: string[] = [];
    const come = comer(turnstile, order);
    for (const tenant of ['a', 'b', 'c']) for (let times = 0; times < 10; times += 1) void come(tenant, 'expensive');
    expect(order).toEqual(['a', 'a', 'b', 'b']);
    void come('a');
    expect(order.at(-1)).toBe('a');
  });
});

describe('nobody in particular', () => {
  it('has no share: what is done for all is bounded where it is made', () => {
    const turnstile = createTurnstile(options);
    const come = comer(turnstile, []);
    for (let times = 0; times < 16; times += 1) expect(come('')).toBeUndefined();
    expect(come('')).toBeInstanceOf(Promise);
  });
});

describe('a wait', () => {
  it('has a limit', async () => {
    const turnstile = createTurnstile({ places: 1, maxWaitMs: 20, maxWaitingPerTenant: 10 });
    turnstile.enter('a', 'usual');
    await expect(turnstile.enter('b', 'usual')).rejects.toThrow(DatabaseBusy);
    expect(turnstile.figures().waiting).toBe(0);
    turnstile.leave('a', 'usual');
    expect(turnstile.enter('b', 'usual')).toBeUndefined();
  });
});

describe('whatever comes and goes', () => {
  const step = fc.record({
    tenant: fc.constantFrom('', 'a', 'b', 'c', 'd'),
    lane: fc.constantFrom<Lane>('usual', 'expensive'),
    leaves: fc.boolean(),
  });

  it('no bound is passed, nobody is forgotten, and no place stays empty that somebody may take', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 16 }), async (steps, places) => {
        const turnstile = createTurnstile({ places, maxWaitMs: 60_000, maxWaitingPerTenant: 1000 });
        const inside: { tenant: string; lane: Lane }[] = [];
        let entered = 0;
        let came = 0;
        for (const { tenant, lane, leaves } of steps) {
          if (leaves) {
            const gone = inside.shift();
            if (gone) turnstile.leave(gone.tenant, gone.lane);
          } else {
            came += 1;
            const enter = () => {
              entered += 1;
              inside.push({ tenant, lane });
            };
            const wait = turnstile.enter(tenant, lane);
            if (wait === undefined) enter();
            else void wait.then(enter);
          }
          await Promise.resolve();
          await Promise.resolve();
          const held = (who: string) => inside.filter((one) => one.tenant === who).length;
          expect(inside.length).toBeLessThanOrEqual(places);
          for (const who of 'abcd') expect(held(who)).toBeLessThanOrEqual(Math.max(1, Math.floor(places / 4)));
          expect(turnstile.figures()).toMatchObject({ inUse: inside.length, waiting: came - entered });
        }
        while (inside.length > 0) {
          const gone = inside.shift();
          if (gone) turnstile.leave(gone.tenant, gone.lane);
          await Promise.resolve();
          await Promise.resolve();
        }
        expect(entered).toBe(came);
      }),
      { numRuns: 200 },
    );
  });
});
