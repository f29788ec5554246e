import { addToTotal, type Piece, type Queryable, readTotal, type Tx } from '../../../platform/database/index.ts';

const TOTAL = 'demand_days';

/** One array per column; numbers as decimal text, so that no digit is lost. */
export type DemandDays = { skus: string[]; days: string[]; quantities: string[]; prices: (string | null)[] };

/** The input must not have a day of a SKU twice. Returns how many rows existed before. */
export async function saveDemandDays(tx: Tx, organizationId: string, rows: DemandDays, now: Date): Promise<number> {
  const [saved] = await tx<[{ all_rows: number; inserted: number }]>`
    with saved as (
      insert into demand_days (organization_id, sku_iv_id, sale_date, qty, unit_price, updated)
      select ${organizationId}, sku, day, qty, price, ${now}
      from unnest(${rows.skus}::text[], ${rows.days}::date[], ${rows.quantities}::numeric[], ${rows.prices}::numeric[])
        as r (sku, day, qty, price)
      order by sku, day
      on conflict (organization_id, sku_iv_id, sale_date) do update
        set qty = excluded.qty, unit_price = excluded.unit_price, updated = excluded.updated
      -- Zero in a row that no transaction has replaced or locked yet: it is new.
      returning xmax = 0 as is_new)
    select count(*) as all_rows, count(*) filter (where is_new) as inserted from saved`;
  await addToTotal(tx, organizationId, TOTAL, saved.inserted);
  return saved.all_rows - saved.inserted;
}

export function countDemandDays(sql: Queryable, organizationId: string): Promise<number> {
  return readTotal(sql, organizationId, TOTAL);
}

/** Deletes rows of deleted SKUs. */
export async function deleteDemandOfGoneSkus(tx: Tx, organizationId: string): Promise<number> {
  const removed = await tx`
    delete from demand_days d
    where d.organization_id = ${organizationId}
      and d.sku_iv_id in (
        select distinct u.sku_iv_id from demand_days u
        where u.organization_id = ${organizationId}
          and not exists (select from skus s where s.organization_id = u.organization_id and s.iv_id = u.sku_iv_id))`;
  await addToTotal(tx, organizationId, TOTAL, -removed.count);
  return removed.count;
}

/** The ones among these that are SKUs. */
export async function listKnownSkus(
  sql: Queryable,
  organizationId: string,
  ivIds: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ iv_id: string }[]>`
    select iv_id from skus where organization_id = ${organizationId} and iv_id = any(${[...ivIds]}::text[])`;
  return rows.map((row) => row.iv_id);
}

export type ExportedDay = {
  sku_id: string;
  product_name_en: string;
  sale_date: string;
  qty: string;
  unit_price: string | null;
  current_qty: string;
  reorder_threshold: string;
  buffer: string;
};

/**
 * The days of demand of some SKUs: those uploaded, and sales of the service where nothing was uploaded for
 * the day. As decimal text, so that what goes out comes back the same.
 */
export function listExportedDays(
  sql: Queryable,
  { organizationId, branchId }: { organizationId: string; branchId: string | null },
  skus: readonly string[],
  { before }: { before: string },
): Promise<ExportedDay[]> {
  return sql<ExportedDay[]>`
    select s.iv_id as sku_id, p.name_en as product_name_en, d.day::text as sale_date, trim_scale(d.qty)::text as qty,
           trim_scale(d.price)::text as unit_price, trim_scale(s.current_qty)::text as current_qty,
           trim_scale(s.reorder_threshold)::text as reorder_threshold, trim_scale(s.buffer)::text as buffer
    from skus s
    join products p on p.organization_id = s.organization_id and p.id = s.product_id
    cross join lateral (${daysOfDemand(sql, organizationId, sql`s.iv_id`, { before })}) d
    where s.organization_id = ${organizationId} and s.iv_id = any(${[...skus]}::text[])
      ${branchId === null ? sql`` : sql`and s.branch_id = ${branchId}`}
    order by s.iv_id, d.day`;
}

/** SKUs after one, by iv_id, that have any demand. */
export async function listSkusWithDemand(
  sql: Queryable,
  { organizationId, branchId }: { organizationId: string; branchId: string | null },
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await sql<{ iv_id: string }[]>`
    select s.iv_id from skus s
    where s.organization_id = ${organizationId} and s.iv_id > ${after}
      ${branchId === null ? sql`` : sql`and s.branch_id = ${branchId}`}
      and (exists (select from demand_days u where u.organization_id = s.organization_id and u.sku_iv_id = s.iv_id)
        or exists (select from daily_product_sales d where d.organization_id = s.organization_id and d.sku_id = s.iv_id))
    order by s.iv_id limit ${limit}`;
  return rows.map((row) => row.iv_id);
}

/** Of one SKU: `day`, `qty`, `price`. What was uploaded for a day holds in place of the service's own sales of it. */
export const daysOfDemand = (
  sql: Queryable,
  organizationId: string,
  sku: Piece,
  { before, from }: { before: string; from?: Piece },
) => sql`
  select u.sale_date as day, u.qty, u.unit_price as price
  from demand_days u
  where u.organization_id = ${organizationId} and u.sku_iv_id = ${sku} and u.sale_date < ${before}
    ${from === undefined ? sql`` : sql`and u.sale_date >= ${from}`}
  union all
  select d.local_day, greatest(sum(d.units), 0), round(sum(d.revenue) / nullif(sum(d.units), 0), 4)
  from daily_product_sales d
  where d.organization_id = ${organizationId} and d.sku_id = ${sku} and d.local_day < ${before}
    ${from === undefined ? sql`` : sql`and d.local_day >= ${from}`}
    and not exists (
      select from demand_days u
      where u.organization_id = d.organization_id and u.sku_iv_id = d.sku_id and u.sale_date = d.local_day)
  group by d.local_day`;
