import type { Queryable } from '../../../platform/database/index.ts';
import { isId } from '../../../platform/ids.ts';

/** A branch as far as its neighbours need to know it. */
export type BranchOutline = { id: string; iv_id: string; active: boolean; city: string | null };

/** Every branch of the organization, in order of iv_id. */
export function listBranchOutlines(sql: Queryable, organizationId: string): Promise<BranchOutline[]> {
  return sql<BranchOutline[]>`
    select id, iv_id, active, city from branches where organization_id = ${organizationId} order by iv_id`;
}

/** Those that are to be paid for, with the moment since when. */
export async function listChargeableBranches(
  sql: Queryable,
  organizationId: string,
): Promise<{ ivId: string; created: Date }[]> {
  return sql<{ ivId: string; created: Date }[]>`
    select iv_id as "ivId", created from branches where organization_id = ${organizationId} and active order by iv_id`;
}

/** A branch as its orders name it. */
export type BranchLabel = { organization_id: string; id: string; name_en: string; name_ar: string; iv_id: string };

/** What a caller calls a branch: its id or its iv_id. */
export type BranchName = { organizationId: string; name: string };
export type NamedBranch = BranchLabel & { named: string };

/** Each with the name it was asked for by. Where one branch's iv_id is the id of another, the id counts. */
export function findBranchLabels(sql: Queryable, names: BranchName[]): Promise<NamedBranch[]> {
  return sql<NamedBranch[]>`
    select k.name as named, b.organization_id, b.id, b.name_en, b.name_ar, b.iv_id
    from unnest(
      ${names.map(({ organizationId }) => organizationId)}::uuid[], ${names.map(({ name }) => name)}::text[],
      ${names.map(({ name }) => (isId(name) ? name : null))}::uuid[]
    ) as k (organization_id, name, id)
    cross join lateral (
      (select 1 as rank, organization_id, id, name_en, name_ar, iv_id from branches
       where organization_id = k.organization_id and id = k.id)
      union all
      (select 2, organization_id, id, name_en, name_ar, iv_id from branches
       where organization_id = k.organization_id and iv_id = k.name)
      order by rank limit 1
    ) b`;
}

export function listBranchLabels(sql: Queryable, organizationId: string): Promise<BranchLabel[]> {
  return sql<BranchLabel[]>`
    select organization_id, id, name_en, name_ar, iv_id from branches where organization_id = ${organizationId}`;
}

/** How many branches each of these organizations has; none of those that have none. */
export async function countBranchesOf(sql: Queryable, organizationIds: string[]): Promise<Map<string, number>> {
  const rows = await sql<{ organization_id: string; total: number }[]>`
    select organization_id, count(*) as total from branches
    where organization_id = any(${organizationIds}::uuid[]) group by organization_id`;
  return new Map(rows.map((row) => [row.organization_id, row.total]));
}
