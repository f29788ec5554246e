import type { Queryable, Tx } from '../../../../platform/database/index.ts';

export type OrganizationCounts = { organization_id: string; branches: number; members: number };

export function readCountsOf(sql: Queryable, organizationIds: string[]): Promise<OrganizationCounts[]> {
  return sql<OrganizationCounts[]>`
    select organization_id, sum(branches) as branches, sum(members) as members
    from (
      select organization_id, branches, members from organization_counts
      where organization_id = any(${organizationIds}::uuid[])
      union all
      select organization_id, branches, members from organization_count_changes
      where organization_id = any(${organizationIds}::uuid[])) as counted
    group by organization_id`;
}

/** Moves changes into the counts in one statement, so that readers count each change once. Returns how many there were. */
export async function foldChanges(tx: Tx, batch: number): Promise<number> {
  const [row] = await tx<{ folded: number }[]>`
    with taken as (
      delete from organization_count_changes where id in (
        select id from organization_count_changes order by id limit ${batch} for update skip locked)
      returning organization_id, branches, members
    ), folded as (
      insert into organization_counts as c (organization_id, branches, members)
      select organization_id, sum(branches), sum(members) from taken group by organization_id order by organization_id
      on conflict (organization_id) do update set
        branches = c.branches + excluded.branches, members = c.members + excluded.members
    )
    select count(*) as folded from taken`;
  return row?.folded ?? 0;
}
