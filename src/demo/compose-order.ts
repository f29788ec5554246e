import type { PastOrder } from '../modules/orders/index.ts';
import { billFor, fillBasket, type Shelf } from './baskets.ts';
import { type Buyer, oneOf, writtenPhone } from './buyers.ts';
import type { DemoChannel, DemoInstall } from './channels.ts';
import type { Family } from './order-course.ts';
import type { Random } from './random.ts';
import type { ShopKind } from './rhythm.ts';

/** A shop of the demo as orders are made for it. */
export type DemoTrader = {
  kind: ShopKind;
  shelves: readonly Shelf[];
  installs: ReadonlyMap<string, DemoInstall>;
  /** Indexes of the products, best-selling first. */
  popularity: readonly number[];
};

export type PlacedOrder = {
  /** Undefined: the shop's own page. */
  channel: DemoChannel | undefined;
  /** Within the shop: the vendor's ids are made from it. */
  number: number;
  placedAt: Date;
  buyer: Buyer;
  paidOnline: boolean;
  promisedFor: Date | null;
};

const ONLINE = ['credit_card', 'debit_card', 'wallet'] as const;
const ON_DELIVERY = ['cash', 'cash', 'debit_card'] as const;

export const isParcel = (family: Family) => family === 'web_store' || family === 'marketplace';

export function isPaidOnline(family: Family, random: Random): boolean {
  return family === 'api' ? random.chance(0.6) : family !== 'pos' && random.chance(0.8);
}

/** The index of the branch that sells. Parcels leave from the first branch. */
export function branchIndexOf(family: Family, buyer: Buyer): number {
  return isParcel(family) ? 0 : buyer.home;
}

/** An order as a channel other than the till reports it. */
export function composeOrder(
  { kind, shelves, installs, popularity }: DemoTrader,
  { channel, number, placedAt, buyer, paidOnline, promisedFor }: PlacedOrder,
  branch: number,
  random: Random,
): PastOrder['order'] {
  const family: Family = channel?.family ?? 'api';
  const install = channel && installs.get(channel.slug);
  const shelf = shelves[branch];
  if (shelf === undefined) throw new Error('the demo has no branch to sell from');
  return {
    source: install?.id ?? 'api',
    source_transaction_id: channel?.idOf(100_000 + number) ?? `WEB-${100_000 + number}`,
    source_reference: channel?.referenceOf(100_000 + number) ?? `#${100_000 + number}`,
    source_timestamp: new Date(placedAt.getTime() - 1500).toISOString(),
    destination: shelf.branchId,
    destination_reference: install?.storeIds[branch] ?? null,
    currency: 'SAR',
    payment_method: paidOnline ? oneOf(ONLINE, random) : oneOf(ON_DELIVERY, random),
    fulfillment_method: family === 'pos' ? 'pickup' : isParcel(family) ? 'shipping' : 'delivery',
    promised_for: promisedFor?.toISOString() ?? null,
    ...buyerOf(family, shelf, buyer, random),
    ...goodsOf(kind, family, shelf, buyer, popularity, random),
  };
}

function goodsOf(
  kind: ShopKind,
  family: Family,
  shelf: Shelf,
  buyer: Buyer,
  popularity: readonly number[],
  random: Random,
) {
  const lines = fillBasket(kind, shelf, popularity, random);
  const bill = billFor(lines, {
    delivery: family === 'pos' ? 0 : random.between(0, 4) * 5,
    service: family === 'delivery_app' ? 2 : 0,
    discountPercent: random.chance(0.15) ? oneOf([5, 10, 15], random) : 0,
  });
  return {
    skus: lines.map(({ item }) => item.sku_iv_id),
    products: lines.map(({ item, quantity }) => ({
      product_id: item.product_iv_id,
      sku_id: item.sku_iv_id,
      name: buyer.speaksArabic ? item.name_ar : item.name_en,
      quantity,
      price: item.price,
    })),
    subtotal: bill.subtotal,
    discounts_amount: bill.discounts,
    vat_amount: bill.vat,
    delivery_fee: bill.deliveryFee,
    service_fee: bill.serviceFee,
    total_amount: bill.total,
  };
}

/** At a counter every third buyer gives no name. */
function buyerOf(family: Family, shelf: Shelf, buyer: Buyer, random: Random) {
  if (family === 'pos' && random.chance(0.35)) return {};
  const isOnline = family === 'web_store' || family === 'api';
  return {
    customer_name: buyer.name,
    customer_phone: writtenPhone(buyer, family),
    customer_email: isOnline ? buyer.email : null,
    shipping_address:
      family === 'pos'
        ? null
        : { city: shelf.city, street: buyer.street, building: String(buyer.building), country: 'SA' },
  };
}
