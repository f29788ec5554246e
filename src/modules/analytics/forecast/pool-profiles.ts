import { DAY_KINDS, type DemandCalendar, kindOfDay } from './calendar.ts';
import { weekdayOf } from './days.ts';
import { findEpisodes, learnOdds, startPromotionOdds } from './promotion-episodes.ts';
import { readHistory } from './read-history.ts';
import { shopLevelOf } from './shop-level.ts';
import type { DemandHistory, PooledProfile } from './types.ts';

/** SKUs beyond this many add nothing to a mean; they are taken at even steps. */
const MOST_SKUS = 2_000;
const MOST_UPLIFT = 5;
/** An uplift has to stand out from the ordinary ups and downs of the shop's weeks by so many of them. */
const STANDING_OUT = 1.5;
const POOLED_PROMOTION_PRIOR_DAYS = 30;

/** Every SKU counts alike, whatever it sells: what is shared is the shape, and it is for the small ones that it is needed. */
export function poolProfiles(series: readonly DemandHistory[], calendar: DemandCalendar): PooledProfile {
  const step = Math.max(1, Math.ceil(series.length / MOST_SKUS));
  const byWeekday = { sums: new Float64Array(7), days: new Float64Array(7) };
  const shopByDay = new Map<number, { sum: number; expected: number }>();
  const promotion = { promoted: 0, expected: 0 };
  const promotionOdds = startPromotionOdds();
  for (let at = 0; at < series.length; at += step) {
    const history = series[at] as DemandHistory;
    const { quantities, firstEpochDay, startsAt } = readHistory(history);
    const flags = new Uint8Array(quantities.length);
    let [sum, days, plainSum, plainDays] = [0, 0, 0, 0];
    for (let i = 0; i < quantities.length; i += 1) {
      const quantity = quantities[i] as number;
      if (!(quantity >= 0)) continue;
      sum += quantity;
      flags[days] = history.promotions?.[startsAt + i] ? 1 : 0;
      days += 1;
      if (flags[days - 1]) continue;
      plainSum += quantity;
      plainDays += 1;
    }
    if (!(sum > 0)) continue;
    const episodes = history.promotions === undefined ? undefined : findEpisodes(flags.subarray(0, days));
    if (episodes !== undefined) learnOdds(promotionOdds, episodes);
    const mean = sum / days;
    for (let i = 0; i < quantities.length; i += 1) {
      const quantity = quantities[i] as number;
      if (!(quantity >= 0)) continue;
      const epochDay = firstEpochDay + i;
      const weekday = weekdayOf(epochDay);
      (byWeekday.sums[weekday] as number) += quantity / mean;
      (byWeekday.days[weekday] as number) += 1;
      const shop = shopByDay.get(epochDay) ?? { sum: 0, expected: 0 };
      // Capped, so that one wholesale order does not make a feast of a day.
      shop.sum += Math.min(quantity / mean, 10);
      shop.expected += 1;
      shopByDay.set(epochDay, shop);
      if (history.promotions?.[startsAt + i] && plainSum > 0 && plainDays >= 14) {
        promotion.promoted += Math.min((quantity * plainDays) / plainSum, 10);
        promotion.expected += 1;
      }
    }
  }
  const weekday = normalizedWeek(byWeekday);
  return {
    weekday,
    dayKindUplift: upliftByKind(shopByDay, weekday, calendar),
    shopLevel: shopLevelOf(shopByDay, weekday),
    promotionUplift:
      (promotion.promoted + POOLED_PROMOTION_PRIOR_DAYS) / (promotion.expected + POOLED_PROMOTION_PRIOR_DAYS),
    promotionOdds,
  };
}

function normalizedWeek({ sums, days }: { sums: Float64Array; days: Float64Array }): Float64Array {
  const week = new Float64Array(7);
  let total = 0;
  for (let weekday = 0; weekday < 7; weekday += 1) {
    week[weekday] = (days[weekday] as number) > 0 ? (sums[weekday] as number) / (days[weekday] as number) : 1;
    total += week[weekday] as number;
  }
  if (!(total > 0)) return week.fill(1);
  for (let weekday = 0; weekday < 7; weekday += 1) (week[weekday] as number) *= 7 / total;
  return week;
}

/**
 * The shop's sales on days of a kind over those of the ordinary weeks around them. There is one Ramadan in a year of
 * history, so what is not well beyond the swing of ordinary weeks is taken for chance, and the rest drawn in by that much.
 */
function upliftByKind(
  shopByDay: Map<number, { sum: number; expected: number }>,
  weekday: Float64Array,
  calendar: DemandCalendar,
): Float64Array {
  const uplift = new Float64Array(DAY_KINDS.length).fill(1);
  const days = [...shopByDay.keys()].sort((a, b) => a - b);
  const ratioOf = (from: number, to: number, wanted: (epochDay: number) => boolean) => {
    let [sum, expected] = [0, 0];
    for (let day = from; day <= to; day += 1) {
      const shop = shopByDay.get(day);
      if (shop === undefined || !wanted(day)) continue;
      sum += shop.sum;
      expected += shop.expected * (weekday[weekdayOf(day)] as number);
    }
    return expected > 0 && sum > 0 ? Math.log(sum / expected) : Number.NaN;
  };
  const isOrdinary = (day: number) => kindOfDay(calendar, day) === 0;
  const ordinaryAround = (from: number, to: number) => ratioOf(from - 28, to + 28, isOrdinary);

  let [swings, weeks] = [0, 0];
  for (let i = 0; i + 6 < days.length; i += 7) {
    const from = days[i] as number;
    const swing = ratioOf(from, from + 6, isOrdinary) - ordinaryAround(from, from + 6);
    if (Number.isNaN(swing)) continue;
    swings += swing * swing;
    weeks += 1;
  }
  if (weeks < 8) return uplift;
  const usualSwing = Math.sqrt(swings / weeks);

  for (let kind = 1; kind < DAY_KINDS.length; kind += 1) {
    const ofKind = days.filter((day) => kindOfDay(calendar, day) === kind);
    const [first, last] = [ofKind[0], ofKind.at(-1)];
    if (first === undefined || last === undefined) continue;
    const effect = ratioOf(first, last, (day) => kindOfDay(calendar, day) === kind) - ordinaryAround(first, last);
    if (Number.isNaN(effect)) continue;
    const doubt = STANDING_OUT * usualSwing * Math.sqrt(7 / Math.max(1, Math.min(7, ofKind.length)));
    const believed = Math.sign(effect) * Math.max(0, Math.abs(effect) - doubt);
    uplift[kind] = Math.min(MOST_UPLIFT, Math.max(1 / MOST_UPLIFT, Math.exp(believed)));
  }
  return uplift;
}
