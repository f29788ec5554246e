import { dateOfEpochDay, epochDayOf } from './days.ts';
import { type OrderTerms, orderLevels } from './order-levels.ts';
import type { DemandForecast } from './types.ts';

export type StockSituation = {
  forecast: DemandForecast;
  currentQty: number;
  /** Ordered and not yet there; it counts as stock. */
  incomingQty?: number;
  /** Set by hand: an order is due at this stock even where demand says later. */
  reorderThreshold: number;
  /** Kept on top of what demand asks for. */
  buffer: number;
  leadTimeDays: number;
  /** Chance of lasting until the delivery, as 0.95. */
  serviceLevel: number;
  /** Days that a delivery is meant to last. */
  coverDays?: number;
};

export type StockPlan = {
  /** Whole days that the stock lasts in half of all futures: 0 without stock; null: longer than a year, or nothing is sold. */
  daysOfCover: number | null;
  /** The first day on which half of the futures, and one in ten, have run out. */
  coverP50Date: string | null;
  coverP10Date: string | null;
  /** As `coverP50Date`, where it falls within the horizon. */
  stockoutDate: string | null;
  /** Of running out within the horizon. */
  stockoutProbability: number;
  /** Stock at which an order is due. */
  reorderPoint: number;
  /** Within the horizon, or null; the first day of the forecast when it is due already. */
  suggestedOrderDate: string | null;
  /** 0 where no order is due within the horizon. */
  suggestedOrderQty: number;
};

const DEFAULT_COVER_DAYS = 14;
const LONGEST_COVER_DAYS = 365;

export function planStock(situation: StockSituation): StockPlan {
  const { forecast, reorderThreshold, buffer, serviceLevel, coverDays = DEFAULT_COVER_DAYS } = situation;
  const stock = amount(situation.currentQty) + amount(situation.incomingQty ?? 0);
  const leadTimeDays = Math.max(0, Math.ceil(amount(situation.leadTimeDays)));
  const terms = { leadTimeDays, serviceLevel, coverDays: amount(coverDays) };
  const { untilDelivery } = orderLevels(forecast, terms);
  const reorderPoint = Math.max(Math.ceil(tidy(untilDelivery + amount(buffer))), amount(reorderThreshold));

  const cover = sortedCoverDays(forecast, stock);
  const p50 = coverAt(cover, 0.5);
  const p10 = coverAt(cover, 0.1);
  const orderDay = findOrderDay(forecast, stock, reorderPoint);
  return {
    daysOfCover: p50,
    coverP50Date: dateAfter(forecast, p50),
    coverP10Date: dateAfter(forecast, p10),
    stockoutDate: p50 !== null && p50 < forecast.horizon ? dateAfter(forecast, p50) : null,
    stockoutProbability: shareBelow(cover, forecast.horizon),
    reorderPoint,
    suggestedOrderDate: orderDay === null ? null : dateAfter(forecast, orderDay),
    suggestedOrderQty: orderDay === null ? 0 : orderQty(forecast, stock, reorderPoint, { ...terms, orderDay }),
  };
}

/** Whole days that each future leaves nothing wanting, ascending. Infinite where nothing is sold any more. */
function sortedCoverDays({ paths, mean }: DemandForecast, stock: number): Float64Array {
  const { count, horizon, values } = paths;
  const days = new Float64Array(count);
  // Out of stock is now, whenever the next one is wanted.
  if (stock === 0) return days;
  let meanSum = 0;
  for (let day = 0; day < horizon; day += 1) meanSum += mean[day] as number;
  const meanPace = horizon > 0 ? meanSum / horizon : 0;
  for (let path = 0; path < count; path += 1) {
    let left = stock;
    let day = 0;
    for (; day < horizon; day += 1) {
      const next = left - (values[path * horizon + day] as number);
      if (next < -1e-9 * stock) break;
      left = next;
    }
    // Beyond the horizon every future goes on at the mean pace: a burst does not last.
    days[path] =
      day < horizon
        ? day
        : meanPace > 0
          ? horizon + Math.floor(Math.max(0, left) / meanPace)
          : Number.POSITIVE_INFINITY;
  }
  return days.sort();
}

function coverAt(cover: Float64Array, share: number): number | null {
  const days = cover[Math.min(cover.length - 1, Math.floor(share * cover.length))] ?? Number.POSITIVE_INFINITY;
  return days <= LONGEST_COVER_DAYS ? days : null;
}

function shareBelow(sorted: Float64Array, limit: number): number {
  if (sorted.length === 0) return 0;
  let below = 0;
  while (below < sorted.length && (sorted[below] as number) < limit) below += 1;
  return below / sorted.length;
}

/** The first day that is expected to begin with no more than the reorder point. */
function findOrderDay({ mean, horizon }: DemandForecast, stock: number, reorderPoint: number): number | null {
  if (reorderPoint <= 0) return null;
  let left = stock;
  for (let day = 0; day < horizon; day += 1) {
    if (left <= reorderPoint) return day;
    left -= mean[day] as number;
  }
  return null;
}

/**
 * Up to the reorder point and the days the delivery is meant to last. Caution is in the reorder point already: a cautious
 * quantile of all the days as well held more stock for the same demand served.
 */
function orderQty(
  forecast: DemandForecast,
  stock: number,
  reorderPoint: number,
  terms: OrderTerms & { orderDay: number },
): number {
  let left = stock;
  for (let day = 0; day < terms.orderDay; day += 1) left -= forecast.mean[day] as number;
  const { afterDelivery } = orderLevels(forecast, terms);
  return Math.max(0, Math.ceil(tidy(reorderPoint + afterDelivery - Math.max(0, left))));
}

function dateAfter({ firstDay }: DemandForecast, days: number | null): string | null {
  const epochDay = epochDayOf(firstDay);
  return days === null || !Number.isFinite(epochDay) ? null : dateOfEpochDay(epochDay + days);
}

function amount(value: number): number {
  return value > 0 && value < Number.POSITIVE_INFINITY ? value : 0;
}

/** A sum of thirds may lie a hair above 12; that is no reason to order 13. */
function tidy(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
