import type { Sql } from '../../../platform/database/index.ts';
import type { RangeDays } from '../range.ts';
import { type ForecastRow, listForecasts, listUsedForecasts } from '../sql/read-forecasts.ts';
import { DEFAULT_HORIZON_DAYS } from './horizon.ts';
import { AT_RISK, dayAfter, rounded } from './read-sensy.ts';

const SECTION_ITEMS = 20;
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

function nameOf(row: ForecastRow) {
  return {
    sku_id: row.sku_iv_id,
    product_name_en: row.name_en,
    product_name_ar: row.name_ar,
    branch_iv_id: row.branch_iv_id,
  };
}
