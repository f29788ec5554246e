import type { Sql } from '../../../platform/database/index.ts';
import type { RangeDays } from '../range.ts';
import { SECTION_ITEMS } from '../section-providers.ts';
import { findForecastState } from '../sql/forecast-states.ts';
import { type ForecastRow, listForecasts, listUsedForecasts } from '../sql/read-forecasts.ts';
import { DEFAULT_HORIZON_DAYS } from './horizon.ts';
import { AT_RISK, dayAfter, rounded } from './read-sensy.ts';

const PAGE = { page: 1, limit: SECTION_ITEMS };

/** SKUs that run out within two weeks, more likely than not; the likeliest first. */
export async function readSensySection(
  sql: Sql,
  organizationId: string,
  branchId: string | null,
  rangeDays: RangeDays,
) {
  const filter = { organizationId, branchId, search: undefined };
  const rows = await listForecasts(sql, filter, { horizon: DEFAULT_HORIZON_DAYS, rangeDays, paging: PAGE });
  if (rows.length === 0 && !(await haveBeenMade(sql, organizationId))) return undefined;
  return rows
    .filter((row) => row.stockout_probability >= AT_RISK)
    .map((row) => ({
      ...nameOf(row),
      current_qty: row.current_qty,
      days_of_cover: row.days_of_cover,
      stockout_date: dayAfter(row.first_day, row.days_of_cover),
    }));
}

/** What is used fastest, against its stock. */
export async function readConsumptionSection(
  sql: Sql,
  organizationId: string,
  branchId: string | null,
  rangeDays: RangeDays,
) {
  const filter = { organizationId, branchId, search: undefined };
  const rows = await listUsedForecasts(sql, filter, { horizon: 1, rangeDays, paging: PAGE });
  if (rows.length === 0 && !(await haveBeenMade(sql, organizationId))) return undefined;
  return rows
    .filter((row) => row.used > 0)
    .map((row) => ({
      ...nameOf(row),
      units: rounded(row.used),
      daily_use: rounded(row.used / rangeDays),
      current_qty: row.current_qty,
      days_of_cover: row.days_of_cover,
    }));
}

/** Before the first pass nothing is known, which is another thing than nothing being at risk. */
async function haveBeenMade(sql: Sql, organizationId: string): Promise<boolean> {
  const state = await findForecastState(sql, organizationId);
  return state !== undefined && state.refreshed_at !== null;
}

function nameOf(row: ForecastRow) {
  return {
    sku_id: row.sku_iv_id,
    product_name_en: row.name_en,
    product_name_ar: row.name_ar,
    branch_iv_id: row.branch_iv_id,
  };
}
