import { describe, expect, test } from 'vitest';
import { createReadCache } from './read-cache.ts';
import { createSharedReads } from './shared-reads.ts';

describe('read cache', () => {
  const createCache = (options = {}) =>
    createReadCache({ maxEntries: 8, maxCharacters: 1_000, tenantShare: 0.5, ...options });
  const readOf =
    (version: number, value: unknown = version) =>
    async () => ({ version, value });

  test('reads again when the stored version is too old, and only then', async () => {
    const cache = createCache();
    expect(await cache.get('one', 'sales', 3, readOf(3))).toBe(3);
    expect(await cache.get('one', 'sales', 3, readOf(99))).toBe(3);
    expect(await cache.get('one', 'sales', 4, readOf(5))).toBe(5);
    expect(await cache.get('two', 'sales', 0, readOf(7))).toBe(7);
  });

  test('shares one read between concurrent callers and reads again for a caller that needs a later version', async () => {
    const cache = createCache();
    let reads = 0;
    const gate = Promise.withResolvers<void>();
    const read = (version: number) => async () => {
      reads += 1;
      await gate.promise;
      return { version, value: version };
    };
    const asked = [
      cache.get('one', 'sales', 1, read(1)),
      cache.get('one', 'sales', 1, read(1)),
      cache.get('one', 'sales', 2, read(2)),
    ];
    gate.resolve();
    expect(await Promise.all(asked)).toEqual([1, 1, 2]);
    expect(reads).toBe(2);
  });

  test('stores nothing when the read fails', async () => {
    const cache = createCache();
    const failing = cache.get('one', 'sales', 1, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await cache.get('one', 'sales', 1, readOf(1))).toBe(1);
  });

  test('bounds entries and characters, in total and per tenant', async () => {
    const cache = createCache();
    await cache.get('two', 'sales', 1, readOf(1, 'of the other'));
    for (let name = 0; name < 100; name += 1) await cache.get('one', `sales ${name}`, 1, readOf(1));
    expect(cache.figures().entries).toBe(5);
    expect(await cache.get('two', 'sales', 1, readOf(1, 'read again'))).toBe('of the other');
    expect(await cache.get('one', 'sales 99', 1, readOf(2))).toBe(1);
    await cache.get('one', 'large', 1, readOf(1, 'x'.repeat(400)));
    await cache.get('one', 'larger', 1, readOf(1, 'x'.repeat(400)));
    expect(cache.figures().characters).toBeLessThanOrEqual(500);
    for (let tenant = 0; tenant < 100; tenant += 1) await cache.get(`tenant ${tenant}`, 'sales', 1, readOf(1));
    expect(cache.figures().entries).toBe(8);
  });
});

describe('shared reads', () => {
  test('share the next read, never one that began before the caller asked', async () => {
    const share = createSharedReads<number>();
    const begun: PromiseWithResolvers<number>[] = [];
    const read = () => {
      const one = Promise.withResolvers<number>();
      begun.push(one);
      return one.promise;
    };
    const first = share('key', read);
    const later = [share('key', read), share('key', read), share('key', read)];
    const other = share('another key', read);
    expect(begun).toHaveLength(2);
    begun[0]?.resolve(1);
    expect(await first).toBe(1);
    await expect.poll(() => begun.length).toBe(3);
    begun[1]?.resolve(10);
    begun[2]?.resolve(2);
    expect(await Promise.all(later)).toEqual([2, 2, 2]);
    expect(await other).toBe(10);
    const after = share('key', read);
    begun[3]?.resolve(3);
    expect(await after).toBe(3);
  });

  test('start the next read after one that failed', async () => {
    const share = createSharedReads<number>();
    const first = share('key', () => Promise.reject(new Error('no')));
    const second = share('key', async () => 2);
    await expect(first).rejects.toThrow('no');
    expect(await second).toBe(2);
  });
});
