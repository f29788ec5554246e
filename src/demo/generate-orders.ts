import type { PastOrder } from '../modules/orders/index.ts';
import { pastSale } from '../modules/till/index.ts';
import { fillBasket, rankProducts, type Shelf } from './baskets.ts';
import { type Buyer, createBuyerPicker, generateBuyers, oneOf, writtenPhone } from './buyers.ts';
import { CHANNELS, type DemoChannel, type DemoInstall } from './channels.ts';
import { branchIndexOf, composeOrder, type DemoTrader, isPaidOnline } from './compose-order.ts';
import { courseOf, type Family, type ForcedCourse } from './order-course.ts';
import { type Random, seededRandom } from './random.ts';
import { pickWeighted, placementTimes, type ShopKind } from './rhythm.ts';

export type DemoTrade = { kind: ShopKind; orders: number; buyers: number };

/** A month of figures is compared with the one 364 days before it: 394 days, and two more for other time zones. */
export const HISTORY_DAYS = 396;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A branch that is closed today sold until then, so that its stock has a history. */
const CLOSED_FOR_MS = 2 * 24 * HOUR_MS;
/** Orders just before the load, whatever the hour: a visitor at night sees some too. */
const LAST_MINUTES = [28, 22, 17, 13, 8, 5, 2, 1] as const;
const AWAITING_PAYMENT = 3;
const OVERDUE = 4;
/** Longer than any channel of parcels promises. */
const OVERDUE_AFTER_MS = 73 * HOUR_MS;
const TILL_METHODS = ['cash', 'debit_card', 'debit_card', 'credit_card'] as const;

/** The orders of thirteen months up to now, oldest first. Generated one by one, so that the first are written while others are generated. */
export function* generateYear(
  { kind, orders, buyers: buyerCount }: DemoTrade,
  shop: number,
  shelves: readonly Shelf[],
  installs: ReadonlyMap<string, DemoInstall>,
  now: Date,
  random: Random,
): Generator<PastOrder> {
  const buyers = generateBuyers(buyerCount, shelves.length, random);
  const popularity = rankProducts(shelves[0]?.items.length ?? 0, random);
  const trader: DemoTrader = { kind, shelves, installs, popularity };
  const pickBuyer = createBuyerPicker(buyers, random);
  const planned = planOrders(placementTimes(kind, orders, HISTORY_DAYS, now, random), shop, now, random);
  for (const [number, { placedAt, channel, forced }] of planned.entries()) {
    const family: Family = channel?.family ?? 'api';
    if (family === 'till') {
      yield tillSale(trader, placedAt, () => pickBuyer(number / orders), now, random);
      continue;
    }
    const buyer = pickBuyer(number / orders);
    const branch = openBranch(shelves, branchIndexOf(family, buyer), placedAt, now);
    const paidOnline = forced === 'awaits_payment' || isPaidOnline(family, random);
    const { stages, promisedFor } = courseOf(family, placedAt, { paidOnline, forced }, now, random);
    const placed = { channel, number, placedAt, buyer, paidOnline, promisedFor };
    yield { order: composeOrder(trader, placed, branch, random), stages };
  }
}

type PlannedOrder = { placedAt: Date; channel: DemoChannel | undefined; forced?: ForcedCourse };

/** Channels in their shares. A few of the last orders get the statuses that a shop always has some of. */
function planOrders(times: readonly Date[], shop: number, now: Date, random: Random): PlannedOrder[] {
  const shares = CHANNELS.map((channel) => channel.shares[shop] ?? 0);
  const weights = [...shares, 100 - shares.reduce((sum, share) => sum + share, 0)];
  const plan = (placedAt: Date, chance: Random): PlannedOrder => ({
    placedAt,
    channel: CHANNELS[pickWeighted(weights, chance)],
  });
  // Planned to the end of the day and then cut off, so that a load later in the day begins with the same orders.
  const past = times
    .map((placedAt) => plan(placedAt, random))
    .filter(({ placedAt }) => placedAt.getTime() < now.getTime() - LAST_MINUTES[0] * MINUTE_MS);
  const chance = seededRandom(Math.floor(now.getTime() / MINUTE_MS));
  const last = LAST_MINUTES.map((minutes) =>
    plan(new Date(now.getTime() - (minutes - 0.9 * chance.next()) * MINUTE_MS), chance),
  );
  const planned = [...past, ...last];
  const force = (course: ForcedCourse, count: number, isFit: (order: PlannedOrder) => boolean) => {
    for (const order of planned.filter(isFit).slice(-count)) order.forced = course;
  };
  force('awaits_payment', AWAITING_PAYMENT, ({ channel }) => channel === undefined);
  const overdueBefore = now.getTime() - OVERDUE_AFTER_MS;
  force('overdue', OVERDUE, ({ channel, placedAt }) => {
    return channel?.family === 'web_store' && placedAt.getTime() < overdueBefore;
  });
  return planned;
}

function openBranch(shelves: readonly Shelf[], branch: number, placedAt: Date, now: Date): number {
  const isOpen = shelves[branch]?.isOpen || placedAt.getTime() < now.getTime() - CLOSED_FOR_MS;
  return isOpen ? branch : 0;
}

/** At the till two of three buyers give no name. */
export function tillSale(
  { kind, shelves, popularity }: DemoTrader,
  at: Date,
  pickBuyer: () => Buyer,
  now: Date,
  random: Random,
): PastOrder {
  const buyer = random.chance(0.35) ? pickBuyer() : undefined;
  const home = buyer?.home ?? random.between(0, shelves.length - 1);
  const shelf = shelves[openBranch(shelves, home, at, now)];
  if (shelf === undefined) throw new Error('the demo has no branch to sell from');
  return pastSale({
    branchId: shelf.branchId,
    lines: fillBasket(kind, shelf, popularity, random),
    paymentMethod: oneOf(TILL_METHODS, random),
    customer: buyer && { name: buyer.name, phone: writtenPhone(buyer, 'till') },
    at,
  });
}
