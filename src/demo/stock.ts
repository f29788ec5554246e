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
const OUT_SHARE = 0.02;

/** What stands on the shelf of every branch: mostly enough, some low, a little sold out. */
export function generateStock(
  products: readonly { iv_id: string; average_price: number }[],
  branchIvIds: readonly string[],
  random: Random,
): DemoStock[] {
  return branchIvIds.flatMap((branchIvId) =>
    products.map((product) => {
      // Cheap goods turn over faster and are kept in larger numbers.
      const usual = Math.max(4, Math.round(240 / Math.sqrt(product.average_price + 1)));
      const reorder_threshold = Math.max(2, Math.round(usual * 0.25));
      const buffer = Math.round(reorder_threshold * random.next() * 0.6);
      const luck = random.next();
      const current_qty =
        luck < OUT_SHARE
          ? 0
          : luck < OUT_SHARE + LOW_SHARE
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
