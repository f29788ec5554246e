import { type Queryable, TENANT_LOCKS, type Tx } from '../../platform/database/index.ts';
import { offsetOf, type Paging, type Sort } from '../../platform/http/paging.ts';
import { foldForSearch, likePattern } from '../../platform/text/folding.ts';
import type { Group, GroupKind } from './group.ts';

export const SORT_COLUMNS = ['created', 'updated', 'name_en', 'name_ar'] as const;
export type GroupSort = Sort<(typeof SORT_COLUMNS)[number]>;

/** Counted each time: an organization has some hundreds of them, and 10,000 at most. */
export async function listGroups(
  sql: Queryable,
  { table }: GroupKind,
  organizationId: string,
  query: { search: string; sort: GroupSort; paging: Paging },
): Promise<{ groups: Group[]; total: number }> {
  const { search, sort, paging } = query;
  const matching = sql`
    from ${sql(table)} where organization_id = ${organizationId} and search_text like ${likePattern(search)}`;
  const direction = sort.descending ? sql`desc` : sql`asc`;
  const [groups, [counted]] = await Promise.all([
    sql<Group[]>`
      select id, name_en, name_ar, created, updated ${matching}
      order by ${sql(sort.column)} ${direction}, id ${direction}
      limit ${paging.limit} offset ${offsetOf(paging)}`,
    sql<{ total: number }[]>`select count(*) as total ${matching}`,
  ]);
  return { groups, total: counted?.total ?? 0 };
}

export async function findGroup(
  sql: Queryable,
  { table }: GroupKind,
  organizationId: string,
  id: string,
): Promise<Group | undefined> {
  const [row] = await sql<Group[]>`
    select id, name_en, name_ar, created, updated from ${sql(table)}
    where organization_id = ${organizationId} and id = ${id}`;
  return row;
}

export async function insertGroup(tx: Tx, { table }: GroupKind, organizationId: string, group: Group): Promise<void> {
  const row = { organization_id: organizationId, ...group, search_text: searchTextOf(group) };
  await tx`insert into ${tx(table)} ${tx(row)}`;
}

/** Against others who add to the same list of the tenant. */
export async function lockGroups(tx: Tx, { table }: GroupKind, organizationId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${TENANT_LOCKS.catalogGroups}, hashtext(${`${organizationId} ${table}`}))`;
}

export async function countGroups(sql: Queryable, { table }: GroupKind, organizationId: string): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from ${sql(table)} where organization_id = ${organizationId}`;
  return row?.total ?? 0;
}

/** Not the strongest lock: products that take it up meanwhile only need the row to stay. */
export async function lockNames(
  tx: Tx,
  { table }: GroupKind,
  organizationId: string,
  id: string,
): Promise<Group | undefined> {
  const [row] = await tx<Group[]>`
    select id, name_en, name_ar, created, updated from ${tx(table)}
    where organization_id = ${organizationId} and id = ${id} for no key update`;
  return row;
}

export async function replaceNames(tx: Tx, { table }: GroupKind, organizationId: string, group: Group): Promise<void> {
  await tx`
    update ${tx(table)}
    set name_en = ${group.name_en}, name_ar = ${group.name_ar}, search_text = ${searchTextOf(group)},
        updated = ${group.updated}
    where organization_id = ${organizationId} and id = ${group.id}`;
}

/** Waits for products that are taking it up at this moment, and holds off those that would. */
export async function lockGroup(tx: Tx, { table }: GroupKind, organizationId: string, id: string): Promise<boolean> {
  const found = await tx`
    select from ${tx(table)} where organization_id = ${organizationId} and id = ${id} for update`;
  return found.count > 0;
}

export async function removeGroup(tx: Tx, { table }: GroupKind, organizationId: string, id: string): Promise<void> {
  await tx`delete from ${tx(table)} where organization_id = ${organizationId} and id = ${id}`;
}

function searchTextOf(names: { name_en: string; name_ar: string }): string {
  return `${foldForSearch(names.name_en)}\n${foldForSearch(names.name_ar)}`;
}
