import { expect, it } from 'vitest';
import { databaseBefore } from '../../../test/harness/database-before.ts';
import { migrate } from '../../platform/database/index.ts';
import { MIGRATIONS_FOLDER } from '../../server.ts';
import { createOrganization, type Tenant } from '../identity/index.ts';
import { findCustomers } from './find-customers.ts';
import { WHOLE_TENANT } from './sql/spending.ts';

it('finds customers from before 0047 by names, telephone numbers and addresses', async () => {
  const { sql } = await databaseBefore('0047');
  const organizationId = await createOrganization(sql, { nameEn: 'Shop', nameAr: 'متجر', now: new Date() });
  // Search texts as the release before wrote them.
  await sql`
    insert into customers (organization_id, branch_id, id, name, orders, spent, currency, first_order_at, last_order_at,
                           search_text)
    select ${organizationId}, ${WHOLE_TENANT}, gen_random_uuid(), name, 1, 1, 'SAR', now(), now(), text
    from (values ('one', 'احمد o''brien-muller | 050 123 4567 | +966501234567 | 0501234567 | ahmed@x.sa'),
                 ('two', 'فاطمه \\ الزهراء | +966114651234 | 0114651234'),
                 ('three', 'third-x@x.sa'),
                 ('none', '')) as old (name, text)`;
  await migrate(sql, MIGRATIONS_FOLDER);
  const found = async (search: string) => {
    const tenant = { organizationId, branchId: null, timeZone: 'Asia/Riyadh' } as Tenant;
    return (await findCustomers(sql, tenant, { search, sort: 'name' })).rows.map((row) => row.name);
  };
  for (const text of ['أحمد', 'brien', 'muller احم', '0501234567', '+966 50 123', '4567', 'AHMED@'])
    expect([text, await found(text)]).toEqual([text, ['one']]);
  for (const text of ['فاطمة', '\\', '0114651234', '1234']) expect([text, await found(text)]).toEqual([text, ['two']]);
  expect(await found('third-x@x')).toEqual(['three']);
  expect(await found('x.sa')).toEqual([]);
});
