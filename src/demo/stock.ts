import type { PastOrder } from '../modules/orders/index.ts';
import type { Random } from './random.ts';

export type DemoStock = {
  iv_id: string;
  current_qty: number;
  reorder_threshold: number;
  buffer: number;
  price?: number;
  is_enabled?: boolean;
};

const LOW_SHARE = 0.08;
/** With one unit left. None is sold out: lists of forecasts would begin with SKUs that hardly sell. */
const LAST_SHARE = 0.02;

/** Stock of every SKU: mostly enough, some low, a few at their last unit. */
export function generateStock(
  products: readonly { iv_id: string; average_price: number }[],
  branchIvIds: readonly string[],
  random: Random,
): DemoStock[] {
  return branchIvIds.flatMap((branchIvId) =>
    products.map((product) => {
      // Cheap products sell faster and are stocked in larger numbers.
      const usual = Math.max(4, Math.round(240 / Math.sqrt(product.average_price + 1)));
      const reorder_threshold = Math.max(2, Math.round(usual * 0.25));
      const buffer = Math.round(reorder_threshold * random.next() * 0.6);
      const luck = random.next();
      const current_qty =
        luck < LAST_SHARE
          ? 1
          : luck < LAST_SHARE + LOW_SHARE
            ? random.between(1, reorder_threshold)
            : random.between(reorder_threshold + 1, usual * 2);
      return {
        iv_id: `${product.iv_id}_${branchIvId}`,
        current_qty,
        reorder_threshold,
        buffer,
        ...(random.chance(0.04) ? { price: Math.round(product.average_price * 105) / 100 } : {}),
        ...(random.chance(0.01) ? { is_enabled: false } : {}),
      };
    }),
  );
}

/** Units sold in this many days decide whether a SKU is fast. */
export const DEMAND_DAYS = 30;
const FAST_UNITS = 10;
const COVER_DAYS: [min: number, max: number] = [7, 32];
const REORDER_DAYS = 6;
/** The best sellers run out first, so that the list of forecasts begins with SKUs that show what it can do. */
const SHOWN_FIRST = 3;
const SHOWN_COVER_DAYS = 2;

/** Yields the same orders and adds up the units of each SKU since an instant. */
export function* collectDemand(
  past: Iterable<PastOrder>,
  since: Date,
  units: Map<string, number>,
): Generator<PastOrder> {
  for (const one of past) {
    if (one.stages[0].at >= since) {
      for (const { sku_id, quantity } of one.order.products) {
        units.set(sku_id, (units.get(sku_id) ?? 0) + (quantity ?? 1));
      }
    }
    yield one;
  }
}

/** Stock of the fast SKUs by what they sell. */
export function stockFastSkus(units: ReadonlyMap<string, number>, random: Random): Omit<DemoStock, 'buffer'>[] {
  const fast = [...units].filter(([, sold]) => sold >= FAST_UNITS).sort(([, one], [, other]) => other - one);
  return fast.map(([iv_id, sold], index) => {
    const daily = sold / DEMAND_DAYS;
    const [min, max] = index < SHOWN_FIRST ? [SHOWN_COVER_DAYS, SHOWN_COVER_DAYS] : COVER_DAYS;
    return {
      iv_id,
      current_qty: Math.ceil(daily * (min + random.next() * (max - min))),
      reorder_threshold: Math.ceil(daily * REORDER_DAYS),
    };
  });
}
