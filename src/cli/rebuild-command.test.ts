import { expect, test } from 'vitest';
import { testOrganization, testService } from '../../test/harness/index.ts';
import { newId } from '../platform/ids.ts';
import { UsageError } from './command.ts';
import { answerOf, runLine } from './testing/run-line.ts';

const { platform, sql } = await testService();
const shop = await testOrganization(sql);

test('dukkan rebuild counts every organization, or the one that is named', async () => {
  const other = await testOrganization(sql);
  expect(other.id).not.toBe(shop.id);
  expect(await answerOf(platform, 'rebuild')).toEqual({ rebuilt: 'sales', organizations: 2, orders: 0 });
  const one = await answerOf(platform, 'rebuild', 'sales', '--org', shop.id);
  expect(one).toEqual({ rebuilt: 'sales', organizations: 1, orders: 0 });
});

test.each([[['stock']], [['--org', newId()]], [['--org', 'nobody']]])('rebuild %j cannot be done', async (args) => {
  await expect(runLine(platform, 'rebuild', ...args)).rejects.toThrow(UsageError);
});
