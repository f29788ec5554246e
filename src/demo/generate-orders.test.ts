import { describe, expect, it } from 'vitest';
import { canonicalStatus, type PastOrder } from '../modules/orders/index.ts';
import { localDay } from '../platform/local-day.ts';
import type { Shelf } from './baskets.ts';
import { generateBuyers } from './buyers.ts';
import { CHANNELS, type DemoInstall } from './channels.ts';
import { generateYear } from './generate-orders.ts';
import { TRADES } from './orders.ts';
import { generateProducts } from './products.ts';
import { seededRandom } from './random.ts';
import { DEFAULT_SEED } from './settings.ts';
import { FILLED_DAYS, ordersBetween } from './simulator/fill-gap.ts';
import { PHARMACY_BRANCHES } from './words/branches.ts';
import { PHARMACY } from './words/pharmacy.ts';

const ZONE = 'Asia/Riyadh';

const products = generateProducts(PHARMACY, '7201', seededRandom(1));
const shelves: Shelf[] = PHARMACY_BRANCHES.map(({ iv_id, active }) => ({
  branchId: `id of ${iv_id}`,
  ivId: iv_id,
  city: 'Riyadh',
  isOpen: active,
  items: products.map((product) => ({
    branch_id: `id of ${iv_id}`,
    product_iv_id: product.iv_id,
    sku_iv_id: `${product.iv_id}_${iv_id}`,
    name_en: product.name_en,
    name_ar: product.name_ar,
    price: product.average_price,
    vat_value: product.vat_value,
  })),
}));
const installs = new Map(
  CHANNELS.map(({ slug, storeIdOf }): [string, DemoInstall] => [
    slug,
    { id: `install of ${slug}`, app_slug: slug, settings: {}, storeIds: shelves.map((_, branch) => storeIdOf(branch)) },
  ]),
);

function generate(now: Date, seed = DEFAULT_SEED): Iterable<PastOrder> {
  const [trade] = TRADES;
  if (trade === undefined) throw new Error('the demo has no trade');
  return generateYear(trade, 0, shelves, installs, now, seededRandom(seed));
}

const AFTERNOON = '2026-11-18T12:00:00Z';
/** For all tests: a year takes a second of a core. */
const untilAfternoon = [...generate(new Date(AFTERNOON))];

const placedAt = ({ stages }: PastOrder) => stages[0].at;
const lastStage = ({ stages }: PastOrder) => stages.at(-1) ?? stages[0];
const hourOf = (at: Date) => (at.getUTCHours() + 3) % 24;
const countBy = <T>(items: readonly T[], key: (item: T) => string) =>
  new Map([...Map.groupBy(items, key)].map(([name, some]) => [name, some.length]));
const median = (numbers: number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

// An afternoon, the quietest hour of a Friday, the middle of Ramadan, and a first of January just after midnight.
describe.each([AFTERNOON, '2026-07-10T01:30:00Z', '2026-03-04T20:00:00Z', '2026-12-31T21:02:00Z'])(
  'a year of orders up to %s',
  (text) => {
    const now = new Date(text);
    const orders = text === AFTERNOON ? untilAfternoon : [...generate(now)];
    const today = localDay(now, ZONE);
    const perDay = countBy(orders, (order) => localDay(placedAt(order), ZONE));
    const fullDays = [...perDay].filter(([day]) => day !== today);

    it('has 25,000 to 36,000 orders in 365 days, 40 to 250 on each full day, with a median of 60 to 140', () => {
      expect(orders.length).toBeGreaterThan(29_000);
      expect(orders.length).toBeLessThan(32_000);
      expect(fullDays).toHaveLength(395);
      const lastYear = orders.filter((order) => placedAt(order).getTime() > now.getTime() - 365 * 86_400_000);
      expect(lastYear.length).toBeGreaterThan(26_000);
      const counts = fullDays.map(([, count]) => count);
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(40);
      expect(Math.max(...counts)).toBeLessThanOrEqual(250);
      expect(median(counts)).toBeGreaterThan(60);
      expect(median(counts)).toBeLessThan(140);
    });

    it('has rhythms of weekdays and hours, and grows', () => {
      const byWeekday = Array.from({ length: 7 }, (_, weekday) => {
        const days = fullDays.filter(([day]) => new Date(day).getUTCDay() === weekday);
        return days.reduce((sum, [, count]) => sum + count, 0) / days.length;
      });
      expect(Math.max(...byWeekday)).toBeGreaterThan(1.15 * Math.min(...byWeekday));
      const inHours = (from: number, to: number) =>
        orders.filter((order) => hourOf(placedAt(order)) >= from && hourOf(placedAt(order)) < to).length;
      expect(inHours(18, 22)).toBeGreaterThan(4 * inHours(2, 6));
      const sumOf = (days: [string, number][]) => days.reduce((sum, [, count]) => sum + count, 0);
      const sorted = fullDays.toSorted(([one], [other]) => (one < other ? -1 : 1));
      expect(sumOf(sorted.slice(-60))).toBeGreaterThan(1.05 * sumOf(sorted.slice(0, 60)));
    });

    it('comes through every channel and the till, none above 60 percent', () => {
      const bySource = countBy(orders, ({ order, channel }) => channel?.app_slug ?? order.source ?? '');
      expect([...bySource.keys()].sort()).toEqual(
        [
          'api',
          'till',
          ...CHANNELS.filter(({ slug }) => slug !== 'till').map(({ slug }) => `install of ${slug}`),
        ].sort(),
      );
      expect(Math.max(...bySource.values())).toBeLessThan(0.3 * orders.length);
      expect(Math.min(...bySource.values())).toBeGreaterThan(0.03 * orders.length);
    });

    it('fills today up to the last minutes, and has nothing later', () => {
      const last = Math.max(...orders.map((order) => lastStage(order).at.getTime()));
      expect(last).toBeLessThanOrEqual(now.getTime());
      expect(Math.max(...orders.map((order) => placedAt(order).getTime()))).toBeGreaterThan(now.getTime() - 120_000);
    });

    it('has open orders in every status, some of them late, and less than 5 percent open', () => {
      const open = orders.filter((order) => {
        const status = canonicalStatus(lastStage(order).order_status);
        return status !== 'delivered' && status !== 'cancelled';
      });
      const statuses = countBy(open, (order) => canonicalStatus(lastStage(order).order_status));
      for (const status of ['received', 'ready_for_pickup', 'dispatched', 'pending_payment']) {
        expect([status, (statuses.get(status) ?? 0) >= 2]).toEqual([status, true]);
      }
      expect(open.length).toBeLessThan(0.01 * orders.length);
      const late = open.filter(({ order }) => order.promised_for && new Date(order.promised_for) < now);
      expect(late.length).toBeGreaterThanOrEqual(3);
      expect(late.length).toBeLessThan(open.length / 3);
    });

    it('has cancelled and refunded orders', () => {
      const ended = countBy(orders, (order) => lastStage(order).order_status);
      expect(ended.get('CANCELLED')).toBeGreaterThan(0.01 * orders.length);
      expect(ended.get('CANCELLED')).toBeLessThan(0.08 * orders.length);
      const refunded = orders.filter((order) => lastStage(order).payment_status === 'refunded').length;
      expect(refunded).toBeGreaterThan(0.01 * orders.length);
      expect(refunded).toBeLessThan(0.08 * orders.length);
    });

    it('has 9,000 customers, of whom a third come back', () => {
      const mobiles = orders.flatMap(({ order }) => order.customer_phone?.slice(-9) ?? []);
      const perBuyer = [...countBy(mobiles, (mobile) => mobile).values()];
      expect(perBuyer.length).toBeGreaterThan(8_700);
      expect(perBuyer.length).toBeLessThan(9_300);
      const returning = perBuyer.filter((count) => count > 1).length / perBuyer.length;
      expect(returning).toBeGreaterThan(0.3);
      expect(returning).toBeLessThan(0.37);
    });

    it('sells most products of every branch on enough days to forecast them', () => {
      const days = new Map<string, Set<string>>();
      for (const order of orders) {
        for (const sku of order.order.skus ?? []) {
          const seen = days.get(sku) ?? new Set();
          days.set(sku, seen.add(localDay(placedAt(order), ZONE)));
        }
      }
      const known = [...days.values()].filter((seen) => seen.size >= 3).length;
      expect(known).toBeGreaterThan(0.9 * products.length * shelves.length);
    });
  },
);

describe('the seed', () => {
  it('gives the same orders for the same day, and others for another seed', () => {
    const now = new Date(AFTERNOON);
    const shown = (orders: Iterable<PastOrder>) => JSON.stringify([...orders].map(({ id, ...rest }) => rest));
    // Compared as text: a difference of 30,000 orders takes a minute to print.
    expect(shown(generate(now)) === shown(untilAfternoon)).toBe(true);
    const [other] = generate(now, 7);
    expect(shown(other === undefined ? [] : [other])).not.toBe(shown(untilAfternoon.slice(0, 1)));
  });

  it('begins with the same orders when loaded later on the same day', () => {
    const shown = (orders: Iterable<PastOrder>) =>
      [...orders]
        .filter((order) => placedAt(order) < new Date('2026-11-18T08:00:00Z'))
        .map(({ order, stages }) => [stages[0].at, order.total_amount])
        .slice(0, 29_000);
    const early = shown(untilAfternoon);
    expect(early).toHaveLength(29_000);
    const later = shown(generate(new Date('2026-11-18T15:00:00Z')));
    expect(JSON.stringify(later) === JSON.stringify(early)).toBe(true);
  });
});

describe('the time without the service', () => {
  const now = new Date(AFTERNOON);
  const HOUR_MS = 3_600_000;
  const open = shelves.filter(({ isOpen }) => isOpen);
  const shop = {
    index: 0,
    trader: { kind: 'pharmacy' as const, shelves: open, installs, popularity: products.map((_, index) => index) },
    channels: CHANNELS,
    weights: CHANNELS.map((channel) => channel.shares[0] ?? 0),
    buyers: generateBuyers(50, open.length, seededRandom(3)),
  };
  const between = (hoursAgo: number) => [
    ...ordersBetween(shop as never, new Date(now.getTime() - hoursAgo * HOUR_MS), now, DEFAULT_SEED),
  ];

  it('is filled with as many orders a day as the load has, and nothing before or after it', () => {
    const week = between(7 * 24);
    expect(week.length / 7).toBeGreaterThan(60);
    expect(week.length / 7).toBeLessThan(140);
    const times = week.map((order) => placedAt(order).getTime());
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times[0]).toBeGreaterThan(now.getTime() - 7 * 24 * HOUR_MS);
    expect(times.at(-1)).toBeLessThan(now.getTime());
    expect(week.some((order) => lastStage(order).order_status === 'RECEIVED')).toBe(true);
    expect(lastStage(week[0] as PastOrder).at.getTime()).toBeLessThan(now.getTime());
  });

  it('is the same for the same day, and bounded', () => {
    const outlines = (hoursAgo: number) =>
      between(hoursAgo).map((order) => [placedAt(order), order.order.total_amount, lastStage(order)]);
    const month = outlines(10_000);
    expect(outlines(10_000)).toEqual(month);
    expect(outlines(FILLED_DAYS * 24 + 24)).toEqual(month);
    expect(month.length).toBeLessThan(FILLED_DAYS * 140);
  });
});
