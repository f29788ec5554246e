import { expect, it } from 'vitest';
import { createDialQueue } from './dial-queue.ts';

/** Dials that end when the test says so. */
function openQueue(maxAtOnce: number) {
  const queue = createDialQueue(maxAtOnce);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    dial: (name: string) =>
      queue((through) => {
        begun.push(name);
        ends.set(name, through);
      }),
    end: (name: string) => ends.get(name)?.(),
  };
}

it('lets so many in at once, the others in turn as each is through', () => {
  const { begun, dial, end } = openQueue(2);
  for (const name of ['a', 'b', 'c', 'd', 'e']) dial(name);
  expect(begun).toEqual(['a', 'b']);
  end('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('counts one that is through twice only once', () => {
  const { begun, dial, end } = openQueue(1);
  for (const name of ['a', 'b', 'c']) dial(name);
  end('a');
  end('a');
  expect(begun).toEqual(['a', 'b']);
});

it('goes on with the next when one is through before it has begun', () => {
  const queue = createDialQueue(1);
  const begun: number[] = [];
  for (const count of [1, 2, 3]) {
    queue((through) => {
      begun.push(count);
      through();
    });
  }
  expect(begun).toEqual([1, 2, 3]);
});
