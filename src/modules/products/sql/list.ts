import type { Queryable } from '../../../platform/database/index.ts';
import type { Sort } from '../../../platform/http/paging.ts';
import { likePattern } from '../../../platform/text/folding.ts';
import type { Product } from '../product.ts';

export const SORT_COLUMNS = ['created', 'updated', 'iv_id', 'name_en', 'name_ar', 'average_price'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
export type ProductSort = Sort<SortColumn>;

/** `search` is folded and not empty. */
export type ProductFilter = { search?: string; brandId?: string; categoryId?: string; isEnabled?: boolean };

export type Window = { skip: number; take: number };

/**
 * A page by walking the list in order, from its end where that is nearer. Only ids are walked (on `products_newest`
 * without touching the table), and the rows of the page are fetched afterwards.
 *
 * With a filter, no more than `within` products are looked at; a page that is not full then has not been found.
 */
export function walkPage(
  sql: Queryable,
  organizationId: string,
  walk: { sort: ProductSort; fromEnd: boolean; window: Window; filter?: { of: ProductFilter; within: number } },
): Promise<Product[]> {
  const { sort, fromEnd, window, filter } = walk;
  const walked = { column: sort.column, descending: sort.descending !== fromEnd };
  const { skip, take } = window;
  const ids =
    filter === undefined
      ? sql`
        select id from products where organization_id = ${organizationId} and not is_deleted
        order by ${inOrder(sql, walked)} limit ${take} offset ${skip}`
      : sql`
        select id from (
          select id, created, iv_id, search_text, brand_id, category_id, is_enabled from products
          where organization_id = ${organizationId} and not is_deleted
          order by ${inOrder(sql, walked)} limit ${filter.within}) as nearest
        where true ${matching(sql, filter.of)}
        order by ${inOrder(sql, walked)} limit ${take} offset ${skip}`;
  // An array rather than a join: whatever the planner expects of limits it does not know, it fetches by primary key.
  return sql<Product[]>`
    select id, iv_id, name_en, name_ar, average_price, vat_value, barcode, brand_id, category_id, generic_id, is_enabled,
           images, created, updated
    from products
    where organization_id = ${organizationId} and id = any(array(${ids}))
    order by ${inOrder(sql, sort)}`;
}

/** The columns that have an index to walk on. */
export const WALKABLE: ReadonlySet<SortColumn> = new Set(['created', 'iv_id']);

/** A page and the total in one pass over everything that matches. */
export async function collectPage(
  sql: Queryable,
  organizationId: string,
  filter: ProductFilter,
  sort: ProductSort,
  window: Window,
): Promise<{ products: Product[]; total: number }> {
  const column = sql(sort.column);
  const rows = await sql<((Product | { id: null }) & { total: number })[]>`
    with hits as materialized (
      select id, ${column} from products
      where organization_id = ${organizationId} and not is_deleted ${matching(sql, filter)}
    ), page as (
      select id from hits order by ${inOrder(sql, sort)} limit ${window.take} offset ${window.skip}
    )
    select counted.total, p.id, p.iv_id, p.name_en, p.name_ar, p.average_price, p.vat_value, p.barcode, p.brand_id,
           p.category_id, p.generic_id, p.is_enabled, p.images, p.created, p.updated
    from (select count(*) as total from hits) as counted
    left join (page join products p on p.organization_id = ${organizationId} and p.id = page.id) on true
    order by ${inOrder(sql, sort, 'p')}`;
  // Past the end there is one row all the same, with nothing but the total.
  const products = rows.flatMap((row) => (row.id === null ? [] : [row]));
  return { products, total: rows[0]?.total ?? 0 };
}

export function inOrder(sql: Queryable, { column, descending }: ProductSort, table?: string) {
  const own = (name: string) => (table === undefined ? sql`${sql(name)}` : sql`${sql(table)}.${sql(name)}`);
  const [first, id] = [own(column), own('id')];
  return descending ? sql`${first} desc, ${id} desc` : sql`${first}, ${id}`;
}

export function matching(sql: Queryable, { search, brandId, categoryId, isEnabled }: ProductFilter) {
  return sql`
    ${search === undefined ? sql`` : sql`and ${searching(sql, search)}`}
    ${brandId === undefined ? sql`` : sql`and brand_id = ${brandId}`}
    ${categoryId === undefined ? sql`` : sql`and category_id = ${categoryId}`}
    ${isEnabled === undefined ? sql`` : sql`and is_enabled = ${isEnabled}`}`;
}

/** Three letters or digits in a row are what the trigram index can look up. */
const TRIGRAM = /[\p{L}\p{N}]{3}/u;

/**
 * Without a trigram the index would be read from end to end, the entries of every other organization too (80 ms for a
 * shop of 1,000 products beside one of 100,000); `is true` keeps the planner from using it.
 */
function searching(sql: Queryable, search: string) {
  const pattern = likePattern(search);
  return TRIGRAM.test(search) ? sql`search_text like ${pattern}` : sql`(search_text like ${pattern}) is true`;
}
