import { expect, it } from 'vitest';
import { batchWrites } from './write-batching.ts';

const FURTHER_AFTER_MS = 40;

/** Writes that end when the test says so. */
function openWrites(options: { maxConcurrent: number; furtherAfterMs?: number }) {
  const begun: { items: number[]; atMs: number; end(): void }[] = [];
  const add = batchWrites<number, number>({
    name: 'numbers',
    ...options,
    tenantOf: () => 'one',
    bytesOf: () => 1,
    write(items) {
      const { promise, resolve } = Promise.withResolvers<number[]>();
      begun.push({ items, atMs: performance.now(), end: () => resolve(items) });
      return promise;
    },
  });
  return { begun, add };
}

it('begins a further write at once while the first one runs, up to the limit', async () => {
  const { begun, add } = openWrites({ maxConcurrent: 2 });
  const first = add(1);
  await expect.poll(() => begun.length).toBe(1);
  const second = add(2);
  await expect.poll(() => begun.length).toBe(2);
  const third = add(3);
  begun[1]?.end();
  expect(await second).toBe(2);
  await expect.poll(() => begun.map(({ items }) => items)).toEqual([[1], [2], [3]]);
  for (const { end } of begun) end();
  expect(await Promise.all([first, third])).toEqual([1, 3]);
});

it('begins a further write only when the one that runs has run for a while', async () => {
  const { begun, add } = openWrites({ maxConcurrent: 2, furtherAfterMs: FURTHER_AFTER_MS });
  const first = add(1);
  await expect.poll(() => begun.length).toBe(1);
  const waiting = [add(2), add(3)];
  await expect.poll(() => begun.map(({ items }) => items)).toEqual([[1], [2, 3]]);
  const [one, other] = begun;
  expect((other?.atMs ?? 0) - (one?.atMs ?? 0)).toBeGreaterThanOrEqual(FURTHER_AFTER_MS - 1);
  for (const { end } of begun) end();
  expect(await Promise.all([first, ...waiting])).toEqual([1, 2, 3]);
});

it('collects what arrives while a short write runs into the next one', async () => {
  const { begun, add } = openWrites({ maxConcurrent: 2, furtherAfterMs: 60_000 });
  const first = add(1);
  await expect.poll(() => begun.length).toBe(1);
  const waiting = [add(2), add(3)];
  begun[0]?.end();
  expect(await first).toBe(1);
  await expect.poll(() => begun.map(({ items }) => items)).toEqual([[1], [2, 3]]);
  begun[1]?.end();
  expect(await Promise.all(waiting)).toEqual([2, 3]);
});
