import type { ConsumptionItem } from '../schema.ts';
import type { SectionContext } from '../section-context.ts';
import { rounded } from '../sensy/read-sensy.ts';
import { readForecastsByUse, skuFieldsOf } from './forecasts.ts';
import { readMovers } from './movers.ts';
import { SECTION_ITEMS } from './section-names.ts';

/** What is used fastest, against its stock. From sales and stock before the first forecasts. */
export async function readConsumption(context: SectionContext): Promise<ConsumptionItem[]> {
  const forecasts = await readForecastsByUse(context);
  if (forecasts === undefined) return readFromSales(context);
  return forecasts
    .filter((row) => row.used > 0)
    .map((row) => ({
      ...skuFieldsOf(row),
      units: rounded(row.used),
      daily_use: rounded(row.used / context.rangeDays),
      current_qty: row.current_qty,
      days_of_cover: row.days_of_cover,
    }));
}

async function readFromSales(context: SectionContext): Promise<ConsumptionItem[]> {
  const movers = (await readMovers(context)).slice(0, SECTION_ITEMS);
  return movers.map(({ sold, stock, dailyUse, daysOfCover }) => ({
    sku_id: sold.id,
    product_name_en: stock?.name_en ?? null,
    product_name_ar: stock?.name_ar ?? null,
    branch_iv_id: stock?.branch_iv_id ?? null,
    units: sold.units,
    daily_use: rounded(dailyUse),
    current_qty: stock?.current_qty ?? null,
    days_of_cover: daysOfCover,
  }));
}
