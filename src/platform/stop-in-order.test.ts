import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { type StoppingPart, stopInOrder } from './stop-in-order.ts';

const log = pino({ level: 'silent' });
const never = () => new Promise<void>(() => undefined);

/** Records when it was stopped and with which time limit. */
function part(name: string, said: [string, number][], work: (withinMs: number) => Promise<void>): StoppingPart {
  return {
    name,
    stop(withinMs) {
      said.push([name, withinMs]);
      return work(withinMs);
    },
  };
}

describe('a stop', () => {
  it('asks each part once the one before it is down', async () => {
    const events: string[] = [];
    const parts = ['a', 'b', 'c'].map((name) => ({
      name,
      async stop() {
        events.push(`${name} asked`);
        await delay(1);
        events.push(`${name} down`);
      },
    }));
    await stopInOrder(parts, 10_000, log);
    expect(events).toEqual(['a asked', 'a down', 'b asked', 'b down', 'c asked', 'c down']);
  });

  it('ends although every part hangs, and each was asked and had its share of what was left', async () => {
    const said: { name: string; withinMs: number; leftMs: number }[] = [];
    const endMs = performance.now() + 2_000;
    const hanging = (name: string): StoppingPart => ({
      name,
      stop(withinMs) {
        said.push({ name, withinMs, leftMs: endMs - performance.now() });
        return never();
      },
    });
    const names = ['http', 'engine', 'follower', 'jobs', 'database'];
    await stopInOrder(names.map(hanging), 2_000, log);
    expect(said.map(({ name }) => name)).toEqual(names);
    // Of what was left at that moment, and not of the two seconds: how late a busy machine wakes it is not its doing.
    for (const { withinMs, leftMs } of said) expect(withinMs).toBeGreaterThanOrEqual(0.4 * leftMs);
    // All of them together have no more than there was; the first had half of it.
    expect(said.reduce((sum, { withinMs }) => sum + withinMs, 0)).toBeLessThanOrEqual(2_000);
    expect(said[0]?.withinMs).toBeLessThanOrEqual(1_000);
  });

  it('waits for parts that use their whole time limit', async () => {
    const said: [string, number][] = [];
    const down: string[] = [];
    const slow = (name: string) =>
      part(name, said, async (withinMs) => {
        await delay(withinMs);
        down.push(name);
      });
    await stopInOrder([slow('a'), slow('b'), slow('c')], 3_000, log);
    expect(down).toEqual(['a', 'b', 'c']);
  });

  it('goes on past a part that fails, and then fails like it', async () => {
    const said: [string, number][] = [];
    const failing = part('a', said, () => Promise.reject(new Error('stuck valve')));
    await expect(stopInOrder([failing, part('b', said, async () => undefined)], 1_000, log)).rejects.toThrow(
      'stuck valve',
    );
    expect(said.map(([name]) => name)).toEqual(['a', 'b']);
  });
});
