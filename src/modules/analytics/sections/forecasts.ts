import type { Sql } from '../../../platform/database/index.ts';
import type { SectionContext } from '../section-context.ts';
import { findForecastState } from '../sql/forecast-states.ts';
import { type ForecastRow, listForecasts, listUsedForecasts } from '../sql/read-forecasts.ts';
import { SECTION_ITEMS } from './section-names.ts';

const FIRST_PAGE = { page: 1, limit: SECTION_ITEMS };

/** Forecasts by chance of a stockout, the likeliest first; undefined before the first forecasts of the organization. */
export function readForecastsByRisk(context: SectionContext, horizon: number): Promise<ForecastRow[] | undefined> {
  return readForecasts(context, horizon, listForecasts);
}

/** Forecasts by use, the fastest first; undefined before the first forecasts of the organization. */
export function readForecastsByUse(context: SectionContext): Promise<ForecastRow[] | undefined> {
  return readForecasts(context, 1, listUsedForecasts);
}

async function readForecasts(
  { sources: { sql }, scope, rangeDays }: SectionContext,
  horizon: number,
  list: typeof listForecasts,
): Promise<ForecastRow[] | undefined> {
  const rows = await list(sql, { ...scope, search: undefined }, { horizon, rangeDays, paging: FIRST_PAGE });
  if (rows.length === 0 && !(await hasForecasts(sql, scope.organizationId))) return undefined;
  return rows;
}

/** Distinguishes "no SKU is at risk" from "nothing is known yet". */
async function hasForecasts(sql: Sql, organizationId: string): Promise<boolean> {
  const state = await findForecastState(sql, organizationId);
  return state !== undefined && state.refreshed_at !== null;
}

export function skuFieldsOf(row: ForecastRow) {
  return {
    sku_id: row.sku_iv_id,
    product_name_en: row.name_en,
    product_name_ar: row.name_ar,
    branch_iv_id: row.branch_iv_id,
  };
}
