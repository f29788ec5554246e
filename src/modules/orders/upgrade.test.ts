import { expect, it } from 'vitest';
import { databaseBefore } from '../../../test/harness/database-before.ts';
import { call, testAccount, testService } from '../../../test/harness/index.ts';
import { inTransaction, migrate } from '../../platform/database/index.ts';
import { MIGRATIONS_FOLDER } from '../../server.ts';
import { createOrganization } from '../identity/index.ts';
import type { Order } from './order.ts';
import { type SearchColumns, searchColumnsOf } from './search/search-columns.ts';
import { hasOrdersWithoutEvents, takeOrdersWithoutEvents } from './sql/orders-without-events.ts';

it('finds orders from before 0040 by names, telephone numbers, addresses and order numbers', async () => {
  const database = await databaseBefore('0040');
  const { sql } = database;
  const organizationId = await createOrganization(sql, { nameEn: 'Shop', nameAr: 'متجر', now: new Date() });
  // Three orders as the release before wrote them, and one without anything to search for.
  await sql`
    insert into orders (
      organization_id, id, source, organization_app_id, app_slug, channel_family, channel_kind, order_status, payment_status,
      fulfillment_status, currency, total_amount, discounts_amount, vat_amount, delivery_fee, service_fee, subtotal,
      source_transaction_id, customer_name, receiver_name, customer_phone, customer_email, skus, products, order_code,
      is_preorder, is_open, search_text, created_at, updated_at)
    select ${organizationId}, gen_random_uuid(), 'api', '', 'api', 'api', 'direct', 'DELIVERED', 'paid', 'Full', 'SAR', n, 0, 0, 0, 0,
           0, transaction, name, receiver, phone, email, array['P-1'], '[]', 'DK-260102-AAAAA' || n, false, false, 'old text', '2026-01-02',
           '2026-01-02'
    from (values (1, 'old-1', 'أَحمد O''Brien-Müller', null, '٠٥٠ ١٢٣ ٤٥٦٧', 'Ahmed@X.sa'),
                 (2, 'old-2', null, 'فاطمة \\ الزهراء', '+966 (0)11 465 1234', null),
                 (3, null, '50%_off', '', '', 'third@x.sa'),
                 (4, null, null, null, null, null)) as old (n, transaction, name, receiver, phone, email)`;

  expect(await migrate(sql, MIGRATIONS_FOLDER)).toContain('0041_order_search_values.ts');
  const service = await testService({ DUKKAN_ROLES: 'api' }, { database });
  const { token } = await testAccount(sql, organizationId);
  const found = async (search: string) => {
    const { body } = await call(service.baseUrl, `GET /orders?search=${encodeURIComponent(search)}&sort=total_amount`, {
      token,
    });
    return body.orders.map((event: { order: { total_amount: number } }) => event.order.total_amount);
  };
  for (const text of ['احمد', 'brien', 'muller احم', '0501234567', '+966501234567', '4567', 'ahmed@', 'old-1']) {
    expect([text, await found(text)]).toEqual([text, [1]]);
  }
  for (const text of ['فاطمه', '\\', '0114651234', 'AAAAA2', 'DK-260102-AAAAA2'])
    expect([text, await found(text)]).toEqual([text, [2]]);
  expect(await found('50%')).toEqual([3]);
  expect(await found('DK-260102')).toEqual([1, 2, 3, 4]);
  // The values are those that the service writes.
  const stored = await sql<(SearchColumns & Order)[]>`
    select *, search_words::text as search_words from orders order by total_amount`;
  for (const order of stored) {
    const { search_words, phone_digits } = searchColumnsOf(order);
    const [expected] = await sql`select ${search_words}::tsvector::text as words`;
    expect([order.search_words, order.phone_digits]).toEqual([expected?.words ?? null, phone_digits]);
  }
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
