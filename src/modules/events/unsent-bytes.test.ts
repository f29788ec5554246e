import { expect, it } from 'vitest';
import { createUnsentBytes } from './unsent-bytes.ts';

function openReaders(perTenant: number, inAll: number) {
  const unsent = createUnsentBytes(perTenant, inAll);
  const dropped: string[] = [];
  const write = (tenant: string, reader: string, bytes: Buffer) =>
    unsent.add(tenant, bytes, () => void dropped.push(reader));
  return { unsent, dropped, write };
}

it('closes the reader of the tenant that has waited longest, until the rest is within the bound', () => {
  const { unsent, dropped, write } = openReaders(100, 1_000);
  write('a', 'first', Buffer.alloc(60));
  write('b', 'neighbour', Buffer.alloc(90));
  write('a', 'second', Buffer.alloc(40));
  expect(dropped).toEqual([]);
  write('a', 'third', Buffer.alloc(50));
  expect(dropped).toEqual(['first']);
  expect(unsent.total()).toBe(180);
});

it('counts bytes that readers share once, until the last of them has taken them', () => {
  const { unsent, dropped, write } = openReaders(100, 1_000);
  const shared = Buffer.alloc(80);
  const taken = Array.from({ length: 50 }, (_, index) => write('a', `reader ${index}`, shared));
  expect([dropped, unsent.total()]).toEqual([[], 80]);
  for (const take of taken.slice(1)) take();
  expect(unsent.total()).toBe(80);
  taken[0]?.();
  taken[0]?.();
  expect(unsent.total()).toBe(0);
});

it('closes the longest waiting reader of all tenants at the limit of the process', () => {
  const { unsent, dropped, write } = openReaders(100, 150);
  for (const tenant of ['a', 'b', 'c']) write(tenant, tenant, Buffer.alloc(60));
  expect(dropped).toEqual(['a']);
  expect(unsent.total()).toBe(120);
});

it('closes a reader whose own bytes are more than the bound', () => {
  const { unsent, dropped, write } = openReaders(100, 150);
  write('a', 'only', Buffer.alloc(101))();
  expect([dropped, unsent.total()]).toEqual([['only'], 0]);
});
