import { expect, test } from 'vitest';
import { emptyDatabase, migrationsUpTo, testDatabase, testOrganization } from '../../../test/harness/index.ts';
import { migrate } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { MIGRATIONS_FOLDER } from '../../server.ts';

const BEFORE = '0035_paylink_operations.sql';
type Stored = { id: string; status: string; is_made: boolean };

test('a paylink that is being created when the migration runs gets the status creating, others keep theirs', async () => {
  const { sql } = await emptyDatabase();
  await migrate(sql, await migrationsUpTo(BEFORE));
  const { id: organizationId } = await testOrganization(sql);
  const [creating, captured] = [newId(), newId()];
  await sql`
    insert into paylinks (organization_id, id, provider, organization_app_id, is_made, status, amount, currency, is_sandbox,
                          errand, created, updated)
    values (${organizationId}, ${creating}, 'tabby', ${newId()}, false, 'created', 5, 'SAR', false, 'create', now(), now()),
           (${organizationId}, ${captured}, 'tabby', ${newId()}, true, 'captured', 5, 'SAR', false, null, now(), now())`;
  await migrate(sql, MIGRATIONS_FOLDER);
  const rows = await sql<Stored[]>`select id, status, is_made from paylinks order by amount, created, status desc`;
  expect(rows).toEqual([
    { id: creating, status: 'creating', is_made: false },
    { id: captured, status: 'captured', is_made: true },
  ]);
});

test('processes of the previous release and of this one agree on which paylinks are confirmed', async () => {
  const { sql } = await testDatabase();
  const { id: organizationId } = await testOrganization(sql);
  const common = sql`${organizationId}, 'tabby', ${newId()}, 5, 'SAR', false, now(), now()`;
  const columns = sql`organization_id, provider, organization_app_id, amount, currency, is_sandbox, created, updated`;
  const find = async (id: string) => {
    const [row] = await sql<Stored[]>`select id, status, is_made from paylinks where id = ${id}`;
    return row;
  };

  // The statements of schema 0035: no status at the insert, is_made = true once the provider has confirmed.
  const old = newId();
  await sql`insert into paylinks (id, ${columns}) values (${old}, ${common})`;
  expect(await find(old)).toEqual({ id: old, status: 'creating', is_made: false });
  await sql`update paylinks set is_made = true where id = ${old} and not is_made`;
  expect(await find(old)).toEqual({ id: old, status: 'created', is_made: true });

  const fresh = newId();
  await sql`insert into paylinks (id, status, ${columns}) values (${fresh}, 'creating', ${common})`;
  expect(await find(fresh)).toEqual({ id: fresh, status: 'creating', is_made: false });
  await sql`update paylinks set status = 'created' where id = ${fresh} and status = 'creating'`;
  expect(await find(fresh)).toEqual({ id: fresh, status: 'created', is_made: true });
});
