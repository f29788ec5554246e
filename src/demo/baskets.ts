import { listBranchOutlines } from '../modules/branches/index.ts';
import { listShelfItems, type ShelfItem } from '../modules/skus/index.ts';
import type { Tx } from '../platform/database/index.ts';
import type { Random } from './random.ts';
import type { ShopKind } from './rhythm.ts';

export type Shelf = { branchId: string; ivId: string; city: string; items: ShelfItem[] };

/** The branches that trade and what they sell, the same article at the same place of every shelf. */
export async function readShelves(tx: Tx, organizationId: string): Promise<Shelf[]> {
  const branches = (await listBranchOutlines(tx, organizationId)).filter(({ active }) => active);
  const items = await listShelfItems(tx, organizationId);
  return branches.map(({ id, iv_id, city }) => ({
    branchId: id,
    ivId: iv_id,
    city: city ?? '',
    items: items.filter((item) => item.branch_id === id),
  }));
}

export type BasketLine = { item: ShelfItem; quantity: number };

const LINES: Record<ShopKind, [min: number, max: number]> = { pharmacy: [1, 3], grocery: [1, 5] };

/** Some articles are in every third basket and most in hardly any: the first of `popularity` sell best. */
export function fillBasket(kind: ShopKind, shelf: Shelf, popularity: readonly number[], random: Random): BasketLine[] {
  const [min, max] = LINES[kind];
  const lines = new Map<string, BasketLine>();
  for (let count = random.between(min, max); count > 0; count -= 1) {
    const item = shelf.items[popularity[Math.floor(popularity.length * random.next() ** 2.5)] ?? 0];
    if (item === undefined) continue;
    const quantity = random.chance(0.72) ? 1 : random.between(2, kind === 'grocery' ? 6 : 3);
    lines.set(item.sku_iv_id, { item, quantity });
  }
  return [...lines.values()];
}

/** A shuffled list of places on the shelf. */
export function rankArticles(count: number, random: Random): number[] {
  const places = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = random.between(0, last);
    [places[last], places[other]] = [places[other] ?? 0, places[last] ?? 0];
  }
  return places;
}

export type Bill = {
  subtotal: number;
  discounts: number;
  vat: number;
  deliveryFee: number;
  serviceFee: number;
  total: number;
};

export function billFor(
  lines: readonly BasketLine[],
  fees: { delivery: number; service: number; discountPercent: number },
): Bill {
  const halalas = (sar: number) => Math.round(sar * 100);
  const subtotal = lines.reduce((sum, { item, quantity }) => sum + halalas(item.price) * quantity, 0);
  const discounts = Math.round((subtotal * fees.discountPercent) / 100);
  const goodsVat = lines.reduce((sum, { item, quantity }) => {
    return sum + (halalas(item.price) * quantity * item.vat_value) / (100 + item.vat_value);
  }, 0);
  const feeHalalas = halalas(fees.delivery) + halalas(fees.service);
  // By the discount as it was rounded, or the VAT would not be that of the amounts.
  const share = subtotal === 0 ? 0 : (subtotal - discounts) / subtotal;
  const vat = Math.round(goodsVat * share + (feeHalalas * 15) / 115);
  return {
    subtotal: subtotal / 100,
    discounts: discounts / 100,
    vat: vat / 100,
    deliveryFee: fees.delivery,
    serviceFee: fees.service,
    total: (subtotal - discounts + feeHalalas) / 100,
  };
}
