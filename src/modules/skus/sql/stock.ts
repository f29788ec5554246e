import type { Queryable } from '../../../platform/database/index.ts';

/** What is left of one article in one branch. */
export type Stock = {
  sku_iv_id: string;
  branch_iv_id: string;
  branch_name_en: string;
  branch_name_ar: string;
  name_en: string;
  name_ar: string;
  current_qty: number;
  reorder_threshold: number;
  buffer: number;
  updated: Date;
};

export type StockScope = { organizationId: string; branchId: string | null };

const columns = (sql: Queryable) => sql`
  s.iv_id as sku_iv_id, b.iv_id as branch_iv_id, b.name_en as branch_name_en, b.name_ar as branch_name_ar,
  p.name_en, p.name_ar, s.current_qty, s.reorder_threshold, s.buffer, s.updated`;

const ofBranch = (sql: Queryable, { branchId }: StockScope) =>
  branchId === null ? sql`` : sql`and branch_id = ${branchId}`;

/**
 * One look-up each, which `offset 0` holds the planner to: left free, it takes the list for ten rows and reads it anew for
 * every branch.
 */
const named = (sql: Queryable) => sql`
  cross join lateral (
    select name_en, name_ar from products where organization_id = s.organization_id and id = s.product_id offset 0) p
  cross join lateral (
    select iv_id, name_en, name_ar from branches where organization_id = s.organization_id and id = s.branch_id offset 0) b`;

/** At or under their thresholds, the emptiest first. One without a threshold is not watched. */
export function listLowStock(sql: Queryable, scope: StockScope, limit: number): Promise<Stock[]> {
  return sql<Stock[]>`
    select ${columns(sql)}
    from (
      select * from skus
      where organization_id = ${scope.organizationId} and is_enabled and reorder_threshold > 0
        and current_qty <= reorder_threshold ${ofBranch(sql, scope)}
      order by current_qty / reorder_threshold, iv_id limit ${limit}
    ) s ${named(sql)}
    order by s.current_qty / s.reorder_threshold, s.iv_id`;
}

export type LowStockOfBranch = {
  branch_iv_id: string;
  name_en: string;
  name_ar: string;
  skus: number;
  out_of_stock: number;
};

/** SKUs at or under their thresholds by branch, most first. Reads the watched SKUs by their index: 10,000 take some milliseconds. */
export function countLowStock(sql: Queryable, scope: StockScope): Promise<LowStockOfBranch[]> {
  return sql<LowStockOfBranch[]>`
    select b.iv_id as branch_iv_id, b.name_en, b.name_ar, low.skus, low.out_of_stock
    from (
      select branch_id, count(*) as skus, count(*) filter (where current_qty <= 0) as out_of_stock from skus
      where organization_id = ${scope.organizationId} and is_enabled and reorder_threshold > 0
        and current_qty <= reorder_threshold ${ofBranch(sql, scope)}
      group by branch_id
    ) low
    join branches b on b.organization_id = ${scope.organizationId} and b.id = low.branch_id
    order by low.skus desc, b.iv_id`;
}

export function listStock(sql: Queryable, scope: StockScope, skuIvIds: readonly string[]): Promise<Stock[]> {
  return sql<Stock[]>`
    select ${columns(sql)}
    from (
      select * from skus
      where organization_id = ${scope.organizationId} and iv_id = any(${[...skuIvIds]}::text[]) ${ofBranch(sql, scope)}
    ) s ${named(sql)}`;
}
