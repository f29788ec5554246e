import { sumQuantile } from './path-sums.ts';
import type { DemandForecast } from './types.ts';

/**
 * At the height of a burst the sum over the lead time asks for a stock that arrives when the burst is over, and then lies for
 * as long as the burst was high. So stock follows demand above the usual one only by its square root. On early origins, stock for
 * the same share served, over the rule by hand, by exponent 0, 0.5 and 0.75 of usual over present demand: pasta 0.88, 0.79, 0.79,
 * online_retail 0.351, 0.345, 0.357. What is known to come (a feast, a promotion given) is in both and not held back.
 */
const BURST_EXPONENT = 0.5;

export type OrderLevels = {
  /** What the stock has to last for until a delivery ordered now is there. */
  untilDelivery: number;
  /** What is sold in `coverDays` days after that. */
  afterDelivery: number;
};

/**
 * The quantile of the sum until the delivery, and the mean of the days that the delivery is meant to last. Those begin after the
 * lead time: counted from today, a burst would be ordered for twice.
 */
export function orderLevels(
  forecast: DemandForecast,
  { leadTimeDays, serviceLevel, coverDays, orderDay = 0 }: OrderTerms,
): OrderLevels {
  // Stock is looked at once a day: what is seen in the morning has to last through that day and the lead time.
  const protectedDays = leadTimeDays + 1;
  const held = heldBack(forecast, protectedDays);
  return {
    untilDelivery: held * sumQuantile(forecast.paths, protectedDays, serviceLevel),
    afterDelivery: held * meanSum(forecast, orderDay + protectedDays, coverDays),
  };
}

export type OrderTerms = { leadTimeDays: number; serviceLevel: number; coverDays: number; orderDay?: number };

/** 1 where demand is as usual or less. */
function heldBack({ mean, usualMean, horizon }: DemandForecast, days: number): number {
  let [now, usual] = [0, 0];
  for (let day = 0; day < Math.min(days, horizon); day += 1) {
    now += mean[day] as number;
    usual += usualMean[day] as number;
  }
  return now > usual && usual > 0 ? (usual / now) ** BURST_EXPONENT : 1;
}

/** Days beyond the horizon go on as its last week. */
function meanSum({ mean, horizon }: DemandForecast, from: number, days: number): number {
  let [lastWeek, sum] = [0, 0];
  const weekFrom = Math.max(0, horizon - 7);
  for (let day = weekFrom; day < horizon; day += 1) lastWeek += (mean[day] as number) / (horizon - weekFrom);
  const within = Math.min(horizon, Math.floor(from + days));
  for (let day = from; day < within; day += 1) sum += mean[day] as number;
  return sum + Math.max(0, from + days - Math.max(from, within)) * lastWeek;
}
