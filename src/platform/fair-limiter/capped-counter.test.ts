import { expect, it } from 'vitest';
import { createCappedCounter } from './index.ts';

it('takes amounts, such as bytes, up to the tenant’s and the total limit', () => {
  const bytes = createCappedCounter({ maxConcurrent: 100, maxConcurrentPerTenant: 60 });
  expect(bytes.tryTake({ tenant: 'a' }, 60)).toBeUndefined();
  expect(bytes.tryTake({ tenant: 'a' }, 1)).toBe('tenant limit');
  expect(bytes.tryTake({ tenant: 'b' }, 41)).toBe('total limit');
  expect(bytes.tryTake({ tenant: 'b' }, 40)).toBeUndefined();
  expect(bytes.total()).toBe(100);
  bytes.give({ tenant: 'a' }, 60);
  expect(bytes.limitReached({ tenant: 'a' }, 60)).toBeUndefined();
});

it('refuses a weighted amount without counting it', () => {
  const bytes = createCappedCounter({ maxConcurrent: 10 });
  expect(bytes.tryTake({ tenant: 'a' }, 11)).toBe('total limit');
  expect(bytes.total()).toBe(0);
});

it('reports how many more a key may take, of the reserved slots only those up to the threshold', () => {
  const counter = createCappedCounter({
    maxConcurrent: 12,
    maxConcurrentPerTenant: 8,
    maxConcurrentPerTarget: 4,
    reserved: { slots: 4, fewerThan: 2 },
  });
  const key = { tenant: 'a', target: 'a/1' };
  expect(counter.available(key)).toBe(2);
  counter.take(key, 2);
  expect(counter.available(key)).toBe(2);
  counter.take({ tenant: 'b', target: 'b/1' }, 6);
  expect(counter.available(key)).toBe(0);
  expect(counter.available({ tenant: 'c', target: 'c/1' })).toBe(2);
});

it('counts what is held until its release, once', () => {
  const counter = createCappedCounter({ maxConcurrent: 2 });
  const release = counter.hold({ tenant: 'a' });
  counter.hold({ tenant: 'a' });
  release();
  release();
  expect(counter.total()).toBe(1);
});
