import {
  type DedicatedSql,
  inTransaction,
  onOwnConnection,
  type Queryable,
  type Sql,
} from '../../platform/database/index.ts';
import { ClusterRefusal, whileStopped } from './init-cluster.ts';
import { splitGroups } from './tenant-groups.ts';

export type Move = { isolated: boolean; from: string; to: string };

/**
 * Moves a tenant to a node. One that shares its shard with others first gets a shard of its own, for which services are stopped: they read the
 * groups of tenants at their start. A tenant alone in its shard is moved while they run.
 */
export function moveTenant(sql: Sql, organizationId: string, target: string): Promise<Move> {
  return onOwnConnection(sql, (own) => move(own, organizationId, target));
}

async function move(sql: DedicatedSql, organizationId: string, target: string): Promise<Move> {
  const [node] = await sql<{ host: string; port: number }[]>`
    select nodename as host, nodeport as port from pg_dist_node
    where nodename || ':' || nodeport = ${target} and noderole = 'primary' and isactive and shouldhaveshards`;
  if (node === undefined) throw new ClusterRefusal(`No active node ${target} for shards: see dukkan cluster status.`);
  // An earlier move may have been interrupted after the split.
  await inTransaction(sql, splitGroups);
  const isolated = await isolate(sql, organizationId);
  const { shardId, host, port } = await findShard(sql, organizationId);
  const from = `${host}:${port}`;
  if (from === target) return { isolated, from, to: target };
  const mode = (await isLogical(sql)) ? 'force_logical' : 'block_writes';
  await sql`
    select citus_move_shard_placement(${shardId}::bigint, ${host}, ${port}::int, ${node.host}, ${node.port}::int, ${mode}::citus.shard_transfer_mode)`;
  return { isolated, from, to: target };
}

async function isolate(sql: DedicatedSql, organizationId: string): Promise<boolean> {
  const [shared] = await sql`
    select 1 from tenant_groups g
    where uuid_hash(${organizationId}::uuid) between g.from_hash and g.to_hash and g.from_hash < g.to_hash`;
  if (shared === undefined) return false;
  const mode = (await isLogical(sql)) ? 'force_logical' : 'block_writes';
  await whileStopped(sql, async () => {
    await sql`
      select isolate_tenant_to_new_shard('orders', ${organizationId}::uuid, 'CASCADE', shard_transfer_mode => ${mode}::citus.shard_transfer_mode)`;
    await inTransaction(sql, splitGroups);
  });
  return true;
}

async function findShard(sql: Queryable, organizationId: string) {
  const [row] = await sql<{ shardId: number; host: string; port: number }[]>`
    select s.shardid as "shardId", n.nodename as host, n.nodeport as port
    from pg_dist_shard s
    join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where s.logicalrelid = 'orders'::regclass
      and uuid_hash(${organizationId}::uuid) between s.shardminvalue::int and s.shardmaxvalue::int`;
  if (row === undefined) throw new Error('the tenant has no shard');
  return row;
}

/** With logical replication writers wait for a moment only; without it, until the rows are copied. */
async function isLogical(sql: Queryable): Promise<boolean> {
  const rows = await sql<{ success: boolean; result: string }[]>`
    select success, result from run_command_on_workers('show wal_level')`;
  return rows.every(({ success, result }) => success && result === 'logical');
}
