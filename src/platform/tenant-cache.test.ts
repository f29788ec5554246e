import { expect, test } from 'vitest';
import { createTenantCache } from './tenant-cache.ts';

test('returns the value of a tenant under its key only', () => {
  const cache = createTenantCache<string>({ maxBytes: 10_000, maxBytesPerTenant: 5_000 });
  cache.set('a', '1', 'one', 600);
  expect([cache.get('a', '1'), cache.get('a', '2'), cache.get('b', '1')]).toEqual(['one', undefined, undefined]);
});

test('counts a replaced value once', () => {
  const cache = createTenantCache<number>({ maxBytes: 10_000, maxBytesPerTenant: 5_000 });
  for (let value = 0; value < 20; value += 1) cache.set('a', '1', value, 600);
  expect([cache.get('a', '1'), cache.bytes()]).toEqual([19, 1_000]);
});

test('drops a tenant that exceeds its share, and no other', () => {
  const cache = createTenantCache<number>({ maxBytes: 100_000, maxBytesPerTenant: 3_000 });
  cache.set('b', '1', 1, 600);
  for (const key of ['1', '2', '3', '4']) cache.set('a', key, 1, 600);
  expect([cache.touch('a'), cache.touch('b'), cache.bytes()]).toEqual([false, true, 1_000]);
});

test('drops the tenant that has not read for longest when the total is exceeded', () => {
  const cache = createTenantCache<number>({ maxBytes: 2_500, maxBytesPerTenant: 2_000 });
  cache.set('a', '1', 1, 600);
  cache.set('b', '1', 1, 600);
  cache.touch('a');
  cache.set('c', '1', 1, 600);
  expect(['a', 'b', 'c'].filter(cache.touch)).toEqual(['a', 'c']);
  expect(cache.bytes()).toBe(2_000);
});
