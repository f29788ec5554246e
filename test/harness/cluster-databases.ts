import { randomBytes } from 'node:crypto';
import { initCluster } from '../../src/cli/cluster/init-cluster.ts';
import { migrate, readLayout, type Sql } from '../../src/platform/database/index.ts';
import { MIGRATIONS_FOLDER } from '../../src/server.ts';
import { connectPatiently } from './connect-patiently.ts';

/** Fewer than an installation has: each table has so many on every node, and the tests have few tenants. */
const SHARDS = 4;
/** Of this run, so that its end leaves those of another. Processes of the tests are started with the environment of the run. */
process.env.CLUSTER_TEST_RUN ??= randomBytes(4).toString('hex');
const PREFIX = `dukkan_c_${process.env.CLUSTER_TEST_RUN}_`;

type ClusterDatabase = { url: string; sql: Sql };

/** A spread database, as after `migrate` and `cluster init`. */
export async function makeClusterDatabase(clusterUrl: string): Promise<ClusterDatabase> {
  const { url, sql } = await emptyClusterDatabase(clusterUrl);
  await migrate(sql, MIGRATIONS_FOLDER);
  await initCluster(sql, { shards: SHARDS });
  sql.useLayout(await readLayout(sql));
  return { url, sql };
}

/** Without tables, on every node. */
export async function emptyClusterDatabase(clusterUrl: string): Promise<ClusterDatabase> {
  const name = newName();
  const nodes = await listNodeUrls(clusterUrl);
  await onEveryNode(clusterUrl, async (server) => {
    await server`create database ${server(name)}`;
  });
  for (const node of nodes) {
    const database = connectPatiently(urlOf(node, name), 1);
    await database`create extension citus`;
    await database.end();
  }
  const { url, sql } = connectTo(clusterUrl, name);
  for (const [index, node] of nodes.entries()) {
    const { hostname, port } = new URL(node);
    if (index === 0) await sql`select citus_set_coordinator_host(${hostname}, ${port}::int)`;
    else await sql`select citus_add_node(${hostname}, ${port}::int)`;
  }
  return { url, sql };
}

/** A spread database to clone others from. Nothing can connect to it: Citus has a process of its own in every database that is in use. */
export async function makeClusterTemplate(clusterUrl: string, prepare: (sql: Sql) => Promise<void>): Promise<string> {
  const { url, sql } = await makeClusterDatabase(clusterUrl);
  await prepare(sql);
  await sql.end({ timeout: 1 });
  const name = new URL(url).pathname.slice(1);
  await onEveryNode(clusterUrl, async (server) => {
    await server`alter database ${server(name)} allow_connections false`;
    await server`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  });
  return name;
}

/** Each node clones its part: the tables of Citus that say where the shards are come along. */
export async function cloneClusterDatabase(clusterUrl: string, template: string): Promise<ClusterDatabase> {
  const name = newName();
  await onEveryNode(clusterUrl, async (server) => {
    await server`create database ${server(name)} template ${server(template)} strategy file_copy`;
    await copySettings(server, template, name);
  });
  const { url, sql } = connectTo(clusterUrl, name);
  sql.useLayout(await readLayout(sql));
  return { url, sql };
}

/** What `cluster init` has set for the database does not come along. */
async function copySettings(server: Sql, from: string, to: string): Promise<void> {
  const settings = await server<{ name: string; value: string }[]>`
    select split_part(one, '=', 1) as name, split_part(one, '=', 2) as value
    from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase, unnest(s.setconfig) as one
    where d.datname = ${from}`;
  for (const { name, value } of settings) await server.unsafe(`alter database ${to} set ${name} = '${value}'`);
}

export async function dropClusterDatabase(clusterUrl: string, { url, sql }: ClusterDatabase): Promise<void> {
  await sql.end({ timeout: 1 });
  const name = new URL(url).pathname.slice(1);
  await onEveryNode(clusterUrl, (server) => drop(server, name));
}

/** Citus has a process in each database, which comes back while the database is dropped: one that is left is dropped at the end of the run. */
async function drop(server: Sql, name: string): Promise<void> {
  await server`alter database ${server(name)} allow_connections false`.catch(() => undefined);
  await server`drop database if exists ${server(name)} with (force)`.catch((error: unknown) => {
    if (!String(error).includes('is being accessed')) throw error;
  });
}

/** At the end of a run: every database that is left. */
export async function dropClusterDatabases(clusterUrl: string): Promise<void> {
  await onEveryNode(clusterUrl, async (server) => {
    const left = await server<{ name: string }[]>`
      select datname as name from pg_database where starts_with(datname, ${PREFIX})`;
    for (const { name } of left) await drop(server, name);
  });
}

/** The coordinator first. */
export async function listNodeUrls(clusterUrl: string): Promise<string[]> {
  const admin = connectPatiently(clusterUrl, 1);
  const nodes = await admin<{ host: string; port: number }[]>`
    select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid`;
  await admin.end();
  return nodes.map(({ host, port }) => {
    const url = new URL(urlOf(clusterUrl, 'postgres'));
    url.hostname = host;
    url.port = String(port);
    return url.href;
  });
}

async function onEveryNode(clusterUrl: string, work: (server: Sql) => Promise<void>): Promise<void> {
  const nodes = await listNodeUrls(clusterUrl);
  await Promise.all(
    nodes.map(async (node) => {
      const server = connectPatiently(node, 1);
      try {
        await work(server);
      } finally {
        await server.end({ timeout: 1 });
      }
    }),
  );
}

const newName = () => `${PREFIX}${randomBytes(6).toString('hex')}`;

function connectTo(clusterUrl: string, name: string): ClusterDatabase {
  const url = urlOf(clusterUrl, name);
  return { url, sql: connectPatiently(url, 4) };
}

function urlOf(clusterUrl: string, database: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${database}`;
  return url.href;
}
