import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../platform/http/paging.ts';

export type ClosureRow = {
  id: string;
  from: string;
  until: string;
  reason_en: string;
  reason_ar: string;
  created: Date;
};
export type NewClosure = { from: string; until: string; reasonEn: string; reasonAr: string };
export type ClosureBranch = { id: string; iv_id: string; time_zone: string | null };

const columns = (sql: Queryable) =>
  sql`id, starts_on::text as from, ends_on::text as until, reason_en, reason_ar, created`;

export async function listClosures(
  sql: Queryable,
  organizationId: string,
  branchId: string,
  paging: Paging,
): Promise<{ rows: ClosureRow[]; total: number }> {
  const ofBranch = sql`from branch_closures where organization_id = ${organizationId} and branch_id = ${branchId}`;
  const rows = await sql<ClosureRow[]>`
    select ${columns(sql)} ${ofBranch} order by starts_on, id limit ${paging.limit} offset ${offsetOf(paging)}`;
  const [count] = await sql<{ total: number }[]>`select count(*) as total ${ofBranch}`;
  return { rows, total: count?.total ?? 0 };
}

/** Without `ivIds`, every branch. In the order of their ids, as everywhere. */
export function lockClosureBranches(
  tx: Tx,
  organizationId: string,
  ivIds: readonly string[] | undefined,
): Promise<ClosureBranch[]> {
  return tx<ClosureBranch[]>`
    select id, iv_id, time_zone from branches
    where organization_id = ${organizationId} ${ivIds === undefined ? tx`` : tx`and iv_id = any(${[...ivIds]}::text[])`}
    order by id for no key update`;
}

/** Of these branches, those with a closure on one of the days, and those with as many closures ahead as one may have. */
export async function findClosureConflicts(
  tx: Tx,
  organizationId: string,
  branchIds: readonly string[],
  { from, until }: NewClosure,
  max: number,
): Promise<{ overlapping: string[]; full: string[] }> {
  const rows = await tx<{ iv_id: string; overlaps: boolean }[]>`
    select b.iv_id, bool_or(c.starts_on <= ${until}::date and c.ends_on >= ${from}::date) as overlaps
    from branch_closures c join branches b on b.organization_id = c.organization_id and b.id = c.branch_id
    where c.organization_id = ${organizationId} and c.branch_id = any(${[...branchIds]}::uuid[])
    group by b.iv_id
    having bool_or(c.starts_on <= ${until}::date and c.ends_on >= ${from}::date) or count(*) >= ${max}
    order by b.iv_id`;
  return {
    overlapping: rows.filter(({ overlaps }) => overlaps).map(({ iv_id }) => iv_id),
    full: rows.filter(({ overlaps }) => !overlaps).map(({ iv_id }) => iv_id),
  };
}

/** One statement, however many branches: a row for each. */
export function insertClosures(
  tx: Tx,
  organizationId: string,
  rows: readonly { id: string; branchId: string }[],
  { from, until, reasonEn, reasonAr }: NewClosure,
  now: Date,
): Promise<ClosureRow[]> {
  return tx<ClosureRow[]>`
    insert into branch_closures (organization_id, branch_id, id, starts_on, ends_on, reason_en, reason_ar, created)
    select ${organizationId}::uuid, n.branch_id, n.id, ${from}::date, ${until}::date, ${reasonEn}, ${reasonAr}, ${now}::timestamptz
    from unnest(${rows.map(({ branchId }) => branchId)}::uuid[], ${rows.map(({ id }) => id)}::uuid[]) as n (branch_id, id)
    returning ${columns(tx)}`;
}

/** Closures that ended long ago no longer count against the limit of a branch. */
export async function dropOldClosures(
  tx: Tx,
  organizationId: string,
  branchIds: readonly string[],
  endedBefore: string,
): Promise<void> {
  await tx`
    delete from branch_closures
    where organization_id = ${organizationId} and branch_id = any(${[...branchIds]}::uuid[])
      and ends_on < ${endedBefore}::date`;
}

export async function deleteClosure(tx: Tx, organizationId: string, branchId: string, id: string): Promise<boolean> {
  const deleted = await tx`
    delete from branch_closures
    where organization_id = ${organizationId} and branch_id = ${branchId} and id = ${id} returning 1`;
  return deleted.length > 0;
}

/** The rows of the branches are locked by now. */
export async function updateClosedDays(tx: Tx, organizationId: string, branchIds: readonly string[]): Promise<void> {
  await tx`
    update branches b set closed_days = coalesce(
      (select range_agg(daterange(c.starts_on, c.ends_on, '[]')) from branch_closures c
       where c.organization_id = b.organization_id and c.branch_id = b.id), '{}')
    where b.organization_id = ${organizationId} and b.id = any(${[...branchIds]}::uuid[])`;
}
