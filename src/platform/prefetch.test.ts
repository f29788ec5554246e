import { describe, expect, it } from 'vitest';
import { prefetch } from './prefetch.ts';

describe('one ahead', () => {
  it('gives every item in its order, the next begun before the last is done with', async () => {
    const steps: string[] = [];
    async function* items() {
      for (const item of ['a', 'b', 'c']) {
        steps.push(`makes ${item}`);
        yield item;
      }
    }
    for await (const item of prefetch(items())) {
      await Promise.resolve();
      steps.push(`uses ${item}`);
    }
    expect(steps).toEqual(['makes a', 'makes b', 'uses a', 'makes c', 'uses b', 'uses c']);
  });

  it('fails where the item fails, after those before it', async () => {
    async function* items() {
      yield 1;
      throw new Error('no more');
    }
    const used: number[] = [];
    const all = async () => {
      for await (const item of prefetch(items())) {
        // Long enough for an unhandled rejection of the next item to be reported.
        await new Promise((resolve) => setImmediate(resolve));
        used.push(item);
      }
    };
    await expect(all()).rejects.toThrow('no more');
    expect(used).toEqual([1]);
  });

  it('closes its source when the consumer stops, after the pending item has settled', async () => {
    const steps: string[] = [];
    async function* items() {
      try {
        for (let item = 0; ; item += 1) {
          await new Promise((resolve) => setImmediate(resolve));
          steps.push(`made ${item}`);
          yield item;
        }
      } finally {
        steps.push('ended');
      }
    }
    for await (const item of prefetch(items())) {
      steps.push(`used ${item}`);
      break;
    }
    steps.push('left');
    expect(steps).toEqual(['made 0', 'used 0', 'made 1', 'ended', 'left']);
  });
});
