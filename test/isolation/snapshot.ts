import type { Sql } from '../../src/platform/database/index.ts';

export type Snapshot = Record<string, string>;

/**
 * Every row that belongs to the tenant, table by table, and its people's tokens: what nobody else may change. When its own
 * people were last seen changes with each of their own requests, and its counts are moved from one table to the other.
 */
export async function snapshotOf(sql: Sql, organizationId: string): Promise<Snapshot> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('last_seen', 'organization_counts', 'organization_count_changes')
    order by c.relname`;
  const snapshot: Snapshot = {};
  for (const { name } of tables) {
    const rows = await sql<{ row: string }[]>`
      select t::text as row from ${sql(name)} t where organization_id = ${organizationId} order by 1`;
    snapshot[name] = rows.map(({ row }) => row).join('\n');
  }
  const [people] = await sql<{ users: string }[]>`
    select coalesce(string_agg(u::text, '' order by u.id), '') as users
    from users u where id in (select user_id from memberships where organization_id = ${organizationId})`;
  snapshot.users = people?.users ?? '';
  const [organization] = await sql<{ row: string }[]>`
    select o::text as row from organizations o where id = ${organizationId}`;
  snapshot.organizations = organization?.row ?? '';
  return snapshot;
}
