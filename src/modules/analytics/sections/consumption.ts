import type { Readings } from '../readings.ts';
import type { ConsumptionItem } from '../schema.ts';
import { SECTION_ITEMS } from '../section-providers.ts';
import { readMovers } from './movers.ts';

/** What sells fastest, against its stock. */
export async function readConsumption(readings: Readings): Promise<ConsumptionItem[]> {
  const { sources, scope, rangeDays } = readings;
  const told = await sources.providers.readConsumptionSection?.(scope.organizationId, scope.branchId, rangeDays);
  if (told !== undefined) return told;
  const movers = (await readMovers(readings)).slice(0, SECTION_ITEMS);
  return movers.map(({ sold, stock, dailyUse, daysOfCover }) => ({
    sku_id: sold.id,
    product_name_en: stock?.name_en ?? null,
    product_name_ar: stock?.name_ar ?? null,
    branch_iv_id: stock?.branch_iv_id ?? null,
    units: sold.units,
    daily_use: Math.round(dailyUse * 1_000) / 1_000,
    current_qty: stock?.current_qty ?? null,
    days_of_cover: daysOfCover,
  }));
}
