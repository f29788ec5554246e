import { listBranchOutlines } from '../modules/branches/index.ts';
import { listShelfItems, type ShelfItem } from '../modules/skus/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import type { Random } from './random.ts';
import type { ShopKind } from './rhythm.ts';

export type Shelf = { branchId: string; ivId: string; city: string; isOpen: boolean; items: ShelfItem[] };

/** The branches and their products: a product has the same index in each branch. Open branches come first. */
export async function readShelves(sql: Queryable, organizationId: string): Promise<Shelf[]> {
  const branches = await listBranchOutlines(sql, organizationId);
  const items = Map.groupBy(await listShelfItems(sql, organizationId), (item) => item.branch_id);
  return branches
    .map(({ id, iv_id, city, active }) => ({
      branchId: id,
      ivId: iv_id,
      city: city ?? '',
      isOpen: active,
      items: items.get(id) ?? [],
    }))
    .sort((one, other) => Number(other.isOpen) - Number(one.isOpen));
}

export type BasketLine = { item: ShelfItem; quantity: number };

const LINES: Record<ShopKind, [min: number, max: number]> = { pharmacy: [1, 3], grocery: [1, 5] };

/** The first products of `popularity` sell best: some are in every tenth basket, most in few. */
export function fillBasket(kind: ShopKind, shelf: Shelf, popularity: readonly number[], random: Random): BasketLine[] {
  const [min, max] = LINES[kind];
  const lines = new Map<string, BasketLine>();
  for (let count = random.between(min, max); count > 0; count -= 1) {
    const item = shelf.items[popularity[Math.floor(popularity.length * random.next() ** 2.2)] ?? 0];
    if (item === undefined) continue;
    const quantity = random.chance(0.72) ? 1 : random.between(2, kind === 'grocery' ? 6 : 3);
    lines.set(item.sku_iv_id, { item, quantity });
  }
  return [...lines.values()];
}

/** Indexes of products in random order. */
export function rankProducts(count: number, random: Random): number[] {
  const indexes = Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = random.between(0, last);
    [indexes[last], indexes[other]] = [indexes[other] ?? 0, indexes[last] ?? 0];
  }
  return indexes;
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
  // By the rounded discount: otherwise the VAT would not match the amounts.
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
