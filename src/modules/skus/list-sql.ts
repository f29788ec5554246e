import type { Queryable } from '../../platform/database/index.ts';
import { offsetOf, type Paging, type Sort } from '../../platform/http/paging.ts';
import { likePattern } from '../../platform/text/folding.ts';
import type { SortColumn } from './schema.ts';
import type { BranchTail } from './split-search.ts';
import { itsParents, type SkuRow, type SkuScope, skuColumns, withinScope } from './sql.ts';

export type SkuFilter = SkuScope & {
  productIvId?: string;
  branchIvId?: string;
  isEnabled?: boolean;
  lowStock?: boolean;
  search?: { folded: string; tails: BranchTail[] };
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
  const { organizationId, productIvId, branchIvId, isEnabled, lowStock, search } = filter;
  return sql`
    ${withinScope(sql, filter)}
    ${
      productIvId === undefined
        ? sql``
        : sql`and s.product_id = (
            select id from products
            where organization_id = ${organizationId} and iv_id = ${productIvId} and not is_deleted)`
    }
    ${
      branchIvId === undefined
        ? sql``
        : sql`and s.branch_id = (
            select id from branches where organization_id = ${organizationId} and iv_id = ${branchIvId})`
    }
    ${isEnabled === undefined ? sql`` : sql`and s.is_enabled = ${isEnabled}`}
    ${lowStock === undefined ? sql`` : sql`and (s.current_qty <= s.reorder_threshold) = ${lowStock}`}
    ${search === undefined ? sql`` : sql`and ${isFound(sql, organizationId, search)}`}`;
}

const TRIGRAM = /[\p{L}\p{N}]{3}/u;

/**
 * A SKU's iv_id is not kept folded and has no trigram index, which would double the cost of making the matrix. What a
 * search finds in it is either inside the product's half, which the product's own search text answers, or reaches into
 * the branch's half, and there are few branches: `tails` says which, and how the product's half has to end for each.
 */
function isFound(sql: Queryable, organizationId: string, { folded, tails }: NonNullable<SkuFilter['search']>) {
  const pattern = likePattern(folded);
  // Without three letters in a row the trigram index would be read from end to end; `is true` keeps the planner off it.
  const matches = TRIGRAM.test(folded)
    ? sql`p.search_text like ${pattern}`
    : sql`(p.search_text like ${pattern}) is true`;
  const products = sql`
    select p.id from products p
    where p.organization_id = ${organizationId} and not p.is_deleted and ${matches}`;
  if (tails.length === 0) return sql`s.product_id in (${products})`;
  const branchIds = tails.map((tail) => tail.branchId);
  const contained = tails.map((tail) => likePattern(tail.productEnd));
  const atTheEnd = contained.map((pattern) => pattern.slice(0, -1));
  return sql`
    (s.product_id, s.branch_id) in (
      select found.id, b.id from (${products}) found cross join branches b where b.organization_id = ${organizationId}
      union
      select p.id, tail.branch_id
      from unnest(${branchIds}::uuid[], ${contained}::text[], ${atTheEnd}::text[]) as tail (branch_id, contained, at_the_end)
      join products p on p.organization_id = ${organizationId} and not p.is_deleted
        and p.search_text like tail.contained and lower(p.iv_id) like tail.at_the_end)`;
}
