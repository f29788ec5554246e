import type { SoldThing } from '../../sales/index.ts';
import type { Stock } from '../../skus/index.ts';
import type { Readings } from '../readings.ts';

/** A SKU that sells, and what is left of it; the catalog may not know it. */
export type Mover = { sold: SoldThing; stock: Stock | undefined; dailyUse: number; daysOfCover: number | null };

/** The fastest first. */
export async function readMovers(readings: Readings): Promise<Mover[]> {
  const skus = (await readings.bestSellers()).filter((thing) => thing.kind === 'sku');
  const stock = await readings.stock();
  return skus.map((sold) => {
    const left = stock.get(sold.id);
    const dailyUse = sold.units / readings.rangeDays;
    const daysOfCover = left === undefined ? null : coverOf(left.current_qty, dailyUse);
    return { sold, stock: left, dailyUse, daysOfCover };
  });
}

/** To the tenth of a day. What is owed lasts no longer than nothing does. */
function coverOf(quantity: number, dailyUse: number): number {
  return Math.round((Math.max(0, quantity) / dailyUse) * 10) / 10;
}
