import { beforeAll, describe, expect, test } from 'vitest';
import { type TestOrganization, testDatabase, testOrganization } from '../../../test/harness/index.ts';
import { inTransaction, type Sql } from '../../platform/database/index.ts';
import { idTag } from '../../platform/text/search-words.ts';
import type { Tenant } from '../identity/index.ts';
import { type ReadClass, trackReads } from '../orders/testing/track-reads.ts';
import { findCustomers } from './find-customers.ts';
import { totalsList } from './sql/customers.ts';
import { WHOLE_TENANT } from './sql/spending.ts';

const COUNT = 6_000;
let sql: Sql;
let shop: TestOrganization;

beforeAll(async () => {
  ({ sql } = await testDatabase());
  shop = await testOrganization(sql);
  const tag = idTag(shop.id) + idTag(WHOLE_TENANT);
  await inTransaction(sql, async (tx) => {
    await tx`
      insert into customers (organization_id, branch_id, id, name, orders, spent, currency, first_order_at, last_order_at,
                             search_words)
      select ${shop.id}, ${WHOLE_TENANT}, gen_random_uuid(), 'Buyer ' || n, n % 9, n, 'SAR', now(),
             timestamptz '2026-01-01' + n * interval '1 minute', array_to_tsvector(array[${tag} || 'buyer', ${tag} || n])
      from generate_series(1, ${COUNT}::int) n`;
    await tx`insert into list_totals (organization_id, list, slot, total)
             values (${shop.id}, ${totalsList(WHOLE_TENANT)}, 0, ${COUNT})`;
  });
});

describe('lists whose cost grows with the number of customers are expensive reads', () => {
  test.each<[string, object, ReadClass[], number]>([
    ['the latest', {}, ['quick'], COUNT],
    ['a page within reach', { page: 250 }, ['quick'], COUNT],
    ['a page far down', { page: 299 }, ['quick', 'slow'], COUNT],
    ['a page past the end', { page: 400 }, ['quick'], COUNT],
    ['by what they spent', { sort: '-spent' }, ['quick', 'slow'], COUNT],
    ['a search', { search: 'buyer 5999' }, ['slow'], 1],
    ['a search of one letter', { search: 'b' }, ['slow'], COUNT],
    ['a search without matches', { search: 'qq' }, ['slow'], 0],
  ])('%s', async (_name, query, classes, total) => {
    const spied = trackReads(sql);
    const tenant = { organizationId: shop.id, branchId: null, timeZone: 'Asia/Riyadh' } as Tenant;
    const found = await findCustomers(spied.sql, tenant, query);
    expect([...spied.used].sort()).toEqual(classes);
    expect(found.total).toBe(total);
    expect(found.rows.length).toBe(Math.max(0, Math.min(20, total - (found.paging.page - 1) * 20)));
  });

  test('uses quick reads only for a small shop', async () => {
    const small = await testOrganization(sql);
    const spied = trackReads(sql);
    await findCustomers(spied.sql, { organizationId: small.id, branchId: null, timeZone: 'Asia/Riyadh' } as Tenant, {
      sort: 'name',
    });
    expect([...spied.used]).toEqual(['quick']);
  });
});
