import { type PastOrder, placeHistory } from '../modules/orders/index.ts';
import type { Tx } from '../platform/database/index.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { billFor, fillBasket, rankArticles, readShelves, type Shelf } from './baskets.ts';
import { type Buyer, generateBuyers, oneOf, pickBuyer, writtenPhone } from './buyers.ts';
import { CHANNELS, type DemoInstall, installApps } from './channels.ts';
import { courseOf, type Family } from './order-course.ts';
import { noPayable, notingPayable, seedPaylinks } from './paylinks.ts';
import type { DemoPeople } from './people.ts';
import { type Random, seededRandom } from './random.ts';
import { pickWeighted, placementTimes, type ShopKind } from './rhythm.ts';
import { notingRecent, STAGED_DAYS, seedStaging } from './staging.ts';
import { generateTillSales, seedInvoices } from './till.ts';
import type { RecentSale } from './vendor-payloads.ts';

type DemoTrade = { kind: ShopKind; orders: number; buyers: number };

/** In the order of the demo's organizations. */
const TRADES: readonly DemoTrade[] = [
  { kind: 'pharmacy', orders: 8_500, buyers: 1_700 },
  { kind: 'grocery', orders: 11_500, buyers: 2_100 },
];

const SEED = 2026;
const DAYS = 365;
const DAY_MS = 86_400_000;
/** The last week comes with its events; more would cost a visitor's first start a second and show nothing new. */
const EVENT_DAYS = 7;

/**
 * The apps of each organization, a year of trade that came through them, and what their vendors sent in the last days. Sales and
 * customers are counted from it once the demo is in place.
 */
export async function seedOrders(
  tx: Tx,
  { box, baseUrl }: { box: SecretBox; baseUrl: string },
  people: DemoPeople,
  now: Date,
): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  for (const [index, trade] of TRADES.entries()) {
    const organization = people.logins.organizations[index];
    const owner = people.actors[index]?.owner;
    if (organization === undefined || owner === undefined) throw new Error('a demo shop has no organization');
    const shelves = await readShelves(tx, organization.id);
    const installs = await installApps(tx, box, { organizationId: organization.id, shelves, owner }, now);
    const past = generateYear(trade, index, shelves, installs, now, seededRandom(SEED + index));
    const recent: RecentSale[] = [];
    const payable = noPayable();
    const noted = notingPayable(
      notingRecent(past, installs, daysAgo(STAGED_DAYS), recent),
      daysAgo(EVENT_DAYS),
      payable,
    );
    const counter = seededRandom(SEED + TRADES.length + index);
    const sales = generateTillSales(
      trade.kind,
      shelves[0],
      rankArticles(shelves[0]?.items.length ?? 0, counter),
      now,
      counter,
    );
    await placeHistory(tx, organization.id, oneThenOther(noted, sales), { eventsSince: daysAgo(EVENT_DAYS) });
    await seedStaging(tx, organization.id, installs, recent, now);
    await seedPaylinks(tx, { organizationId: organization.id, installs, baseUrl }, payable, now);
    await seedInvoices(tx, organization.id, owner, sales);
  }
}

function* oneThenOther<T>(first: Iterable<T>, then: Iterable<T>): Generator<T> {
  yield* first;
  yield* then;
}

/** One after the other, so that the first are written while the next are made up. */
export function* generateYear(
  { kind, orders, buyers: buyerCount }: DemoTrade,
  shop: number,
  shelves: readonly Shelf[],
  installs: ReadonlyMap<string, DemoInstall>,
  now: Date,
  random: Random,
): Generator<PastOrder> {
  const buyers = generateBuyers(buyerCount, shelves.length, random);
  const popularity = rankArticles(shelves[0]?.items.length ?? 0, random);
  const shares = CHANNELS.map((channel) => channel.shares[shop] ?? 0);
  const weights = [...shares, 100 - shares.reduce((sum, share) => sum + share, 0)];
  const times = placementTimes(kind, orders, DAYS, now, random);
  for (const [number, placedAt] of times.entries()) {
    const channel = CHANNELS[pickWeighted(weights, random)];
    const family: Family = channel?.family ?? 'api';
    const install = channel && installs.get(channel.slug);
    const buyer = pickBuyer(buyers, number / times.length, random);
    // Parcels leave from the first branch; everything else is bought around the corner.
    const isParcel = family === 'web_store' || family === 'marketplace';
    const place = isParcel ? 0 : (buyer?.home ?? 0);
    const shelf = shelves[place];
    if (shelf === undefined || buyer === undefined) throw new Error('the demo has no branch to sell from');
    const paidOnline = family === 'api' ? random.chance(0.6) : family !== 'pos' && random.chance(0.8);
    const { stages, promisedFor } = courseOf(family, placedAt, paidOnline, now, random);
    const goods = goodsOf(kind, family, shelf, buyer, popularity, random);
    yield {
      order: {
        source: install?.id ?? 'api',
        source_transaction_id: channel?.idOf(100_000 + number) ?? `WEB-${100_000 + number}`,
        source_reference: channel?.referenceOf(100_000 + number) ?? `#${100_000 + number}`,
        source_timestamp: new Date(placedAt.getTime() - 1500).toISOString(),
        destination: shelf.branchId,
        destination_reference: install?.storeIds[place] ?? null,
        currency: 'SAR',
        payment_method: paidOnline ? oneOf(ONLINE, random) : oneOf(ON_DELIVERY, random),
        fulfillment_method: family === 'pos' ? 'pickup' : isParcel ? 'shipping' : 'delivery',
        promised_for: promisedFor?.toISOString() ?? null,
        ...buyerOf(family, shelf, buyer, random),
        ...goods,
      },
      stages,
    };
  }
}

const ONLINE = ['credit_card', 'debit_card', 'wallet'] as const;
const ON_DELIVERY = ['cash', 'cash', 'debit_card'] as const;

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

/** At the till every third buyer leaves no name. */
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
