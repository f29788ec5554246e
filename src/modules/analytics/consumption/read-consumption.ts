import type { Sql } from '../../../platform/database/index.ts';
import { addDays, localDay } from '../../../platform/local-day.ts';
import { countDays } from '../days.ts';
import {
  AT_RISK,
  areForecastsOutdated,
  type ForecastDependencies,
  type ForecastReader,
  pagesOf,
  parseForecastQuery,
  rounded,
} from '../sensy/read-sensy.ts';
import type { ForecastQueryShape } from '../sensy/schema.ts';
import { type ForecastRow, listDailyUse, listUsedForecasts, readForecastTotals } from '../sql/read-forecasts.ts';
import { MAX_DAILY_DAYS, type TRENDS } from './schema.ts';

const STEADY_WITHIN = 0.1;

/** What is used fastest first. Sums and forecasts were made by the job; only the days of the page's SKUs are read here. */
export async function readConsumption(
  { sql, clock, askForRefresh }: ForecastDependencies,
  reader: ForecastReader,
  query: ForecastQueryShape,
) {
  const asked = await parseForecastQuery(sql, reader, query);
  const { filter, horizon, rangeDays, paging } = asked;
  const [rows, totals, isOld] = await Promise.all([
    filter === undefined ? [] : listUsedForecasts(sql, filter, asked),
    filter === undefined ? NONE : readForecastTotals(sql, filter, { horizon, rangeDays, atRisk: AT_RISK }),
    areForecastsOutdated(sql, reader, clock),
  ]);
  const stale = isOld || rows.some((row) => row.has_moved);
  if (stale) await askForRefresh(reader.organizationId);
  const today = localDay(clock.now(), reader.timeZone);
  const daily = await readDaily(sql, reader.organizationId, rows, { today, days: Math.min(rangeDays, MAX_DAILY_DAYS) });
  return {
    organization_id: reader.organizationId,
    range_days: rangeDays,
    horizon,
    fetched_at: clock.now().toISOString(),
    stale,
    items: rows.map((row) => ({ ...consumptionOf(row, rangeDays), daily: daily.get(row.sku_iv_id) ?? [] })),
    totals: { skus: totals.skus, used_qty: rounded(totals.used), daily_use: rounded(totals.used / rangeDays) },
    ...pagesOf(rows.length, totals.skus, paging),
  };
}

const NONE = { skus: 0, used: 0 };

function consumptionOf(row: ForecastRow, rangeDays: number) {
  const projected = row.qty.reduce((sum, qty) => sum + qty, 0);
  return {
    sku_id: row.sku_iv_id,
    product_name_en: row.name_en,
    product_name_ar: row.name_ar,
    branch_iv_id: row.branch_iv_id,
    used_qty: rounded(row.used),
    daily_use: rounded(row.used / rangeDays),
    trend: trendOf(row.used, row.used_before),
    projected_use: rounded(projected),
    projected_daily_use: rounded(projected / Math.max(1, row.qty.length)),
    current_qty: row.current_qty,
    days_of_cover: row.days_of_cover,
  };
}

export function trendOf(used: number, before: number) {
  const change = before > 0 ? rounded(used / before - 1) : null;
  let direction: (typeof TRENDS)[number] = used > 0 ? 'new' : 'none';
  if (change !== null) {
    if (change > STEADY_WITHIN) direction = 'rising';
    else direction = change < -STEADY_WITHIN ? 'falling' : 'steady';
  }
  return { direction, change, previous_qty: rounded(before) };
}

/** Every day of the stretch that ends yesterday, zeros and all. */
async function readDaily(
  sql: Sql,
  organizationId: string,
  rows: readonly ForecastRow[],
  { today, days }: { today: string; days: number },
): Promise<Map<string, { date: string; qty: number }[]>> {
  const from = addDays(today, -days);
  const dates = Array.from({ length: days }, (_, day) => addDays(from, day));
  const skus = rows.map((row) => row.sku_iv_id);
  const daily = new Map(skus.map((sku) => [sku, dates.map((date) => ({ date, qty: 0 }))]));
  const found = skus.length === 0 ? [] : await listDailyUse(sql, organizationId, skus, { from, before: today });
  for (const { sku, date, qty } of found) {
    const entry = daily.get(sku)?.[countDays(from, date)];
    if (entry !== undefined) entry.qty = qty;
  }
  return daily;
}
