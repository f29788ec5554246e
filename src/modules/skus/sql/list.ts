import type { Queryable } from '../../../platform/database/index.ts';
import { offsetOf, type Paging, type Sort } from '../../../platform/http/paging.ts';
import { likePattern } from '../../../platform/text/folding.ts';
import type { SortColumn } from '../schema.ts';
import type { BranchPlaces } from '../split-search.ts';
import { itsParents, type SkuRow, type SkuScope, skuColumns, withinScope } from './skus.ts';

export type SkuFilter = SkuScope & {
  productId?: string;
  branchId?: string;
  isEnabled?: boolean;
  lowStock?: boolean;
  search?: { folded: string; places: BranchPlaces };
};

const NEEDS_PRODUCT: readonly SortColumn[] = ['name_en', 'name_ar', 'price'];

/**
 * The page is picked from the SKUs alone and only then joined to names: with the joins inside, a sort by quantity over
 * 500,000 SKUs joined every one of them first.
 */
export function listSkus(sql: Queryable, filter: SkuFilter, sort: Sort<SortColumn>, paging: Paging): Promise<SkuRow[]> {
  const order = orderBy(sql, sort);
  const product = NEEDS_PRODUCT.includes(sort.column)
    ? sql`join products p on p.organization_id = s.organization_id and p.id = s.product_id`
    : sql``;
  return sql<SkuRow[]>`
    select ${skuColumns(sql)}
    from (
      select s.* from skus s ${product}
      where ${conditions(sql, filter)}
      order by ${order} limit ${paging.limit} offset ${offsetOf(paging)}) s
    ${itsParents(sql)}
    order by ${order}`;
}

export async function countSkus(sql: Queryable, filter: SkuFilter): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from skus s where ${conditions(sql, filter)}`;
  return row?.total ?? 0;
}

/**
 * Asked beforehand and not inside the list: the planner counts on an average branch where it cannot see which one it
 * is, and then looked up 100,000 products one by one.
 */
export async function findParentIds(
  sql: Queryable,
  organizationId: string,
  wanted: { productIvId: string | undefined; branchIvId: string | undefined },
): Promise<{ productId: string | undefined; branchId: string | undefined }> {
  const [row] = await sql<{ product_id: string | null; branch_id: string | null }[]>`
    select
      (select id from products
       where organization_id = ${organizationId} and iv_id = ${wanted.productIvId ?? null} and not is_deleted) as product_id,
      (select id from branches
       where organization_id = ${organizationId} and iv_id = ${wanted.branchIvId ?? null}) as branch_id`;
  return { productId: row?.product_id ?? undefined, branchId: row?.branch_id ?? undefined };
}

export function listBranchNames(sql: Queryable, organizationId: string): Promise<{ id: string; iv_id: string }[]> {
  return sql<{ id: string; iv_id: string }[]>`
    select id, iv_id from branches where organization_id = ${organizationId}`;
}

function orderBy(sql: Queryable, { column, descending }: Sort<SortColumn>) {
  const direction = descending ? sql`desc` : sql`asc`;
  const tieBreak = sql`s.product_id ${direction}, s.branch_id ${direction}`;
  switch (column) {
    case 'iv_id':
      return sql`s.iv_id ${direction}`;
    case 'name_en':
    case 'name_ar':
      return sql`p.${sql(column)} ${direction}, ${tieBreak}`;
    case 'price':
      return sql`coalesce(s.price, p.average_price) ${direction}, ${tieBreak}`;
    default:
      return sql`s.${sql(column)} ${direction}, ${tieBreak}`;
  }
}

function conditions(sql: Queryable, filter: SkuFilter) {
  const { organizationId, productId, branchId, isEnabled, lowStock, search } = filter;
  return sql`
    ${withinScope(sql, filter)}
    ${productId === undefined ? sql`` : sql`and s.product_id = ${productId}`}
    ${branchId === undefined ? sql`` : sql`and s.branch_id = ${branchId}`}
    ${isEnabled === undefined ? sql`` : sql`and s.is_enabled = ${isEnabled}`}
    ${lowStock === undefined ? sql`` : sql`and (s.current_qty <= s.reorder_threshold) = ${lowStock}`}
    ${search === undefined ? sql`` : sql`and ${isFound(sql, organizationId, search)}`}`;
}

/**
 * A SKU's iv_id has no trigram index of its own, which would double the cost of making the matrix. What a search finds
 * in it is either inside the product's half, which the product's own search text answers, or reaches into the branch's
 * half; there are few branches, so that was worked out before (see `splitSearch`).
 */
function isFound(sql: Queryable, organizationId: string, { folded, places }: NonNullable<SkuFilter['search']>) {
  const products = sql`select p.id from products p where ${productMatches(sql, organizationId, folded)}`;
  const across = [...places.across].map(
    ([productEnd, branchIds]) => sql`
      select p.id, b.id from products p cross join unnest(${branchIds}::uuid[]) as b (id)
      where ${productMatches(sql, organizationId, productEnd)}
        and lower(p.iv_id) like ${likePattern(productEnd).slice(0, -1)}`,
  );
  if (places.insideBranches.length > 0) {
    const pairs = across.reduce((all, one) => sql`${all} or (s.product_id, s.branch_id) in (${one})`, sql``);
    return sql`
      (s.branch_id = any(${places.insideBranches}::uuid[]) or s.product_id in (${products}) ${pairs})`;
  }
  if (across.length === 0) return sql`s.product_id in (${products})`;
  const everywhere = sql`
    select p.id, b.id from (${products}) p cross join branches b where b.organization_id = ${organizationId}`;
  return sql`(s.product_id, s.branch_id) in (${across.reduce((all, one) => sql`${all} union ${one}`, everywhere)})`;
}

const TRIGRAM = /[\p{L}\p{N}]{3}/u;

function productMatches(sql: Queryable, organizationId: string, folded: string) {
  const pattern = likePattern(folded);
  return sql`
    p.organization_id = ${organizationId} and not p.is_deleted and ${
      // Without three letters in a row the trigram index would be read from end to end; this keeps the planner off it.
      TRIGRAM.test(folded) ? sql`p.search_text like ${pattern}` : sql`(p.search_text like ${pattern}) is true`
    }`;
}
