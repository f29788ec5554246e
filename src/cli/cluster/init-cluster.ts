import { inTransaction, isDistributed, type Sql, TWO_PHASE_TABLE, type Tx } from '../../platform/database/index.ts';
import { SPREAD_TABLES } from './spread-tables.ts';
import { makeGroups } from './tenant-groups.ts';

/** The cluster is not as the command needs it. Nothing was changed. */
export class ClusterRefusal extends Error {}

export type InitOptions = { shards: number; onStep?(step: string): void };

/**
 * Spreads the tables of one server over the nodes of a cluster, with their rows, in one transaction: interrupted, nothing has changed.
 * Services are stopped, because the number of groups of tenants changes, which they read at their start. False if they are spread already.
 */
export async function initCluster(sql: Sql, { shards, onStep = () => undefined }: InitOptions): Promise<boolean> {
  await checkExtension(sql);
  if (await isDistributed(sql)) return false;
  await refuseWhileRunning(sql);
  await inTransaction(sql, async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local lock_timeout = '10s'`;
    // Tables that refer to each other cannot be changed over parallel connections.
    await tx`set local citus.multi_shard_modify_mode = 'sequential'`;
    const foreignKeys = await dropForeignKeys(tx);
    for (const { name, by } of SPREAD_TABLES.filter((table) => table.by === 'organization_id')) {
      onStep(name);
      if (name === 'orders')
        await tx`select create_distributed_table(${name}, ${by}, colocate_with => 'none', shard_count => ${shards}::int)`;
      else await tx`select create_distributed_table(${name}, ${by}, colocate_with => 'orders')`;
    }
    await makeGroups(tx);
    // A cluster has unique keys with the column that chooses the shard only.
    await tx`alter table order_feed drop constraint order_feed_pkey`;
    await tx`alter table order_feed add primary key (organization_id, tenant_position, stamped_at, tenant_group)`;
    for (const { name, by } of SPREAD_TABLES.filter((table) => table.by === 'tenant_group')) {
      onStep(name);
      await tx`select create_distributed_table(${name}, ${by}, colocate_with => 'orders')`;
    }
    for (const { statement } of foreignKeys) await tx.unsafe(statement);
    await tx`create table ${tx(TWO_PHASE_TABLE)} (id int primary key)`;
    await tx`select citus_add_local_table_to_metadata(${TWO_PHASE_TABLE}::regclass)`;
    // So that a time limit of a transaction holds on the nodes too.
    await setForDatabase(tx, 'citus.propagate_set_commands', 'local');
    // A statement is routed by the values of its parameters, which a plan for any values does not have.
    await setForDatabase(tx, 'plan_cache_mode', 'force_custom_plan');
  });
  return true;
}

/** For every later connection. */
async function setForDatabase(tx: Tx, name: string, value: string): Promise<void> {
  await tx.unsafe(
    `do $$ begin execute format('alter database %I set ${name} = %L', current_database(), '${value}'); end $$`,
  );
}

async function checkExtension(sql: Sql): Promise<void> {
  const [extension] = await sql`select 1 from pg_extension where extname = 'citus'`;
  if (extension === undefined)
    throw new ClusterRefusal('The database has no citus extension: create it on every node first.');
  const [nodes] = await sql<{ coordinator: boolean; workers: number }[]>`
    select coalesce(bool_or(groupid = 0), false) as coordinator,
           count(*) filter (where groupid <> 0 and isactive and shouldhaveshards) as workers
    from pg_dist_node where noderole = 'primary'`;
  if (!nodes?.coordinator)
    throw new ClusterRefusal('The coordinator has no address: call citus_set_coordinator_host first.');
  if (nodes.workers === 0) throw new ClusterRefusal('There is no active worker node: call citus_add_node first.');
}

export async function refuseWhileRunning(sql: Sql): Promise<void> {
  const running = await sql<{ application_name: string }[]>`
    select distinct application_name from pg_stat_activity
    where datname = current_database() and application_name like 'dukkan %' and application_name <> 'dukkan command'`;
  if (running.length === 0) return;
  const names = running.map((row) => row.application_name).join(', ');
  throw new ClusterRefusal(`Stop the services of this database first: ${names} is connected.`);
}

/** Those that a cluster refuses are gone for good: from or to a table on the coordinator. Those between spread tables come back. */
async function dropForeignKeys(tx: Tx): Promise<{ statement: string }[]> {
  const names = SPREAD_TABLES.map(({ name }) => name);
  const found = await tx<{ drop: string; statement: string; comes_back: boolean }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
           format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as statement,
           conrelid::regclass::text = any(${names}) and confrelid::regclass::text = any(${names}) as comes_back
    from pg_constraint
    where contype = 'f' and (conrelid::regclass::text = any(${names}) or confrelid::regclass::text = any(${names}))`;
  for (const { drop } of found) await tx.unsafe(drop);
  return found.filter((one) => one.comes_back);
}
