import type { Queryable } from './connect.ts';
import { hashUuid } from './hash-uuid.ts';

/** Tenants whose rows are stored together: all of them on one server, those of one shard on a cluster. */
export type TenantGroup = { id: string; fromHash: number; toHash: number };

/** Where the rows of tenants are. Read once at the start: only this file distinguishes a cluster from one server. */
export type Layout = {
  isDistributed: boolean;
  groups: readonly TenantGroup[];
  groupOf(organizationId: string): string;
  /** The node of a group. */
  nodeOf(group: string): string;
  /** Reads again where the groups are: shards can be moved while the service runs. */
  refresh(sql: Queryable): Promise<void>;
};

/** The group of all tenants on one server. */
export const ONE_GROUP = '00000000-0000-0000-0000-000000000000';

export const ONE_SERVER: Layout = {
  isDistributed: false,
  groups: [{ id: ONE_GROUP, fromHash: -(2 ** 31), toHash: 2 ** 31 - 1 }],
  groupOf: () => ONE_GROUP,
  nodeOf: () => '',
  refresh: async () => undefined,
};

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
    async refresh(queryable) {
      nodes = await readNodes(queryable);
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

/** The items by group, each in its order. */
export function byGroup<T>(layout: Layout, items: readonly T[], organizationOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = layout.groupOf(organizationOf(item));
    const theirs = groups.get(group);
    if (theirs === undefined) groups.set(group, [item]);
    else theirs.push(item);
  }
  return groups;
}
