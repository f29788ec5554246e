import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { itsParents, type SkuScope, withinScope } from './skus.ts';

export type PriceFilter = {
  productIvIds?: string[] | undefined;
  branchIvIds?: string[] | undefined;
  categoryId?: string | undefined;
  brandId?: string | undefined;
};

/** Decimal text: `factor` is 1.075 for 7.5 percent, `step` the smallest difference between two prices. */
export type PriceRule = { factor: string; step: string };

export type PricedSku = {
  sku_iv_id: string;
  product_iv_id: string;
  branch_iv_id: string;
  name_en: string;
  name_ar: string;
  price: number | null;
  price_before: number;
  price_after: number;
};

const matching = (sql: Queryable, { productIvIds, branchIvIds, categoryId, brandId }: PriceFilter) => sql`
  ${productIvIds === undefined ? sql`` : sql`and p.iv_id = any(${productIvIds}::text[])`}
  ${branchIvIds === undefined ? sql`` : sql`and b.iv_id = any(${branchIvIds}::text[])`}
  ${categoryId === undefined ? sql`` : sql`and p.category_id = ${categoryId}`}
  ${brandId === undefined ? sql`` : sql`and p.brand_id = ${brandId}`}`;

/** Half away from zero, as numeric rounds. A price stays above zero: rounding makes nothing free. */
const newPrice = (sql: Queryable, { factor, step }: PriceRule) => sql`
  case when coalesce(s.price, p.average_price) = 0 then 0
       else greatest(${step}::numeric,
                     round(coalesce(s.price, p.average_price) * ${factor}::numeric / ${step}::numeric) * ${step}::numeric)
  end`;

/** Of how many SKUs the filter selects the price, counted up to `limit`. */
export async function countSelected(
  sql: Queryable,
  scope: SkuScope,
  filter: PriceFilter,
  limit: number,
): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from (
      select 1 from skus s ${itsParents(sql)}
      where ${withinScope(sql, scope)} and not p.is_deleted ${matching(sql, filter)} limit ${limit}) as selected`;
  return row?.total ?? 0;
}

/** The first rows by product and branch, how many change in all, and the highest new price. */
export async function previewPriceChanges(
  sql: Queryable,
  scope: SkuScope,
  filter: PriceFilter,
  rule: PriceRule,
  shown: number,
): Promise<{ rows: PricedSku[]; total: number; highest: number }> {
  const rows = await sql<(PricedSku & { total: number; highest: number })[]>`
    select *, count(*) over () as total, max(price_after) over () as highest from (
      select s.iv_id as sku_iv_id, p.iv_id as product_iv_id, b.iv_id as branch_iv_id, p.name_en, p.name_ar, s.price,
             coalesce(s.price, p.average_price) as price_before, ${newPrice(sql, rule)} as price_after
      from skus s ${itsParents(sql)}
      where ${withinScope(sql, scope)} and not p.is_deleted ${matching(sql, filter)}) as selected
    where price_after <> price_before
    order by product_iv_id, branch_iv_id limit ${shown}`;
  return { rows, total: rows[0]?.total ?? 0, highest: rows[0]?.highest ?? 0 };
}

/**
 * Sets the prices in one statement. Rows are locked in the order of the other writers of SKUs; a price that changes while this waits is
 * computed from its new value. Returns the rows as they were before.
 */
export function applyPriceChanges(
  tx: Tx,
  scope: SkuScope,
  filter: PriceFilter,
  rule: PriceRule,
  now: Date,
): Promise<PricedSku[]> {
  return tx<PricedSku[]>`
    with locked as materialized (
      select s.organization_id, s.product_id, s.branch_id, s.iv_id as sku_iv_id, p.iv_id as product_iv_id,
             b.iv_id as branch_iv_id, p.name_en, p.name_ar, s.price, coalesce(s.price, p.average_price) as price_before,
             ${newPrice(tx, rule)} as price_after
      from skus s ${itsParents(tx)}
      where ${withinScope(tx, scope)} and not p.is_deleted ${matching(tx, filter)}
      order by s.product_id, s.branch_id
      for no key update of s)
    update skus set price = locked.price_after, updated = ${now}
    from locked
    where skus.organization_id = locked.organization_id and skus.product_id = locked.product_id
      and skus.branch_id = locked.branch_id and locked.price_after <> locked.price_before
    returning locked.sku_iv_id, locked.product_iv_id, locked.branch_iv_id, locked.name_en, locked.name_ar, locked.price,
              locked.price_before, locked.price_after`;
}
