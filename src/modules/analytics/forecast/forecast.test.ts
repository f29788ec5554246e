import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  explain,
  forecastDemand,
  makeCalendar,
  orderLevels,
  planStock,
  poolProfiles,
  QUANTILE_LEVELS,
  sumQuantile,
} from './index.ts';

const CALENDAR = makeCalendar('2025-01-01', '2026-12-31');
const forecast = (quantities: number[], more: object = {}, horizon = 14) =>
  forecastDemand({ firstDay: '2025-03-01', quantities, ...more }, CALENDAR, { horizon });

const anyQuantity = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 30 }) },
  fc.double({ min: 0, max: 1e9, noNaN: true }),
  fc.constantFrom(Number.NaN, -3, Number.POSITIVE_INFINITY, 1e9),
);
const anyHistory = fc.record({
  quantities: fc.array(anyQuantity, { maxLength: 400 }),
  stockoutDays: fc.array(fc.boolean(), { maxLength: 400 }),
  promotions: fc.array(fc.boolean(), { maxLength: 400 }),
  unitPrices: fc.array(fc.oneof(fc.double(), fc.constant(5)), { maxLength: 400 }),
  futurePromotions: fc.option(fc.array(fc.boolean(), { maxLength: 30 }), { nil: undefined }),
  futurePrices: fc.array(fc.double(), { maxLength: 30 }),
});

test('for any history every number is finite and not negative, and quantiles do not decrease', () => {
  fc.assert(
    fc.property(anyHistory, fc.integer({ min: 1, max: 40 }), (history, horizon) => {
      const found = forecastDemand({ firstDay: '2025-03-01', ...history }, CALENDAR, {
        horizon,
        pooled: poolProfiles([{ firstDay: '2025-03-01', ...history }], CALENDAR),
      });
      const numbers = [found.mean, found.paths.values, found.weekdayProfile, ...found.quantiles];
      for (const list of numbers) for (const value of list) if (!(value >= 0 && value < Infinity)) return false;
      for (let day = 0; day < horizon; day += 1) {
        for (let q = 1; q < QUANTILE_LEVELS.length; q += 1) {
          if ((found.quantiles[q]?.[day] ?? 0) < (found.quantiles[q - 1]?.[day] ?? 0)) return false;
        }
      }
      const plan = planStock({
        forecast: found,
        currentQty: 10,
        reorderThreshold: 2,
        buffer: 1,
        leadTimeDays: 50,
        serviceLevel: 0.95,
      });
      const { en, ar } = explain(found, plan, { currentQty: 10, nameEn: 'Dates', nameAr: 'تمر' });
      return (
        plan.reorderPoint >= 2 &&
        plan.suggestedOrderQty >= 0 &&
        plan.stockoutProbability >= 0 &&
        plan.stockoutProbability <= 1 &&
        !/NaN|undefined|Infinity/.test(`${en}${ar}${JSON.stringify(plan)}`)
      );
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['nothing', []],
  ['one day', [5]],
  ['only zeros', new Array(90).fill(0)],
  ['only closed days', new Array(90).fill(Number.NaN)],
])('%s is too little history and still gets a forecast', (_, quantities) => {
  const found = forecast(quantities);
  expect(found.demandClass).toBe('too_little_history');
  expect([...found.mean].every((value) => value >= 0)).toBe(true);
  expect(found.mean).toHaveLength(14);
});

test('doubled amounts double the forecast', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 50, noNaN: true }), { minLength: 30, maxLength: 200 }),
      (quantities) => {
        const once = forecast(quantities.map((quantity) => quantity + 0.001));
        const twice = forecast(quantities.map((quantity) => 2 * (quantity + 0.001)));
        for (let day = 0; day < 14; day += 1) {
          expect(twice.mean[day]).toBeCloseTo(2 * (once.mean[day] ?? 0), 6);
          expect(twice.quantiles[9]?.[day]).toBeCloseTo(2 * (once.quantiles[9]?.[day] ?? 0), 6);
        }
      },
    ),
    { numRuns: 50 },
  );
});

test('the same input gives the same forecast', () => {
  const quantities = Array.from({ length: 200 }, (_, i) => (i * 7919) % 11);
  expect(forecast(quantities)).toEqual(forecast(quantities));
});

test('a weekday with double sales is forecast at double, and a closed weekday at zero', () => {
  // 2025-03-01 is a Saturday.
  const quantities = Array.from({ length: 210 }, (_, i) => (i % 7 === 6 ? 20 : i % 7 === 0 ? 0 : 10));
  const { weekdayProfile, mean, demandClass } = forecast(quantities, {}, 7);
  expect(demandClass).toBe('smooth');
  expect((weekdayProfile[5] as number) / (weekdayProfile[3] as number)).toBeCloseTo(2, 1);
  expect(weekdayProfile[6]).toBeLessThan(0.05);
  expect([...mean].map(Math.round)).toEqual([0, 10, 10, 10, 10, 10, 20]);
});

test('a closed day does not count as a day without demand', () => {
  const open = Array.from({ length: 140 }, () => 10);
  const withClosedDays = open.map((quantity, i) => (i % 9 === 0 ? Number.NaN : quantity));
  expect(forecast(withClosedDays).mean[3]).toBeCloseTo(forecast(open).mean[3] as number, 6);
});

test('days with a stockout are ignored, days without sales of a slow seller are not', () => {
  const quantities = Array.from({ length: 120 }, (_, i) => (i >= 100 ? 0 : 8));
  const stockoutDays = quantities.map((quantity) => quantity === 0);
  expect(forecast(quantities, { stockoutDays }).mean[0]).toBeCloseTo(8, 3);
  expect(forecast(quantities, { stockoutDays }).maskedStockoutDays).toBe(20);
  expect(forecast(quantities).mean[0]).toBeLessThan(3);
  const slow = Array.from({ length: 120 }, (_, i) => (i % 20 === 0 ? 1 : 0));
  expect(forecast(slow, { stockoutDays: slow.map((_, i) => i > 117) }).maskedStockoutDays).toBe(0);
});

test('a known promotion raises its day by the effect of earlier promotions', () => {
  const promotions = Array.from({ length: 200 }, (_, i) => i % 10 === 0);
  const quantities = promotions.map((promoted) => (promoted ? 30 : 10));
  const { mean } = forecast(quantities, { promotions, futurePromotions: [false, true] });
  expect((mean[1] as number) / (mean[0] as number)).toBeGreaterThan(2);
  expect(forecast(quantities, { promotions }).method).toBe('replay');
});

test('a running promotion is expected to end like earlier ones of the shop, without another right after it', () => {
  // Ten days every 60, the last of them four days old; each SKU of the shop a few days apart.
  const promotionsOf = (shift: number) => Array.from({ length: 304 }, (_, i) => (i + shift) % 60 < 10);
  const historyOf = (shift: number) => {
    const promotions = promotionsOf(shift);
    return { firstDay: '2025-03-01', quantities: promotions.map((on, i) => (on ? 30 : 5) + (i % 3)), promotions };
  };
  const pooled = poolProfiles(
    Array.from({ length: 12 }, (_, sku) => historyOf(5 * sku)),
    CALENDAR,
  );
  const own = historyOf(0);
  const withData = forecastDemand(own, CALENDAR, { horizon: 28, pooled });
  const withoutData = forecastDemand({ ...own, promotions: undefined }, CALENDAR, { horizon: 28, pooled });
  expect(withData.mean[1]).toBeGreaterThan(withoutData.mean[1] as number);
  expect(withData.mean[12]).toBeLessThan(0.9 * (withoutData.mean[12] as number));
  expect(withData.quantiles[9]?.[12]).toBeLessThan(withoutData.quantiles[9]?.[12] as number);
  const standing = Array.from({ length: 304 }, (_, i) => i % 3 !== 0);
  expect(forecastDemand({ ...own, promotions: standing }, CALENDAR, { horizon: 28, pooled }).mean).toEqual(
    withoutData.mean,
  );
});

test('a known price cut raises demand when earlier ones did', () => {
  const unitPrices = Array.from({ length: 200 }, (_, i) => (i % 5 === 0 ? 5 : 10));
  const quantities = unitPrices.map((price) => (price === 5 ? 20 : 10));
  const { mean } = forecast(quantities, { unitPrices, futurePrices: [10, 5] });
  expect((mean[1] as number) / (mean[0] as number)).toBeGreaterThan(1.4);
});

test('demand classes follow Syntetos, Boylan and Croston', () => {
  const classOf = (quantities: number[]) => forecast(quantities).demandClass;
  expect(classOf(Array.from({ length: 60 }, (_, i) => 5 + (i % 3)))).toBe('smooth');
  expect(classOf(Array.from({ length: 60 }, (_, i) => (i % 6 === 0 ? 60 : 3)))).toBe('erratic');
  expect(classOf(Array.from({ length: 60 }, (_, i) => (i % 4 === 0 ? 3 : 0)))).toBe('intermittent');
  expect(classOf(Array.from({ length: 60 }, (_, i) => (i % 4 === 0 ? (i % 8 === 0 ? 1 : 50) : 0)))).toBe('lumpy');
});

test('Ramadan and the Eids of 1446 lie where the calendar of Umm al-Qura has them', () => {
  const kindOn = (date: string) => makeCalendar(date, date).kinds[0];
  expect(['2025-02-28', '2025-03-01', '2025-03-08', '2025-03-29', '2025-03-30', '2025-04-02'].map(kindOn)).toEqual([
    0, 1, 2, 4, 5, 0,
  ]);
  expect(['2025-06-05', '2025-06-06', '2025-06-09', '2025-06-10'].map(kindOn)).toEqual([6, 7, 7, 0]);
});

test('the effect of Ramadan on a shop last year is expected this year, and none of an ordinary month', () => {
  const days = 390;
  const calendar = makeCalendar('2025-01-20', '2026-04-30');
  const shop = (inRamadan: number) =>
    Array.from({ length: 40 }, (_, sku) => ({
      firstDay: '2025-01-20',
      quantities: Array.from({ length: days }, (_, i) => {
        const kind = calendar.kinds[i] as number;
        return ((i * 31 + sku * 17) % 5) + (kind >= 1 && kind <= 4 ? inRamadan : 5);
      }),
    }));
  const risen = poolProfiles(shop(15), calendar).dayKindUplift;
  expect(risen[2]).toBeGreaterThan(1.5);
  expect(risen[7]).toBe(1);
  expect([...poolProfiles(shop(5), calendar).dayKindUplift]).toEqual(new Array(8).fill(1));
});

test('a reorder point is a quantile of the sum over the lead time, which bursts widen', () => {
  const situation = { currentQty: 100, reorderThreshold: 0, buffer: 0, leadTimeDays: 6, serviceLevel: 0.9 };
  // The same amounts on the same share of days: spread out, and in runs of a week.
  const spread = Array.from({ length: 364 }, (_, i) => (i % 4 === 0 ? 4 : 0));
  const bursts = Array.from({ length: 364 }, (_, i) => (Math.floor(i / 7) % 4 === 0 ? 4 : 0));
  const steady = planStock({ forecast: forecast(spread), ...situation });
  const bursty = planStock({ forecast: forecast(bursts), ...situation });
  expect(bursty.reorderPoint).toBeGreaterThan(1.5 * steady.reorderPoint);
});

test('a burst raises the reorder point by less than its own height, as the order arrives after it', () => {
  const terms = { leadTimeDays: 5, serviceLevel: 0.9, coverDays: 7 };
  // Ten days of five times as much every 70; now on the fifth of them, and in the middle of a calm.
  const until = (length: number) => forecast(Array.from({ length }, (_, i) => ((i + 5) % 70 < 10 ? 50 : 10) + (i % 3)));
  const [inBurst, inCalm] = [until(280), until(310)];
  const asked = orderLevels(inBurst, terms);
  const full = sumQuantile(inBurst.paths, 6, 0.9);
  expect(asked.untilDelivery).toBeLessThan(0.85 * full);
  expect(asked.untilDelivery).toBeGreaterThan(orderLevels(inCalm, terms).untilDelivery);
  expect(orderLevels(inCalm, terms).untilDelivery).toBe(sumQuantile(inCalm.paths, 6, 0.9));
  const after = inBurst.mean.slice(6, 13).reduce((sum, value) => sum + value, 0);
  expect(asked.afterDelivery).toBeCloseTo((after * asked.untilDelivery) / full, 6);
});

test('cover, stockout and order follow from one steady demand', () => {
  const steady = forecast(new Array(140).fill(10), {}, 30);
  const plan = planStock({
    forecast: steady,
    currentQty: 95,
    reorderThreshold: 20,
    buffer: 5,
    leadTimeDays: 3,
    serviceLevel: 0.95,
    coverDays: 7,
  });
  // 140 days from 1 March end on 18 July.
  expect(plan).toEqual({
    daysOfCover: 9,
    coverP50Date: '2025-07-28',
    coverP10Date: '2025-07-28',
    stockoutDate: '2025-07-28',
    stockoutProbability: 1,
    reorderPoint: 45,
    suggestedOrderDate: '2025-07-24',
    suggestedOrderQty: 70,
  });
  expect(sumQuantile(steady.paths, 60, 0.5)).toBeCloseTo(600, 6);
  expect(explain(steady, plan, { currentQty: 95, nameEn: 'Ajwa dates', nameAr: 'تمر عجوة' })).toEqual({
    en: 'Ajwa dates sells about 10 a day; the 95 in stock last about 9 days, so order 70 by 24 July.',
    ar: 'يُباع من «تمر عجوة» نحو 10 قطع يوميًا؛ المخزون الحالي (95 قطعة) يكفي نحو 9 أيام، فاطلب 70 قطعة في موعد أقصاه 24 يوليو.',
  });
});

test('plenty of stock needs no order, and none at all needs one now', () => {
  const steady = forecast(new Array(140).fill(10));
  const common = { forecast: steady, reorderThreshold: 0, buffer: 0, leadTimeDays: 2, serviceLevel: 0.95 };
  const plenty = planStock({ ...common, currentQty: 1e6 });
  expect(plenty).toMatchObject({
    daysOfCover: null,
    stockoutProbability: 0,
    suggestedOrderDate: null,
    suggestedOrderQty: 0,
  });
  const none = planStock({ ...common, currentQty: 0 });
  expect(none).toMatchObject({ daysOfCover: 0, stockoutProbability: 1, suggestedOrderDate: steady.firstDay });
  // Sold every tenth day: it is out now, not when the next one is wanted.
  const rare = forecast(Array.from({ length: 140 }, (_, day) => (day % 10 === 0 ? 1 : 0)));
  for (const currentQty of [0, -3]) {
    const out = planStock({ ...common, forecast: rare, currentQty });
    expect(out).toMatchObject({ daysOfCover: 0, stockoutDate: rare.firstDay, coverP10Date: rare.firstDay });
  }
  expect(explain(steady, none, { currentQty: 0, nameEn: 'Dates', nameAr: 'تمر' }).ar).toContain(
    'لا يوجد منه شيء في المخزون',
  );
});
