import type { DemandCalendar } from './calendar.ts';
import type { DemandClass } from './demand-class.ts';
import type { PromotionOdds } from './promotion-episodes.ts';

/** Demand of one SKU, a number for each day from `firstDay` to the day before the forecast begins. */
export type DemandHistory = {
  /** YYYY-MM-DD, a day of the shop; there are no hours and no zones in here. */
  firstDay: string;
  /** NaN (or any other value that is no amount) is a day of which nothing is known, as when the shop was closed. */
  quantities: ArrayLike<number>;
  /** NaN where there was none; only used where the prices of the days to come are given. */
  unitPrices?: ArrayLike<number>;
  /** Above zero: the SKU was promoted that day. Where those to come are not given, their chance is taken from how episodes came and went. */
  promotions?: ArrayLike<number | boolean>;
  /** Days that are known to have been without stock. */
  stockoutDays?: ArrayLike<number | boolean>;
  /** For the days of the forecast, when they are known. */
  futurePrices?: ArrayLike<number>;
  futurePromotions?: ArrayLike<number | boolean>;
};

/** What all SKUs of a shop have in common; a SKU with little history borrows from it. */
export type PooledProfile = {
  /** Sunday first, mean 1 over the week. */
  weekday: Float64Array;
  /** By day kind of the calendar; 1 where nothing is known or nothing stands out. */
  dayKindUplift: Float64Array;
  /** How many times as much a promoted day sells. */
  promotionUplift: number;
  /** How likely a promotion is to go on or to come, by how long it has been on or over. */
  promotionOdds?: PromotionOdds;
  /** By day from `firstEpochDay` on, how the whole shop sold then over how it sells now: what grows with the shop is no news of a SKU. */
  shopLevel: { firstEpochDay: number; overNow: Float64Array };
};

export type ForecastOptions = {
  /** Days to forecast. */
  horizon: number;
  pooled?: PooledProfile;
  /** Stretches of the past that are replayed as possible futures. */
  pathCount?: number;
};

/** Futures of equal likelihood, one after the other: `values[path * horizon + day]`. */
export type DemandPaths = { count: number; horizon: number; values: Float64Array };

export type Backtest = {
  /** Absolute error of the sums of weeks over their demand, in the last weeks of the history; null when nothing was sold in them. */
  wape: number | null;
  /** Absolute error of days over that of repeating the week before. */
  mase: number | null;
  weeks: number;
};

export type DemandForecast = {
  /** YYYY-MM-DD, the day after the history. */
  firstDay: string;
  horizon: number;
  demandClass: DemandClass;
  /** In words for people, as `level, weekday, replay`. */
  method: string;
  mean: Float64Array;
  /** The same if demand were at its usual level, neither in a burst nor in a lull. */
  usualMean: Float64Array;
  /** One row a level of `QUANTILE_LEVELS`, one number a day; never negative, never falling from one level to the next. */
  quantiles: Float64Array[];
  paths: DemandPaths;
  /** Sunday first, mean 1. */
  weekdayProfile: Float64Array;
  /** A usual day now, and how it was a month before: what a trend is made from. */
  dailyLevel: number;
  dailyLevelMonthAgo: number;
  /** Days with a known amount, and days with a sale, that the forecast stands on. */
  knownDays: number;
  saleDays: number;
  maskedStockoutDays: number;
  backtest: Backtest;
};

export type { DemandCalendar };
