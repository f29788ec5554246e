import type { Clock } from '../../../platform/clock.ts';
import type { Sql } from '../../../platform/database/index.ts';
import { type Paging, readPaging } from '../../../platform/http/paging.ts';
import { addDays, localDay } from '../../../platform/local-day.ts';
import { foldForSearch } from '../../../platform/text/folding.ts';
import type { Tenant } from '../../identity/index.ts';
import { type RangeDays, readRangeDays } from '../range.ts';
import { findForecastState } from '../sql/forecast-states.ts';
import {
  type ForecastFilter,
  type ForecastRow,
  findBranchId,
  listForecasts,
  readForecastTotals,
} from '../sql/read-forecasts.ts';
import { readHorizon } from './horizon.ts';
import { isOutdated } from './refresh-forecasts.ts';
import type { ForecastQueryShape, SensyForecastShape } from './schema.ts';

/** Stockout probability from which a SKU is at risk. */
export const AT_RISK = 0.5;

export type ForecastReader = Pick<Tenant, 'organizationId' | 'branchId' | 'timeZone'>;
/** Requests a refresh of the organization's forecasts. Repeated requests have no further effect. */
export type AskForRefresh = (organizationId: string) => Promise<void>;
export type ForecastDependencies = { sql: Sql; clock: Clock; askForRefresh: AskForRefresh };

/** A parsed query. `filter` is undefined for an unknown branch, or one that the caller is not confined to. */
export type ParsedForecastQuery = {
  filter: ForecastFilter | undefined;
  horizon: number;
  rangeDays: RangeDays;
  paging: Paging;
};

export async function readSensy(
  { sql, clock, askForRefresh }: ForecastDependencies,
  reader: ForecastReader,
  query: ForecastQueryShape,
) {
  const asked = await parseForecastQuery(sql, reader, query);
  const { filter, horizon, rangeDays, paging } = asked;
  const [rows, totals, isOld] = await Promise.all([
    filter === undefined ? [] : listForecasts(sql, filter, asked),
    filter === undefined ? NO_TOTALS : readForecastTotals(sql, filter, { horizon, rangeDays, atRisk: AT_RISK }),
    areForecastsOutdated(sql, reader, clock),
  ]);
  const stale = isOld || rows.some((row) => row.has_moved);
  if (stale) await askForRefresh(reader.organizationId);
  const { used, ...shown } = totals;
  return {
    organization_id: reader.organizationId,
    range_days: rangeDays,
    horizon,
    fetched_at: clock.now().toISOString(),
    stale,
    items: rows.map(sensyForecast),
    totals: { ...shown, suggested_order_qty: rounded(shown.suggested_order_qty) },
    ...pagesOf(rows.length, totals.skus, paging),
  };
}

const NO_TOTALS = { skus: 0, at_risk: 0, out_of_stock: 0, to_order_now: 0, suggested_order_qty: 0, used: 0 };

export async function parseForecastQuery(
  sql: Sql,
  reader: ForecastReader,
  query: ForecastQueryShape,
): Promise<ParsedForecastQuery> {
  const { organizationId, branchId: confinedTo } = reader;
  const folded = foldForSearch(query.search ?? '');
  const wanted =
    query.branch_iv_id === undefined ? confinedTo : await findBranchId(sql, organizationId, query.branch_iv_id);
  const isNone = wanted === undefined || (confinedTo !== null && wanted !== confinedTo);
  return {
    filter: isNone ? undefined : { organizationId, branchId: wanted, search: folded === '' ? undefined : folded },
    horizon: readHorizon(query.horizon),
    rangeDays: readRangeDays(query.range),
    paging: readPaging(query),
  };
}

/** Whether something has changed that the forecasts as a whole do not include. */
export async function areForecastsOutdated(
  sql: Sql,
  { organizationId, timeZone }: ForecastReader,
  clock: Clock,
): Promise<boolean> {
  const state = await findForecastState(sql, organizationId);
  return isOutdated(state, localDay(clock.now(), timeZone));
}

export function pagesOf(count: number, totalCount: number, { page, limit }: Paging) {
  return { count, total_count: totalCount, page, limit, has_next: page * limit < totalCount };
}

export function sensyForecast(row: ForecastRow): SensyForecastShape {
  const { first_day: firstDay } = row;
  return {
    sku_id: row.sku_iv_id,
    product_name_en: row.name_en,
    product_name_ar: row.name_ar,
    branch_iv_id: row.branch_iv_id,
    method: row.method,
    demand_class: row.demand_class as SensyForecastShape['demand_class'],
    history_days: row.history_days,
    history_until: row.history_until,
    used_qty: rounded(row.used),
    forecast: row.qty.map((qty, day) => ({
      date: addDays(firstDay, day),
      qty: rounded(qty),
      lo: rounded(row.lo[day] ?? 0),
      hi: rounded(row.hi[day] ?? 0),
    })),
    total_qty: rounded(row.qty.reduce((sum, qty) => sum + qty, 0)),
    current_qty: row.current_qty,
    days_of_cover: roundedOrNull(row.days_of_cover),
    cover_p50_date: dayAfter(firstDay, row.days_of_cover),
    cover_p10_date: dayAfter(firstDay, row.days_of_cover_p10),
    stockout_date: (row.days_of_cover ?? Infinity) < row.qty.length ? dayAfter(firstDay, row.days_of_cover) : null,
    stockout_probability: rounded(row.stockout_probability),
    reorder_threshold: row.reorder_threshold,
    buffer: row.buffer,
    lead_time_days: row.lead_time_days,
    service_level: rounded(row.service_level),
    reorder_point: rounded(row.reorder_point),
    suggested_order_date: row.suggested_order_date,
    suggested_order_qty: rounded(row.suggested_order_qty),
    weekday_profile: row.weekday_profile.map(rounded),
    backtest: { wape: roundedOrNull(row.wape), mase: roundedOrNull(row.mase) },
    explanation: { en: row.explanation_en, ar: row.explanation_ar },
  };
}

/** To the third decimal: they are stored as 4-byte floats, whose further digits are noise. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

export function roundedOrNull(value: number | null): number | null {
  return value === null ? null : rounded(value);
}

export function dayAfter(firstDay: string, days: number | null): string | null {
  return days === null ? null : addDays(firstDay, Math.floor(days));
}
