import { randomBytes } from 'node:crypto';
import { initCluster } from '../../src/cli/cluster/init-cluster.ts';
import { SPREAD_TABLES } from '../../src/cli/cluster/spread-tables.ts';
import { migrate, readLayout, type Sql, TWO_PHASE_TABLE } from '../../src/platform/database/index.ts';
import { MIGRATIONS_FOLDER } from '../../src/server.ts';
import { connectPatiently } from './connect-patiently.ts';

/** Fewer than an installation has: each table has so many on every node, and the tests have few tenants. */
const SHARDS = 4;

type ClusterDatabase = { url: string; sql: Sql; seeds: Map<string, string>; isFree: boolean };

/** Of this process. A cluster has no templates: databases are emptied and used again by later files. */
const databases: ClusterDatabase[] = [];

/** A spread database as after `migrate` and `cluster init`. `release` gives it back. */
export async function takeClusterDatabase(clusterUrl: string): Promise<{ url: string; sql: Sql; release(): void }> {
  const known = databases.find(({ isFree }) => isFree);
  if (known !== undefined) await empty(known);
  const database = known ?? (await makeClusterDatabase(clusterUrl));
  database.isFree = false;
  return {
    url: database.url,
    sql: database.sql,
    release() {
      database.isFree = true;
    },
  };
}

async function makeClusterDatabase(clusterUrl: string): Promise<ClusterDatabase> {
  const name = `dukkan_c_${randomBytes(6).toString('hex')}`;
  const admin = connectPatiently(clusterUrl, 1);
  const nodes = await admin<{ host: string; port: number; is_coordinator: boolean }[]>`
    select nodename as host, nodeport as port, groupid = 0 as is_coordinator from pg_dist_node where noderole = 'primary'
    order by groupid`;
  await admin.end();
  for (const { host, port } of nodes) {
    const server = connectPatiently(urlOf(clusterUrl, { host, port }), 1);
    await server`create database ${server(name)}`;
    await server.end();
    const node = connectPatiently(urlOf(clusterUrl, { host, port, database: name }), 1);
    await node`create extension citus`;
    await node.end();
  }
  const url = urlOf(clusterUrl, { database: name });
  const sql = connectPatiently(url, 4);
  for (const { host, port, is_coordinator } of nodes) {
    if (is_coordinator) await sql`select citus_set_coordinator_host(${host}, ${port}::int)`;
    else await sql`select citus_add_node(${host}, ${port}::int)`;
  }
  await migrate(sql, MIGRATIONS_FOLDER);
  await initCluster(sql, { shards: SHARDS });
  sql.useLayout(await readLayout(sql));
  const database = { url, sql, seeds: await readSeeds(sql), isFree: false };
  databases.push(database);
  return database;
}

/** The rows that migrations and the spread left. */
async function readSeeds(sql: Sql): Promise<Map<string, string>> {
  const seeds = new Map<string, string>();
  for (const table of await listTables(sql)) {
    const [row] = await sql<{ rows: string | null }[]>`select json_agg(t)::text as rows from ${sql(table)} t`;
    if (row?.rows != null) seeds.set(table, row.rows);
  }
  return seeds;
}

async function empty({ sql, seeds }: ClusterDatabase): Promise<void> {
  const tables = await listTables(sql);
  // Triggers keep entries of the audit log from being removed. (Not `session_replication_role`: triggers also empty the shards.)
  await sql.unsafe(`alter table audit_entries disable trigger user;
    truncate ${tables.map((table) => `"${table}"`).join(', ')} restart identity cascade;
    alter table audit_entries enable trigger user`);
  for (const [table, rows] of seeds)
    await sql.unsafe(
      `insert into "${table}" overriding system value select * from json_populate_recordset(null::"${table}", '${rows.replaceAll("'", "''")}')`,
    );
  await sql.unsafe('truncate pgboss.job, pgboss.archive').catch(() => undefined);
}

/** Spread ones first. */
async function listTables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> all(${['schema_migrations', 'schema_migration_progress', 'tenant_groups', TWO_PHASE_TABLE]})
      and relname !~ '_[0-9]{6}$'
    order by not relname = any(${SPREAD_TABLES.map(({ name }) => name)}), relname`;
  return rows.map((row) => row.name);
}

function urlOf(
  clusterUrl: string,
  { host, port, database }: { host?: string; port?: number; database?: string },
): string {
  const url = new URL(clusterUrl);
  if (host !== undefined) url.hostname = host;
  if (port !== undefined) url.port = String(port);
  url.pathname = `/${database ?? 'postgres'}`;
  return url.href;
}

/** The coordinator first. */
export async function listNodeUrls(clusterUrl: string): Promise<string[]> {
  const admin = connectPatiently(clusterUrl, 1);
  const nodes = await admin<{ host: string; port: number }[]>`
    select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid`;
  await admin.end();
  return nodes.map((node) => urlOf(clusterUrl, node));
}

/** At the end of a run: every database that its workers made. */
export async function dropClusterDatabases(clusterUrl: string): Promise<void> {
  for (const { sql } of databases.splice(0)) await sql.end({ timeout: 1 });
  for (const url of await listNodeUrls(clusterUrl)) {
    const server = connectPatiently(url, 1);
    const left = await server<{ name: string }[]>`
      select datname as name from pg_database where starts_with(datname, 'dukkan_c_')`;
    for (const { name } of left) await server`drop database if exists ${server(name)} with (force)`;
    await server.end();
  }
}
