import type { Tx } from '../../platform/database/index.ts';

type Range = { from_hash: number; to_hash: number };

/** Candidates for the id of a group. With 1,024 shards one of twenty thousand lies in each but the narrowest range. */
const CANDIDATES = 20_000;

/** A group for each shard, with an id that is stored in it. On one server there is one group, whose rows all get a new id here. */
export async function makeGroups(tx: Tx): Promise<void> {
  const ranges = await readRanges(tx);
  await tx`delete from tenant_groups`;
  for (const range of ranges) await addGroup(tx, range);
  const ofTenant = tx`(
    select g.id from tenant_groups g where uuid_hash(organization_id) between g.from_hash and g.to_hash)`;
  await tx`update order_outbox set tenant_group = ${ofTenant}`;
  await tx`update order_feed set tenant_group = ${ofTenant}`;
  await tx`update dead_letter_events set tenant_group = ${ofTenant}`;
  // Positions stay as they are: each group goes on from the last one of all.
  await tx`
    with before as (delete from event_positions returning *)
    insert into event_positions (tenant_group, last_position, first_kept_position)
    select g.id, b.last_position, b.first_kept_position from before b cross join tenant_groups g`;
  await tx`
    with before as (delete from event_followers returning *)
    insert into event_followers (tenant_group, name, position)
    select g.id, b.name, b.position from before b cross join tenant_groups g`;
}

/**
 * After a shard was split: the part that has the id of the group keeps it, and the other parts get groups of their own, with the events of
 * their tenants. Does nothing where groups and shards agree, so that it can be repeated.
 */
export async function splitGroups(tx: Tx): Promise<void> {
  const ranges = await readRanges(tx);
  const groups = await tx<(Range & { id: string; hash: number })[]>`
    select id, from_hash, to_hash, uuid_hash(id) as hash from tenant_groups`;
  for (const group of groups) {
    const parts = ranges.filter(({ from_hash, to_hash }) => from_hash >= group.from_hash && to_hash <= group.to_hash);
    if (parts.length < 2) continue;
    const kept = parts.find(({ from_hash, to_hash }) => group.hash >= from_hash && group.hash <= to_hash);
    for (const part of parts.filter((one) => one !== kept)) await moveOut(tx, group.id, part);
    if (kept !== undefined)
      await tx`update tenant_groups set from_hash = ${kept.from_hash}, to_hash = ${kept.to_hash} where id = ${group.id}`;
  }
}

/** A cluster cannot change the column that chooses the shard: the rows are written again. */
async function moveOut(tx: Tx, from: string, part: Range): Promise<void> {
  const id = await addGroup(tx, part);
  const tenants = await tx<{ id: string }[]>`
    select id from organizations where uuid_hash(id) between ${part.from_hash} and ${part.to_hash}`;
  const ids = tenants.map((tenant) => tenant.id);
  await copyRows(tx, 'event_positions', 'last_position, first_kept_position', { from, to: id });
  await copyRows(tx, 'event_followers', 'name, position', { from, to: id });
  for (const { table, columns } of MOVED) {
    await copyRows(tx, table, columns, { from, to: id, tenants: ids });
    await tx`delete from ${tx(table)} where tenant_group = ${from} and organization_id = any(${ids}::uuid[])`;
  }
  await tx`
    update dead_letter_events set tenant_group = ${id}
    where tenant_group = ${from} and organization_id = any(${ids}::uuid[])`;
}

const MOVED = [
  { table: 'order_outbox', columns: 'id, organization_id, order_id, week' },
  {
    table: 'order_feed',
    columns: 'organization_id, tenant_position, position, order_id, change_id, week, stamped_at',
  },
];

async function copyRows(
  tx: Tx,
  table: string,
  columns: string,
  { from, to, tenants }: { from: string; to: string; tenants?: string[] },
): Promise<void> {
  const theirs = tenants === undefined ? '' : ` and organization_id = any('{${tenants.join(',')}}'::uuid[])`;
  await tx.unsafe(
    `insert into ${table} (tenant_group, ${columns}) overriding system value
     select '${to}'::uuid, ${columns} from ${table} where tenant_group = '${from}'${theirs}`,
  );
}

function readRanges(tx: Tx): Promise<Range[]> {
  return tx<Range[]>`
    select shardminvalue::int as from_hash, shardmaxvalue::int as to_hash from pg_dist_shard
    where logicalrelid = 'orders'::regclass order by 1`;
}

/** The range of a single hash is that of the one tenant in it, whose id serves as the group's. */
async function addGroup(tx: Tx, { from_hash, to_hash }: Range): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    select id from (
      select ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id from generate_series(1, ${CANDIDATES}) n
      union all select id from organizations) candidates
    where uuid_hash(id) between ${from_hash} and ${to_hash} order by id limit 1`;
  if (row === undefined) throw new Error(`no id was found whose hash is between ${from_hash} and ${to_hash}`);
  await tx`insert into tenant_groups (id, from_hash, to_hash) values (${row.id}, ${from_hash}, ${to_hash})`;
  return row.id;
}
