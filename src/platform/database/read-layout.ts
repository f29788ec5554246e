import type { Queryable } from './connect.ts';
import { hashUuid } from './hash-uuid.ts';
import { type Layout, ONE_SERVER, type TenantGroup } from './layout.ts';

/** A database with the extension is one server until `dukkan cluster init` has spread its tables. */
export async function readLayout(sql: Queryable): Promise<Layout> {
  if (!(await isDistributed(sql))) return ONE_SERVER;
  const groups = await sql<TenantGroup[]>`
    select id, from_hash as "fromHash", to_hash as "toHash" from tenant_groups order by from_hash`;
  let nodes = await readNodes(sql);
  return {
    isDistributed: true,
    groups,
    groupOf: (organizationId) => findGroup(groups, hashUuid(organizationId)),
    nodeOf: (group) => nodes.get(group) ?? '',
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

export async function isDistributed(sql: Queryable): Promise<boolean> {
  const [extension] = await sql`select 1 from pg_extension where extname = 'citus'`;
  if (extension === undefined) return false;
  const [spread] = await sql`select 1 from pg_dist_partition where logicalrelid = 'orders'::regclass`;
  return spread !== undefined;
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
