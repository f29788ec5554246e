import type { SoldThing } from '../../sales/index.ts';
import type { Stock } from '../../skus/index.ts';
import type { SectionContext } from '../section-context.ts';

/** A selling SKU and its stock, which is undefined for a SKU that is not in the catalog. */
export type Mover = { sold: SoldThing; stock: Stock | undefined; dailyUse: number; daysOfCover: number | null };

/** The fastest first. */
export async function readMovers(context: SectionContext): Promise<Mover[]> {
  const skus = (await context.bestSellers()).filter((thing) => thing.kind === 'sku');
  const stock = await context.stock();
  return skus.map((sold) => {
    const left = stock.get(sold.id);
    const dailyUse = sold.units / context.rangeDays;
    const daysOfCover = left === undefined ? null : coverOf(left.current_qty, dailyUse);
    return { sold, stock: left, dailyUse, daysOfCover };
  });
}

/** To the tenth of a day. Negative stock counts as none. */
function coverOf(quantity: number, dailyUse: number): number {
  return Math.round((Math.max(0, quantity) / dailyUse) * 10) / 10;
}
