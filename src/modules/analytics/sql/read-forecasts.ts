import type { Piece, Queryable } from '../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../platform/http/paging.ts';
import { likePattern } from '../../../platform/text/folding.ts';
import type { RangeDays } from '../range.ts';
import { daysOfDemand } from './demand-days.ts';

export type ForecastFilter = {
  organizationId: string;
  branchId: string | null;
  /** Folded for search. */
  search: string | undefined;
};

export type ForecastRow = {
  sku_iv_id: string;
  name_en: string;
  name_ar: string;
  branch_iv_id: string;
  /** Whether stock or settings have changed since it was made. */
  has_moved: boolean;
  first_day: string;
  history_until: string;
  history_days: number;
  method: string;
  demand_class: string;
  qty: number[];
  lo: number[];
  hi: number[];
  stockout_probability: number;
  weekday_profile: number[];
  wape: number | null;
  mase: number | null;
  current_qty: number;
  reorder_threshold: number;
  buffer: number;
  lead_time_days: number;
  service_level: number;
  reorder_point: number;
  days_of_cover: number | null;
  days_of_cover_p10: number | null;
  suggested_order_date: string | null;
  suggested_order_qty: number;
  explanation_en: string;
  explanation_ar: string;
  used: number;
  used_before: number;
};

const RANGES: readonly RangeDays[] = [7, 30, 90, 180, 365];
/** The horizon that the index of those at risk is made for. */
const INDEXED_HORIZON = 14;

/** Most at risk first: likeliest to run out within the horizon, then soonest. */
export function listForecasts(
  sql: Queryable,
  filter: ForecastFilter,
  { horizon, rangeDays, paging }: { horizon: number; rangeDays: RangeDays; paging: Paging },
): Promise<ForecastRow[]> {
  // As a number of the statement and not as a parameter, or its index would not be seen to fit.
  const chance = horizon === INDEXED_HORIZON ? sql`f.stockout_chances[14]` : sql`f.stockout_chances[${horizon}::int]`;
  const order = sql`${chance} desc, f.days_of_cover nulls last, f.sku_iv_id`;
  return readPage(sql, filter, { horizon, rangeDays, order, paging });
}

/** Most used in the range first. */
export function listUsedForecasts(
  sql: Queryable,
  filter: ForecastFilter,
  { horizon, rangeDays, paging }: { horizon: number; rangeDays: RangeDays; paging: Paging },
): Promise<ForecastRow[]> {
  const order = sql`f.${usedColumn(sql, rangeDays)} desc, f.sku_iv_id`;
  return readPage(sql, filter, { horizon, rangeDays, order, paging });
}

const usedColumn = (sql: Queryable, rangeDays: RangeDays) => sql(`used_${rangeDays}`);

type PageOptions = { horizon: number; rangeDays: RangeDays; order: Piece; paging: Paging };

/** The page is picked by the index of its order, and only then joined to names. */
function readPage(sql: Queryable, filter: ForecastFilter, { horizon, rangeDays, order, paging }: PageOptions) {
  const curve = (name: string) => sql`array_to_json(f.${sql(name)}[1:${horizon}::int])`;
  return sql<ForecastRow[]>`
    select f.sku_iv_id, p.name_en, p.name_ar, b.iv_id as branch_iv_id, s.updated <> f.sku_updated as has_moved,
           f.first_day::text, f.history_until::text, f.history_days, f.method, f.demand_class,
           ${curve('qty')} as qty, ${curve('lo')} as lo, ${curve('hi')} as hi,
           f.stockout_chances[${horizon}::int] as stockout_probability,
           array_to_json(f.weekday_profile) as weekday_profile, f.wape, f.mase,
           f.current_qty, f.reorder_threshold, f.buffer, f.lead_time_days, f.service_level, f.reorder_point,
           f.days_of_cover, f.days_of_cover_p10, f.suggested_order_date::text, f.suggested_order_qty,
           f.explanation_en, f.explanation_ar,
           f.${usedColumn(sql, rangeDays)} as used, f.used_before[${RANGES.indexOf(rangeDays) + 1}::int] as used_before
    from (
      select f.* from forecasts f where ${conditions(sql, filter)}
      order by ${order} limit ${paging.limit} offset ${offsetOf(paging)}) f
    join skus s on s.organization_id = f.organization_id and s.iv_id = f.sku_iv_id
    join products p on p.organization_id = s.organization_id and p.id = s.product_id
    join branches b on b.organization_id = s.organization_id and b.id = s.branch_id
    order by ${order}`;
}

export type ForecastTotals = {
  skus: number;
  at_risk: number;
  out_of_stock: number;
  to_order_now: number;
  suggested_order_qty: number;
  used: number;
};

/** Of all pages. One scan of the organization's rows: 10,000 take some milliseconds. */
export async function readForecastTotals(
  sql: Queryable,
  filter: ForecastFilter,
  { horizon, rangeDays, atRisk }: { horizon: number; rangeDays: RangeDays; atRisk: number },
): Promise<ForecastTotals> {
  const [row] = await sql<[ForecastTotals]>`
    select count(*) as skus,
           count(*) filter (where f.stockout_chances[${horizon}::int] >= ${atRisk}) as at_risk,
           count(*) filter (where f.current_qty <= 0) as out_of_stock,
           count(*) filter (where f.suggested_order_date <= f.first_day) as to_order_now,
           coalesce(sum(f.suggested_order_qty) filter (where f.suggested_order_date <= f.first_day), 0)
             as suggested_order_qty,
           coalesce(sum(f.${usedColumn(sql, rangeDays)}), 0) as used
    from forecasts f where ${conditions(sql, filter)}`;
  return row;
}

function conditions(sql: Queryable, { organizationId, branchId, search }: ForecastFilter) {
  const pattern = likePattern(search ?? '');
  return sql`
    f.organization_id = ${organizationId}
    ${branchId === null ? sql`` : sql`and f.branch_id = ${branchId}`}
    ${
      search === undefined
        ? sql``
        : sql`and f.sku_iv_id in (
            select s.iv_id from skus s join products p on p.organization_id = s.organization_id and p.id = s.product_id
            where s.organization_id = ${organizationId} and not p.is_deleted
              and (p.search_text like ${pattern} or lower(s.iv_id) like ${pattern}))`
    }`;
}

/** The id of a branch by its iv_id. */
export async function findBranchId(sql: Queryable, organizationId: string, ivId: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from branches where organization_id = ${organizationId} and iv_id = ${ivId}`;
  return row?.id;
}

/** Days with any demand, of a page's SKUs. */
export function listDailyUse(
  sql: Queryable,
  organizationId: string,
  skus: readonly string[],
  { from, before }: { from: string; before: string },
): Promise<{ sku: string; date: string; qty: number }[]> {
  return sql<{ sku: string; date: string; qty: number }[]>`
    select wanted.sku, d.day::text as date, d.qty
    from unnest(${[...skus]}::text[]) as wanted (sku)
    cross join lateral (${daysOfDemand(sql, organizationId, sql`wanted.sku`, { before, from: sql`${from}::date` })}) d
    order by wanted.sku, d.day`;
}
