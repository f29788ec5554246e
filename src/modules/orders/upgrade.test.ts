import { expect, it } from 'vitest';
import { databaseBefore } from '../../../test/harness/database-before.ts';
import { call, testAccount, testService } from '../../../test/harness/index.ts';
import { migrate } from '../../platform/database/index.ts';
import { MIGRATIONS_FOLDER } from '../../server.ts';
import { createOrganization } from '../identity/index.ts';
import { fillOrders } from './testing/fill-orders.ts';

it('orders from before an upgrade are found by their code, and by what they were found by before', async () => {
  const database = await databaseBefore('0028');
  const { sql } = database;
  const organizationId = await createOrganization(sql, { nameEn: 'Shop', nameAr: 'متجر', now: new Date() });
  await fillOrders(sql, { organizationId, count: 3 });
  await sql`update orders set order_code = 'DK-261115-7F3K9Q' where search_text = 'buyer 2'`;

  expect(await migrate(sql, MIGRATIONS_FOLDER)).toContain('0028_search_by_order_code.sql');
  const service = await testService({ DUKKAN_ROLES: 'api' }, { database });
  const { token } = await testAccount(sql, organizationId);
  const found = async (search: string) => {
    const { body } = await call(service.baseUrl, `GET /orders?search=${search}`, { token });
    return body.orders.map((event: { order: { customer_name: string } }) => event.order.customer_name);
  };
  expect(await found('DK-261115-7F3K9Q')).toEqual(['Buyer 2']);
  expect(await found('7f3k')).toEqual(['Buyer 2']);
  expect(await found('Buyer%203')).toEqual(['Buyer 3']);
});
