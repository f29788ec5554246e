import { describe, expect, test } from 'vitest';
import { createReadCache } from './read-cache.ts';
import { createSharedReads } from './share-next.ts';

describe('what is kept', () => {
  const open = (options = {}) =>
    createReadCache({ maxReadings: 8, maxCharacters: 1_000, tenantShare: 0.5, ...options });
  const reading =
    (version: number, value: unknown = version) =>
    async () => ({ version, value });

  test('is read again once it is too old, and not before', async () => {
    const kept = open();
    expect(await kept.get('one', 'sales', 3, reading(3))).toBe(3);
    expect(await kept.get('one', 'sales', 3, reading(99))).toBe(3);
    expect(await kept.get('one', 'sales', 4, reading(5))).toBe(5);
    expect(await kept.get('two', 'sales', 0, reading(7))).toBe(7);
  });

  test('is read once for all who ask meanwhile, and again for whom that one was too early', async () => {
    const kept = open();
    let readings = 0;
    const gate = Promise.withResolvers<void>();
    const read = (version: number) => async () => {
      readings += 1;
      await gate.promise;
      return { version, value: version };
    };
    const asked = [
      kept.get('one', 'sales', 1, read(1)),
      kept.get('one', 'sales', 1, read(1)),
      kept.get('one', 'sales', 2, read(2)),
    ];
    gate.resolve();
    expect(await Promise.all(asked)).toEqual([1, 1, 2]);
    expect(readings).toBe(2);
  });

  test('is not kept where reading failed', async () => {
    const kept = open();
    const failing = kept.get('one', 'sales', 1, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await kept.get('one', 'sales', 1, reading(1))).toBe(1);
  });

  test('is bounded in number and size, and one tenant has only its part', async () => {
    const kept = open();
    await kept.get('two', 'sales', 1, reading(1, 'of the other'));
    for (let name = 0; name < 100; name += 1) await kept.get('one', `sales ${name}`, 1, reading(1));
    expect(kept.figures().readings).toBe(5);
    expect(await kept.get('two', 'sales', 1, reading(1, 'read again'))).toBe('of the other');
    expect(await kept.get('one', 'sales 99', 1, reading(2))).toBe(1);
    await kept.get('one', 'large', 1, reading(1, 'x'.repeat(400)));
    await kept.get('one', 'larger', 1, reading(1, 'x'.repeat(400)));
    expect(kept.figures().characters).toBeLessThanOrEqual(500);
    for (let tenant = 0; tenant < 100; tenant += 1) await kept.get(`tenant ${tenant}`, 'sales', 1, reading(1));
    expect(kept.figures().readings).toBe(8);
  });
});

describe('callers of the same', () => {
  test('share the next reading, never one that began before they asked', async () => {
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

  test('are not held up by one that failed', async () => {
    const share = createSharedReads<number>();
    const first = share('key', () => Promise.reject(new Error('no')));
    const second = share('key', async () => 2);
    await expect(first).rejects.toThrow('no');
    expect(await second).toBe(2);
  });
});
