import { expect, test } from 'vitest';
import { testOrganization, testService } from '../../test/harness/index.ts';
import { newId } from '../platform/ids.ts';
import { UsageError } from './arguments.ts';
import { rebuild } from './rebuild-command.ts';

const { platform, sql } = await testService();
const shop = await testOrganization(sql);

test('dukkan rebuild counts every organization, or the one that is named', async () => {
  const other = await testOrganization(sql);
  expect(other.id).not.toBe(shop.id);
  expect(await rebuild(platform, {}, ['rebuild'])).toEqual({ rebuilt: 'sales', organizations: 2, orders: 0 });
  const one = await rebuild(platform, { org: shop.id }, ['rebuild', 'sales']);
  expect(one).toEqual({ rebuilt: 'sales', organizations: 1, orders: 0 });
});

test.each([
  [['rebuild', 'stock'], {}],
  [['rebuild'], { org: newId() }],
  [['rebuild'], { org: 'nobody' }],
])('%j with %j cannot be done', async (words, options) => {
  await expect(rebuild(platform, options, words)).rejects.toThrow(UsageError);
});
