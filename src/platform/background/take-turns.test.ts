import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTurns } from './take-turns.ts';

type Item = { tenant: string; number: number; bytes: number };

function lineUp(items: Item[]) {
  const turns = createTurns<Item>();
  for (const item of items) turns.add(item.tenant, item);
  return turns;
}

const items = (tenant: string, count: number, bytes = 1): Item[] =>
  Array.from({ length: count }, (_, number) => ({ tenant, number, bytes }));

describe('turns', () => {
  it('a newcomer is served in the next batch, however many another has waiting', () => {
    const turns = lineUp([...items('many', 1_000), ...items('one', 1)]);
    expect(turns.take(64, 1_000).map(({ tenant }) => tenant)).toContain('one');
  });

  it('a batch keeps to its bytes, but never holds up what is larger than all of it', () => {
    const turns = lineUp([...items('a', 2, 60), ...items('b', 1, 500)]);
    expect(turns.take(64, 100).map(({ tenant, number }) => `${tenant}${number}`)).toEqual(['a0']);
    expect(turns.take(64, 100).map(({ tenant }) => tenant)).toEqual(['b']);
    expect(turns.waitingOf('a')).toEqual({ count: 1, bytes: 60 });
    expect(turns.take(64, 100)).toHaveLength(1);
    expect(turns.take(64, 100)).toEqual([]);
    expect(turns.waitingBytes()).toBe(0);
  });

  it('serves everyone once, each tenant in its own order, and no tenant two ahead of one that waits', () => {
    const anyItem = fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), bytes: fc.integer({ min: 1, max: 20 }) });
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (given, batchSize) => {
        const all = given.map((item, number) => ({ ...item, number }));
        const turns = lineUp(all);
        const served: Item[] = [];
        for (let batch = turns.take(batchSize, 40); batch.length > 0; batch = turns.take(batchSize, 40)) {
          served.push(...batch);
        }
        expect(served.toSorted((one, other) => one.number - other.number)).toEqual(all);
        const count = (list: Item[], tenant: string) => list.filter((item) => item.tenant === tenant).length;
        for (const [place, { tenant, number }] of served.entries()) {
          const before = served.slice(0, place);
          expect(before.every((item) => item.tenant !== tenant || item.number < number)).toBe(true);
          for (const other of ['a', 'b', 'c']) {
            const isWaiting = count(before, other) < count(all, other);
            if (isWaiting) expect(count(before, tenant)).toBeLessThanOrEqual(count(before, other) + 1);
          }
        }
      }),
    );
  });
});
