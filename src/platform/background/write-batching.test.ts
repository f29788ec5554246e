import pg from 'pg';
import { describe, expect, it } from 'vitest';
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

/** Why the database refused a statement. */
function refusal(code: string): Error {
  return Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code });
}

describe('a batch that fails', () => {
  type Item = { tenant: string; number: number };

  /** Items of several tenants, which arrive at the same moment; `judge` says how a statement with these items ends. */
  async function writeAll(items: Item[], judge: (items: Item[], attempt: number) => Error | undefined) {
    const statements: number[][] = [];
    const add = batchWrites<Item, number>({
      name: 'numbers',
      tenantOf: ({ tenant }) => tenant,
      bytesOf: () => 1,
      async write(batch) {
        statements.push(batch.map(({ number }) => number));
        const error = judge(batch, statements.length);
        if (error !== undefined) throw error;
        return batch.map(({ number }) => number);
      },
    });
    const outcomes = await Promise.allSettled(items.map(add));
    return { statements, outcomes: outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code)) };
  }

  const items = [
    { tenant: 'one', number: 1 },
    { tenant: 'one', number: 2 },
    { tenant: 'other', number: 3 },
  ];

  it('because of one item is written tenant by tenant, then item by item', async () => {
    const unusable = refusal('22003');
    const { statements, outcomes } = await writeAll(items, (batch) =>
      batch.some(({ number }) => number === 2) ? unusable : undefined,
    );
    expect(outcomes).toEqual([1, '22003', 3]);
    expect(statements.map((numbers) => numbers.toSorted())).toEqual([[1, 2, 3], [1, 2], [1], [2], [3]]);
  });

  it('by a collision is written again as a whole', async () => {
    const { statements, outcomes } = await writeAll(items, (_batch, attempt) =>
      attempt < 3 ? refusal('40P01') : undefined,
    );
    expect(outcomes).toEqual([1, 2, 3]);
    expect(statements).toHaveLength(3);
  });

  it('while the database is away fails for all, without further attempts', async () => {
    const { statements, outcomes } = await writeAll(items, () => refusal('57P01'));
    expect(outcomes).toEqual(['57P01', '57P01', '57P01']);
    expect(statements).toHaveLength(1);
  });
});

describe('more than may wait', () => {
  const MEGABYTE = 1024 * 1024;

  function writesOf(bytes: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const add = batchWrites<string, string>({
      name: 'numbers',
      maxConcurrent: 1,
      tenantOf: (tenant) => tenant,
      bytesOf: () => bytes,
      write: (tenants) => promise.then(() => tenants),
    });
    return { add, end: resolve };
  }

  it('items of one tenant are refused with 429, those of another are taken', async () => {
    const { add, end } = writesOf(1);
    const waiting = Array.from({ length: 500 }, () => add('one'));
    await expect(add('one')).rejects.toMatchObject({ status: 429 });
    const other = add('other');
    end();
    expect(await other).toBe('other');
    await Promise.all(waiting);
  });

  it('bytes of one tenant are refused with 429, of all with 503', async () => {
    const { add, end } = writesOf(8 * MEGABYTE);
    const tenants = ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'];
    const waiting = tenants.map(add);
    await expect(add('a')).rejects.toMatchObject({ status: 429 });
    await expect(add('e')).rejects.toMatchObject({
      status: 503,
      details: { numbers: 'too many are waiting to be written' },
    });
    end();
    expect(await Promise.all(waiting)).toEqual(tenants);
  });
});
