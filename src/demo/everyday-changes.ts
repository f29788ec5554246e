import type { DemoProduct } from './products.ts';
import type { DemoStock } from './stock.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const REPRICINGS = 8;
const DAYS_BETWEEN = 5;
const PRODUCTS_EACH = 3;
const RECOUNTS = 2;
const SKUS_EACH = 12;

/** Changes that a member made at one time, with the values before. */
export type EverydayChange<Item> = {
  at: Date;
  changes: (Partial<Item> & { iv_id: string })[];
  before: Partial<Item>[];
};

/**
 * The audit log of the demo: weeks of small changes, made through the rules by members of the shop. Whatever is
 * changed was loaded with another value, so the goods end up as the lists have them.
 */
export function planRepricings(products: readonly DemoProduct[], now: Date): EverydayChange<DemoProduct>[] {
  return spread(products, REPRICINGS, PRODUCTS_EACH).map((some, index) => ({
    at: new Date(now.getTime() - (REPRICINGS - index) * DAYS_BETWEEN * DAY_MS),
    changes: some.map(({ iv_id, average_price }) => ({ iv_id, average_price })),
    before: some.map(({ average_price }) => ({ average_price: average_price + 0.5 })),
  }));
}

/** A stock count of a shelf found slightly less than recorded. */
export function planRecounts(
  stock: readonly DemoStock[],
  branchIvId: string,
  counted: Date,
): EverydayChange<DemoStock>[] {
  const shelf = stock.filter(({ iv_id }) => iv_id.endsWith(`_${branchIvId}`));
  return spread(shelf, RECOUNTS, SKUS_EACH).map((some, index) => ({
    at: new Date(counted.getTime() + (index + 1) * HOUR_MS),
    changes: some.map(({ iv_id, current_qty }) => ({ iv_id, current_qty })),
    before: some.map(({ current_qty }) => ({ current_qty: current_qty + 1 })),
  }));
}

/** The same items as they were before the changes. */
export function beforeThose<Item extends { iv_id: string }>(
  planned: readonly EverydayChange<Item>[],
  items: readonly Item[],
): Item[] {
  const earlier = new Map(
    planned.flatMap(({ changes, before }) => changes.map(({ iv_id }, place) => [iv_id, before[place]] as const)),
  );
  return items.map((item) => ({ ...item, ...earlier.get(item.iv_id) }));
}

/** So many groups of so many, taken evenly from all over the list. */
function spread<Item>(items: readonly Item[], groups: number, each: number): Item[][] {
  const step = Math.max(1, Math.floor(items.length / (groups * each)));
  const taken = items.filter((_item, index) => index % step === 0);
  return Array.from({ length: groups }, (_, group) => taken.slice(group * each, (group + 1) * each));
}
