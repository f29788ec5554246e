import type { Sql } from '../../platform/database/index.ts';

export type NodeStatus = {
  node: string;
  role: 'coordinator' | 'worker';
  active: boolean;
  shards: number;
  bytes: number;
  tenants: number;
  /** Events of its tenants that a follower has not read, of the one that is furthest behind. Null when the node does not answer. */
  events_behind: number | null;
};

type Placement = { tenant_group: string; node: string; tenants: number };

export async function readClusterStatus(sql: Sql): Promise<NodeStatus[]> {
  const nodes = await sql<{ node: string; is_coordinator: boolean; active: boolean }[]>`
    select nodename || ':' || nodeport as node, groupid = 0 as is_coordinator, isactive as active
    from pg_dist_node where noderole = 'primary' order by groupid`;
  const sizes = await readSizes(sql);
  const placements = await readPlacements(sql);
  return await Promise.all(
    nodes.map(async ({ node, is_coordinator, active }): Promise<NodeStatus> => {
      const theirs = placements.filter((placement) => placement.node === node);
      return {
        node,
        role: is_coordinator ? 'coordinator' : 'worker',
        active,
        shards: sizes.get(node)?.shards ?? 0,
        bytes: sizes.get(node)?.bytes ?? 0,
        tenants: theirs.reduce((sum, { tenants }) => sum + tenants, 0),
        events_behind: await readEventsBehind(sql, theirs),
      };
    }),
  );
}

/** The size asks every node: without an answer of one there is none. */
async function readSizes(sql: Sql): Promise<Map<string, { shards: number; bytes: number }>> {
  const rows = await sql<{ node: string; shards: number; bytes: number }[]>`
    select nodename || ':' || nodeport as node, count(*) as shards, coalesce(sum(shard_size), 0)::bigint as bytes
    from citus_shards where citus_table_type = 'distributed' group by 1`.catch(() => []);
  return new Map(rows.map(({ node, ...size }) => [node, size]));
}

/** Where the tenants are. */
export function readPlacements(sql: Sql): Promise<Placement[]> {
  return sql<Placement[]>`
    select g.id as tenant_group, n.nodename || ':' || n.nodeport as node,
           (select count(*) from organizations o where uuid_hash(o.id) between g.from_hash and g.to_hash) as tenants
    from tenant_groups g
    join pg_dist_shard s on s.logicalrelid = 'orders'::regclass and s.shardminvalue::int = g.from_hash
    join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    order by g.from_hash`;
}

async function readEventsBehind(sql: Sql, placements: Placement[]): Promise<number | null> {
  try {
    const behind = await Promise.all(placements.map(({ tenant_group }) => readBehind(sql, tenant_group)));
    return behind.reduce((sum, events) => sum + events, 0);
  } catch {
    return null;
  }
}

async function readBehind(sql: Sql, group: string): Promise<number> {
  const [row] = await sql<{ behind: number | null }[]>`
    select max(e.last_position - f.position) as behind
    from event_positions e join event_followers f on f.tenant_group = e.tenant_group where e.tenant_group = ${group}`;
  return Math.max(0, row?.behind ?? 0);
}
