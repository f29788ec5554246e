import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/harness/index.ts';
import { hashUuid } from './hash-uuid.ts';
import { byGroup, ONE_GROUP, ONE_SERVER } from './layout.ts';
import { readLayout } from './read-layout.ts';

const { sql } = await testDatabase();

test('hashes a uuid as the server does', async () => {
  const ids = [
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ...Array.from({ length: 200 }, () => randomUUID()),
  ];
  const rows = await sql<{ id: string; hash: number }[]>`
    select id, uuid_hash(id) as hash from unnest(${ids}::uuid[]) with ordinality as i (id, n) order by n`;
  expect(ids.map((id) => ({ id, hash: hashUuid(id) }))).toEqual(rows);
});

test('has one group of tenants on one server', async () => {
  const layout = await readLayout(sql);
  expect(layout.isDistributed).toBe(false);
  expect(layout.groups).toEqual([{ id: ONE_GROUP, fromHash: -(2 ** 31), toHash: 2 ** 31 - 1 }]);
  expect(await sql`select id, from_hash as "fromHash", to_hash as "toHash" from tenant_groups`).toEqual([
    ...ONE_SERVER.groups,
  ]);
});

test('keeps the order of items within their group', () => {
  const groups = byGroup(ONE_SERVER, ['b', 'a', 'c'], () => randomUUID());
  expect([...groups]).toEqual([[ONE_GROUP, ['b', 'a', 'c']]]);
});
