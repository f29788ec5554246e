import { localDay } from '../platform/local-day.ts';
import type { Random } from './random.ts';

const ZONE = 'Asia/Riyadh';
/** Saudi Arabia has no summer time. */
const OFFSET_MS = 3 * 3_600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type ShopKind = 'pharmacy' | 'grocery';

/** Sunday first. The weekend is Friday and Saturday, and it begins on Thursday evening. */
const BY_WEEKDAY = [0.9, 0.86, 0.88, 0.95, 1.24, 1.28, 1.06] as const;

/** Midnight first: a small peak at noon, the large one after the evening prayer. */
const USUAL_HOURS = [3, 2, 1, 0.5, 0.3, 0.5, 1, 2, 3, 4, 5, 6, 7, 6, 4, 4, 6, 8, 9, 10, 11, 11, 9, 6];
const FRIDAY_HOURS = [4, 3, 1, 0.5, 0.3, 0.3, 0.5, 1, 2, 2, 2, 1, 1, 5, 6, 6, 8, 9, 10, 11, 12, 12, 10, 7];
/** Quiet by day, a peak before sunset, busy all night. */
const RAMADAN_HOURS = [11, 10, 8, 5, 1, 0.3, 0.3, 0.5, 1, 2, 2, 3, 3, 4, 6, 9, 10, 3, 2, 6, 9, 11, 12, 12];

const hijri = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
  timeZone: ZONE,
  month: 'numeric',
  day: 'numeric',
});

type Calendar = { weekday: number; dayOfMonth: number; hijriMonth: number; hijriDay: number };

function calendarOf(noon: Date): Calendar {
  const day = localDay(noon, ZONE);
  const parts = new Map(hijri.formatToParts(noon).map((part) => [part.type, Number(part.value)]));
  return {
    weekday: new Date(`${day}T00:00:00Z`).getUTCDay(),
    dayOfMonth: Number(day.slice(8)),
    hijriMonth: parts.get('month') ?? 0,
    hijriDay: parts.get('day') ?? 0,
  };
}

const RAMADAN = 9;

/** Salaries are paid on the 27th; demand is higher for a week. */
function salaryFactor(dayOfMonth: number): number {
  if (dayOfMonth >= 27) return 1.28;
  return dayOfMonth <= 3 ? 1.15 : 0.97;
}

function seasonFactor({ hijriMonth, hijriDay }: Calendar, kind: ShopKind): number {
  const isGrocery = kind === 'grocery';
  // Households stock up in the last week of Shaaban, and few people shop on the feast.
  if (hijriMonth === RAMADAN - 1 && hijriDay >= 22) return isGrocery ? 1.5 : 1.1;
  if (hijriMonth === RAMADAN) return isGrocery ? (hijriDay > 20 ? 1.45 : 1.3) : 1.14;
  if (hijriMonth === RAMADAN + 1 && hijriDay <= 3) return isGrocery ? 0.6 : 0.7;
  return 1;
}

/** Demand of a day relative to an average day, without noise. */
export function demandOf(noon: Date, kind: ShopKind): number {
  const calendar = calendarOf(noon);
  return (BY_WEEKDAY[calendar.weekday] ?? 1) * salaryFactor(calendar.dayOfMonth) * seasonFactor(calendar, kind);
}

export function hoursOf(noon: Date): readonly number[] {
  const { weekday, hijriMonth } = calendarOf(noon);
  if (hijriMonth === RAMADAN) return RAMADAN_HOURS;
  return weekday === 5 ? FRIDAY_HOURS : USUAL_HOURS;
}

/** From the first day to the last. */
const YEARLY_GROWTH = 0.3;
/** Orders of a day over those of an average day: a feast on a weak weekday stays above the one, the best payday below the other. */
const MIN_DAY = 0.56;
const MAX_DAY = 2.6;

/**
 * The times of about `total` orders of the days up to today, oldest first. Today is complete, whatever time it is now: the same
 * day gives the same times.
 */
export function placementTimes(kind: ShopKind, total: number, days: number, now: Date, random: Random): Date[] {
  const today = new Date(`${localDay(now, ZONE)}T00:00:00Z`).getTime() - OFFSET_MS;
  const calendar = Array.from({ length: days }, (_, index) => {
    const midnight = today - (days - 1 - index) * DAY_MS;
    const noise = 0.9 + random.next() * 0.2;
    const demand = demandOf(new Date(midnight + DAY_MS / 2), kind) * (1 + (YEARLY_GROWTH * index) / days) * noise;
    return { midnight, demand };
  });
  const sum = calendar.reduce((demand, day) => demand + day.demand, 0);
  return calendar.flatMap(({ midnight, demand }) => {
    const hours = hoursOf(new Date(midnight + DAY_MS / 2));
    const average = total / days;
    const expected = Math.min(MAX_DAY * average, Math.max(MIN_DAY * average, (total * demand) / sum));
    // Rounded up or down at random, so that a shop with a few orders a day keeps its rhythm.
    const orders = Math.floor(expected + random.next());
    return Array.from(
      { length: orders },
      () => midnight + pickWeighted(hours, random) * HOUR_MS + random.next() * HOUR_MS,
    )
      .sort((one, other) => one - other)
      .map((ms) => new Date(ms));
  });
}

/** A random index, in proportion to the weights. */
export function pickWeighted(weights: readonly number[], random: Random): number {
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return index;
  }
  return weights.length - 1;
}
