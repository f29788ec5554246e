import { expect, it } from 'vitest';
import { databaseBefore } from '../../../test/harness/database-before.ts';
import { call, testAccount, testService } from '../../../test/harness/index.ts';
import { inTransaction, migrate } from '../../platform/database/index.ts';
import { MIGRATIONS_FOLDER } from '../../server.ts';
import { createOrganization } from '../identity/index.ts';
import { hasOrdersWithoutEvents, takeOrdersWithoutEvents } from './sql/orders-without-events.ts';
import { fillOrders } from './testing/fill-orders.ts';

it('finds orders from before 0028 by their order code and by their earlier search text', async () => {
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

it('lets a process of the release before 0037 use orders_without_events under its old name', async () => {
  const { sql } = await databaseBefore('0037');
  const oldName = sql('untold_orders');
  const listed = '00000000-0000-7000-8000-000000000001';
  const added = '00000000-0000-7000-8000-000000000002';
  await sql`insert into ${oldName} (organization_id) values (${listed})`;
  expect(await migrate(sql, MIGRATIONS_FOLDER)).toContain('0037_orders_without_events.sql');

  const insert = () => sql`insert into ${oldName} (organization_id) values (${added}) on conflict do nothing`;
  await insert();
  await insert();
  expect((await sql`select organization_id from ${oldName} limit 1`).length).toBe(1);
  const locked = Promise.withResolvers<string | undefined>();
  const release = Promise.withResolvers<void>();
  const holding = inTransaction(sql, async (tx) => {
    locked.resolve(await takeOrdersWithoutEvents(tx));
    await release.promise;
  });
  expect(await locked.promise).toBe(listed);
  // The row that the open transaction has locked is skipped.
  const taken = await sql<{ organization_id: string }[]>`
    delete from ${oldName} where organization_id = (
      select organization_id from ${oldName} order by organization_id limit 1 for update skip locked)
    returning organization_id`;
  expect(taken.map((row) => row.organization_id)).toEqual([added]);
  release.resolve();
  await holding;
  expect(await hasOrdersWithoutEvents(sql)).toBe(false);
});
