import type { SoldThing } from '../../sales/index.ts';
import { listStock, type Stock } from '../../skus/index.ts';
import type { Readings } from '../readings.ts';

/** A SKU that sells, and what is left of it; the catalog may not know it. */
export type Mover = { sold: SoldThing; stock: Stock | undefined; dailyUse: number; daysOfCover: number | null };

/** The fastest first. */
export async function readMovers(readings: Readings, limit: number): Promise<Mover[]> {
  const skus = (await readings.bestSellers()).filter((thing) => thing.kind === 'sku').slice(0, limit);
  if (skus.length === 0) return [];
  const { sources, scope, rangeDays } = readings;
  const ivIds = skus.map(({ id }) => id);
  const stock = new Map((await listStock(sources.sql, scope, ivIds)).map((row) => [row.sku_iv_id, row]));
  return skus.map((sold) => {
    const left = stock.get(sold.id);
    const dailyUse = sold.units / rangeDays;
    return {
      sold,
      stock: left,
      dailyUse,
      daysOfCover: left === undefined ? null : coverOf(left.current_qty, dailyUse),
    };
  });
}

/** To the tenth of a day. What is owed lasts no longer than nothing does. */
function coverOf(quantity: number, dailyUse: number): number {
  return Math.round((Math.max(0, quantity) / dailyUse) * 10) / 10;
}
