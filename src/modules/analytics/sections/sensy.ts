import { addDays } from '../../../platform/local-day.ts';
import type { Readings } from '../readings.ts';
import type { SensyItem } from '../schema.ts';
import { SECTION_ITEMS } from '../section-providers.ts';
import { readMovers } from './movers.ts';

const AT_RISK_DAYS = 14;

/** Of the SKUs that sell fastest, those that run out soon at the pace of the range, the first to do so first. */
export async function readSensy(readings: Readings): Promise<SensyItem[]> {
  const { sources, scope, rangeDays, periods } = readings;
  const told = await sources.providers.readSensySection?.(scope.organizationId, scope.branchId, rangeDays);
  if (told !== undefined) return told;
  const movers = await readMovers(readings);
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
      stockout_date: addDays(periods.to, Math.floor(daysOfCover)),
    }));
}
