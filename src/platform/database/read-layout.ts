import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { ServerError } from './check-server.ts';
import type { Queryable, Sql, Tx } from './connect.ts';
import { hashUuid } from './hash-uuid.ts';
import { type Layout, ONE_SERVER, type TenantGroup } from './layout.ts';
import { inTransaction } from './transaction.ts';

/**
 * A database with the extension is one server until `dukkan cluster init` has spread its tables. Refuses while that is under way: who reads
 * the layout then would go on with the former one.
 */
export async function readLayout(sql: Sql): Promise<Layout> {
  if (!(await hasExtension(sql))) return ONE_SERVER;
  return inTransaction(sql, async (tx) => {
    const [row] = await tx<
      { free: boolean }[]
    >`select pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.layout}) as free`;
    if (!row?.free)
      throw new ServerError('The tables are being moved by dukkan cluster: start again when that command has ended');
    return (await isSpread(tx)) ? readClusterLayout(sql, tx) : ONE_SERVER;
  });
}

async function readClusterLayout(sql: Sql, tx: Tx): Promise<Layout> {
  const groups = await tx<TenantGroup[]>`
    select id, from_hash as "fromHash", to_hash as "toHash" from tenant_groups order by from_hash`;
  let nodes = await readNodes(tx);
  const shards = await readShards(tx);
  const isWhole = await hasGroupForEachShard(tx);
  return {
    isDistributed: true,
    isWhole,
    groups,
    groupOf: (organizationId) => findGroup(groups, hashUuid(organizationId)),
    nodeOf: (group) => nodes.get(group) ?? '',
    shardOf(group) {
      const ids = shards.get(group);
      const idOf = (table: string) => {
        const id = ids?.get(table);
        if (id === undefined) throw new Error(`the group ${group} has no shard of ${table}`);
        return id;
      };
      return { id: idOf('orders'), table: (name) => `${name}_${idOf(name)}` };
    },
    async refresh() {
      nodes = await readNodes(sql);
    },
  };
}

async function readNodes(sql: Queryable): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; node: string }[]>`
    select g.id, p.groupid::text as node from tenant_groups g
    join pg_dist_shard s on s.logicalrelid = 'orders'::regclass and s.shardminvalue::int = g.from_hash
    join pg_dist_placement p on p.shardid = s.shardid`;
  return new Map(rows.map(({ id, node }) => [id, node]));
}

/** They stay the same while services run: a shard that is moved keeps its id, and splitting one needs a stop. */
async function readShards(sql: Queryable): Promise<Map<string, Map<string, string>>> {
  const rows = await sql<{ group: string; table: string; id: string }[]>`
    select g.id as "group", s.logicalrelid::regclass::text as "table", s.shardid::text as id from tenant_groups g
    join pg_dist_shard s on s.shardminvalue::int = g.from_hash
    join pg_dist_partition p on p.logicalrelid = s.logicalrelid
    where p.colocationid = (select colocationid from pg_dist_partition where logicalrelid = 'orders'::regclass)`;
  const shards = new Map<string, Map<string, string>>();
  for (const { group, table, id } of rows) shards.set(group, (shards.get(group) ?? new Map()).set(table, id));
  return shards;
}

async function hasGroupForEachShard(sql: Queryable): Promise<boolean> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from pg_dist_shard s
    full join tenant_groups g on g.from_hash = s.shardminvalue::int and g.to_hash = s.shardmaxvalue::int
    where coalesce(s.logicalrelid, 'orders'::regclass) = 'orders'::regclass and (g.id is null or s.shardid is null)`;
  return row?.count === 0;
}

export async function isDistributed(sql: Queryable): Promise<boolean> {
  return (await hasExtension(sql)) && (await isSpread(sql));
}

async function hasExtension(sql: Queryable): Promise<boolean> {
  return (await sql`select 1 from pg_extension where extname = 'citus'`).length > 0;
}

async function isSpread(sql: Queryable): Promise<boolean> {
  return (await sql`select 1 from pg_dist_partition where logicalrelid = 'orders'::regclass`).length > 0;
}

/** The groups are sorted and have every hash in one of them. */
function findGroup(groups: readonly TenantGroup[], hash: number): string {
  let from = 0;
  let to = groups.length - 1;
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if ((groups[middle] as TenantGroup).fromHash <= hash) from = middle;
    else to = middle - 1;
  }
  return (groups[from] as TenantGroup).id;
}
