import type { Queryable } from '../../../platform/database/index.ts';

/** A SKU and its past, ready for the thread that forecasts: the days are put together there and not here. */
export type ForecastInput = {
  sku: string;
  branch_id: string;
  /** As it was read; kept as text, since a Date has no microseconds. */
  sku_updated: string;
  current_qty: number;
  reorder_threshold: number;
  buffer: number;
  name_en: string;
  name_ar: string;
  /** `day:qty` parted by commas, the day counted from the first of its branch; a day comes once for each channel. */
  sold: string | null;
  /** The same, once a day; it holds in place of what was sold. */
  uploaded: string | null;
};

export type HistoryWindow = { from: string; before: string };

/** SKUs after one, by iv_id, that have sold or been uploaded within the window. */
export async function listForecastSkus(
  sql: Queryable,
  organizationId: string,
  { from, before }: HistoryWindow,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await sql<{ iv_id: string }[]>`
    select s.iv_id from skus s
    where s.organization_id = ${organizationId} and s.iv_id > ${after}
      and (exists (select from daily_product_sales d
                   where d.organization_id = s.organization_id and d.sku_id = s.iv_id
                     and d.local_day >= ${from} and d.local_day < ${before})
        or exists (select from demand_days u where u.organization_id = s.organization_id and u.sku_iv_id = s.iv_id))
    order by s.iv_id limit ${limit}`;
  return rows.map((row) => row.iv_id);
}

/** Those whose stock or settings have changed since their forecast was made. */
export async function listMovedSkus(
  sql: Queryable,
  organizationId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await sql<{ iv_id: string }[]>`
    select s.iv_id
    from forecasts f join skus s on s.organization_id = f.organization_id and s.iv_id = f.sku_iv_id
    where f.organization_id = ${organizationId} and f.sku_iv_id > ${after} and s.updated <> f.sku_updated
    order by s.iv_id limit ${limit}`;
  return rows.map((row) => row.iv_id);
}

/** The best sold: what they have in common is what the others borrow. */
export async function listBestSold(
  sql: Queryable,
  organizationId: string,
  { from, before }: HistoryWindow,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ sku: string }[]>`
    select sku from (
      select sku_id as sku, sum(units) as units from daily_product_sales
      where organization_id = ${organizationId} and local_day >= ${from} and local_day < ${before}
      group by sku_id
      union all
      select sku_iv_id, sum(qty) from demand_days where organization_id = ${organizationId} group by sku_iv_id) sold
    group by sku order by sum(units) desc, sku limit ${limit}`;
  return rows.map((row) => row.sku);
}

/** By branch: the last day of which anything is known, and the first that is looked back to. */
export type BranchPast = { from: string; until: string };

/**
 * One row a SKU of these branches that has any demand since its branch's first day. Which of the two pasts holds for a day
 * is left to the thread: asked of the server, a look into the other table for each day is two thirds of the reading.
 */
export function readForecastInputs(
  sql: Queryable,
  organizationId: string,
  pasts: ReadonlyMap<string, BranchPast>,
  { skus, before }: { skus: readonly string[]; before: string },
): Promise<ForecastInput[]> {
  const froms = Array.from(pasts.values(), ({ from }) => from);
  return sql<ForecastInput[]>`
    select s.iv_id as sku, s.branch_id, s.updated::text as sku_updated, s.current_qty, s.reorder_threshold, s.buffer,
           p.name_en, p.name_ar, sold.days as sold, uploaded.days as uploaded
    from skus s
    join products p on p.organization_id = s.organization_id and p.id = s.product_id
    join unnest(${[...pasts.keys()]}::uuid[], ${froms}::date[]) as past (branch_id, from_day)
      on past.branch_id = s.branch_id
    cross join lateral (
      select string_agg((d.local_day - past.from_day) || ':' || d.units, ',') as days from daily_product_sales d
      where d.organization_id = ${organizationId} and d.sku_id = s.iv_id
        and d.local_day >= past.from_day and d.local_day < ${before}) sold
    cross join lateral (
      select string_agg((u.sale_date - past.from_day) || ':' || u.qty, ',') as days from demand_days u
      where u.organization_id = ${organizationId} and u.sku_iv_id = s.iv_id
        and u.sale_date >= past.from_day and u.sale_date < ${before}) uploaded
    where s.organization_id = ${organizationId} and s.iv_id = any(${[...skus]}::text[])
      and (sold.days is not null or uploaded.days is not null)`;
}

/**
 * The last day with data, by branch: days after it are unknown, which is not the same as nothing sold.
 * For a SKU without sales on a day with data, the day counts as zero.
 */
export async function readLastKnownDays(
  sql: Queryable,
  organizationId: string,
  { before }: { before: string },
): Promise<Map<string, string>> {
  const rows = await sql<{ branch_id: string; day: string }[]>`
    select branch_id, max(day)::text as day from (
      select d.branch_id, max(d.local_day) as day from daily_sales d
      where d.organization_id = ${organizationId} and d.local_day < ${before}
      group by d.branch_id
      union all
      select s.branch_id, max(u.sale_date)
      from demand_days u join skus s on s.organization_id = u.organization_id and s.iv_id = u.sku_iv_id
      where u.organization_id = ${organizationId} and u.sale_date < ${before}
      group by s.branch_id) known
    group by branch_id`;
  return new Map(rows.map((row) => [row.branch_id, row.day]));
}
