import { addDays } from '../../../platform/local-day.ts';
import type { SensyItem } from '../schema.ts';
import type { SectionContext } from '../section-context.ts';
import { DEFAULT_HORIZON_DAYS } from '../sensy/horizon.ts';
import { AT_RISK, dayAfter } from '../sensy/read-sensy.ts';
import { readForecastsByRisk, skuFieldsOf } from './forecasts.ts';
import { readMovers } from './movers.ts';
import { SECTION_ITEMS } from './section-names.ts';

const AT_RISK_DAYS = 14;

/** SKUs that run out within two weeks, more likely than not; the likeliest first. From sales and stock before the first forecasts. */
export async function readSensy(context: SectionContext): Promise<SensyItem[]> {
  const forecasts = await readForecastsByRisk(context, DEFAULT_HORIZON_DAYS);
  if (forecasts === undefined) return readFromSales(context);
  return forecasts
    .filter((row) => row.stockout_probability >= AT_RISK)
    .map((row) => ({
      ...skuFieldsOf(row),
      current_qty: row.current_qty,
      days_of_cover: row.days_of_cover,
      stockout_date: dayAfter(row.first_day, row.days_of_cover),
    }));
}

/** Of the SKUs that sell fastest, those that run out soon at the pace of the range, the earliest first. */
async function readFromSales(context: SectionContext): Promise<SensyItem[]> {
  const movers = await readMovers(context);
  return movers
    .flatMap(({ stock, daysOfCover }) =>
      stock === undefined || daysOfCover === null || daysOfCover > AT_RISK_DAYS ? [] : [{ stock, daysOfCover }],
    )
    .sort((one, other) => one.daysOfCover - other.daysOfCover)
    .slice(0, SECTION_ITEMS)
    .map(({ stock, daysOfCover }) => ({
      sku_id: stock.sku_iv_id,
      product_name_en: stock.name_en,
      product_name_ar: stock.name_ar,
      branch_iv_id: stock.branch_iv_id,
      current_qty: stock.current_qty,
      days_of_cover: daysOfCover,
      stockout_date: addDays(context.periods.to, Math.floor(daysOfCover)),
    }));
}
