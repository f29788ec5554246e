import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRoundRobinQueue } from './round-robin-queue.ts';

type Item = { tenant: string; number: number; bytes: number };

function queueOf(items: Item[]) {
  const queue = createRoundRobinQueue<Item>();
  for (const item of items) queue.add(item.tenant, item);
  return queue;
}

const items = (tenant: string, count: number, bytes = 1): Item[] =>
  Array.from({ length: count }, (_, number) => ({ tenant, number, bytes }));

describe('the round-robin queue', () => {
  it('serves a new tenant in the next batch, however many items another has queued', () => {
    const queue = queueOf([...items('many', 1_000), ...items('one', 1)]);
    expect(queue.take(64, 1_000).map(({ tenant }) => tenant)).toContain('one');
  });

  it('limits a batch by bytes, and sends an item larger than the limit alone', () => {
    const queue = queueOf([...items('a', 2, 60), ...items('b', 1, 500)]);
    expect(queue.take(64, 100).map(({ tenant, number }) => `${tenant}${number}`)).toEqual(['a0']);
    expect(queue.take(64, 100).map(({ tenant }) => tenant)).toEqual(['b']);
    expect(queue.queuedOf('a')).toEqual({ count: 1, bytes: 60 });
    expect(queue.take(64, 100)).toHaveLength(1);
    expect(queue.take(64, 100)).toEqual([]);
    expect(queue.queuedBytes()).toBe(0);
  });

  it('serves every item once, each tenant in order, and no tenant two ahead of one that waits', () => {
    const anyItem = fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), bytes: fc.integer({ min: 1, max: 20 }) });
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (arrivals, batchSize) => {
        const all = arrivals.map((item, number) => ({ ...item, number }));
        const queue = queueOf(all);
        const served: Item[] = [];
        for (let batch = queue.take(batchSize, 40); batch.length > 0; batch = queue.take(batchSize, 40)) {
          served.push(...batch);
        }
        expect(served.toSorted((one, other) => one.number - other.number)).toEqual(all);
        const count = (list: Item[], tenant: string) => list.filter((item) => item.tenant === tenant).length;
        for (const [index, { tenant, number }] of served.entries()) {
          const before = served.slice(0, index);
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
