import { describe, expect, it } from 'vitest';
import { fillOldDatabase } from '../../bench/migrations/fill.ts';
import { migrate, type Sql } from '../../src/platform/database/index.ts';
import { MIGRATIONS_FOLDER } from '../../src/server.ts';
import { databaseBefore } from '../harness/database-before.ts';
import { migrationsUpTo, testDatabase } from '../harness/index.ts';
import { schemaShape } from './schema-shape.ts';

const ORDERS = 100;

/** What the replaced migrations write, without times and random ids. */
async function writtenRows(sql: Sql) {
  return {
    orders: await sql`select organization_id, id, payment_facts from orders order by organization_id, id`,
    transactions: await sql`
      select organization_id, id, is_verified, match_due from gateway_transactions order by organization_id, id`,
    followers: await sql`select name, position from event_followers order by name`,
  };
}

async function oldDatabase(): Promise<Sql> {
  const { sql } = await databaseBefore('0028');
  await fillOldDatabase(sql, ORDERS, () => undefined);
  return sql;
}

describe('migrations with a replacement', () => {
  it('lead to the same schema and rows from before 0028 as the released files do', async () => {
    const [replaced, released] = await Promise.all([oldDatabase(), oldDatabase()]);
    await migrate(replaced, MIGRATIONS_FOLDER);
    // As a database that was upgraded release by release.
    await migrate(released, await migrationsUpTo('0029_payment_facts.sql'));
    await migrate(released, MIGRATIONS_FOLDER);
    const rows = await writtenRows(replaced);
    expect(rows.orders.filter(({ payment_facts }) => payment_facts !== null).length).toBe(ORDERS / 5);
    expect(rows).toEqual(await writtenRows(released));
    const shape = await schemaShape(replaced);
    expect(shape).toEqual(await schemaShape(released));
    const names = await replaced`select name, checksum from schema_migrations order by name`;
    expect(names).toEqual(await released`select name, checksum from schema_migrations order by name`);
  });

  it('leave no invalid index in a new database', async () => {
    const { sql } = await testDatabase();
    expect(await sql`select indexrelid::regclass::text as name from pg_index where not indisvalid`).toEqual([]);
  });
});
