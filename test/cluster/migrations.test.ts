import { describe, expect, it } from 'vitest';
import { initCluster } from '../../src/cli/cluster/init-cluster.ts';
import { SPREAD_TABLES } from '../../src/cli/cluster/spread-tables.ts';
import { newOrder } from '../../src/modules/orders/testing/new-order.ts';
import { migrate, type Sql } from '../../src/platform/database/index.ts';
import { MIGRATIONS_FOLDER } from '../../src/server.ts';
import { emptyClusterDatabase } from '../harness/cluster-databases.ts';
import { call, listMigrations, migrationsUpTo, testDatabase, testOrganization, testService } from '../harness/index.ts';

/** The first schema that can be spread. */
const FIRST = '0067_tenant_groups.sql';
const clusterUrl = process.env.CLUSTER_DATABASE_URL ?? '';

/** As the coordinator knows them. */
const columnsOf = (sql: Sql) => sql`
  select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
  where table_schema = 'public' and table_name !~ '_[0-9]{6,8}$' order by 1, 2`;

const indexesOf = (sql: Sql) => sql`
  select tablename, indexdef from pg_indexes where schemaname = 'public' and tablename !~ '_[0-9]{6,8}$' order by 1, 2`;

/** Of the first shard of each table, on its node. */
async function shardColumnsOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string; columns: string }[]>`
    select s.logicalrelid::text as name, r.result as columns
    from (select logicalrelid, min(shardid) as shardid from pg_dist_shard group by 1) first
    join pg_dist_shard s using (shardid)
    cross join lateral run_command_on_placements(s.logicalrelid, $$
      select string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attname)
      from pg_attribute where attrelid = '%s'::regclass and attnum > 0 and not attisdropped $$) r
    where r.shardid = s.shardid and s.logicalrelid::text = any(${SPREAD_TABLES.map(({ name }) => name)}) order by 1`;
  return rows.map(({ name, columns }) => `${name}: ${columns}`);
}

describe('a migration after the tables were spread', () => {
  it('leads to the schema of a database that was spread after it, on every node, and the service runs on it', async () => {
    const later = (await listMigrations()).filter((name) => name > FIRST);
    const database = await emptyClusterDatabase(clusterUrl);
    await migrate(database.sql, await migrationsUpTo(FIRST));
    await initCluster(database.sql, { shards: 4 });
    expect(await migrate(database.sql, MIGRATIONS_FOLDER)).toEqual(later);

    const { sql } = await testDatabase();
    expect(await columnsOf(database.sql)).toEqual(await columnsOf(sql));
    expect(await indexesOf(database.sql)).toEqual(await indexesOf(sql));
    const shards = await shardColumnsOf(database.sql);
    expect(shards.length).toBe(SPREAD_TABLES.length);
    expect(shards).toEqual(await shardColumnsOf(sql));

    const service = await testService({}, { database });
    const { owner } = await testOrganization(database.sql);
    const body = newOrder();
    expect((await call(service.baseUrl, 'POST /orders', { token: owner.token, body })).status).toBe(201);
  });

  it('of kinds that later releases need can be applied to spread tables', async () => {
    const { sql } = await emptyClusterDatabase(clusterUrl);
    await migrate(sql, MIGRATIONS_FOLDER);
    await initCluster(sql, { shards: 4 });
    // A constraint has a name and a statement of its own, or Citus refuses it.
    await sql`alter table orders add column later text not null default 'x'`;
    await sql`alter table orders add constraint orders_later_check check (later <> '')`;
    await sql`create index concurrently if not exists orders_later on orders (organization_id, later)`;
    await sql`alter table orders alter column later drop default`;
    await sql`alter table orders alter column later drop not null`;
    await sql`create table order_later (organization_id uuid not null, id uuid not null, primary key (organization_id, id))`;
    await sql`select create_distributed_table('order_later', 'organization_id', colocate_with => 'orders')`;
    await sql`drop index concurrently orders_later`;
    await sql`alter table orders drop column later`;
    await sql`drop table order_later`;
  });
});
