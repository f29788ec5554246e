import { backtestLevels, trustInLevels } from './backtest.ts';
import { type DemandCalendar, kindOfDay } from './calendar.ts';
import { fitCovariates } from './covariates.ts';
import { dateOfEpochDay, epochDayOf, weekdayOf } from './days.ts';
import { classifyDemand } from './demand-class.ts';
import { burstStates, LEADS, likenessWeights, mixWeights, recencyWeights } from './lead-weights.ts';
import { trackLevels } from './levels.ts';
import { findEpisodes, SPANS, weighEpisodes } from './promotion-episodes.ts';
import { readHistory } from './read-history.ts';
import { replayPaths } from './replay-paths.ts';
import type { DemandForecast, DemandHistory, ForecastOptions } from './types.ts';
import { CLOSED_WEEKDAY, fitWeekdayProfile } from './weekday-profile.ts';
import { QUANTILE_LEVELS, sortedOrder, weightedQuantiles } from './weighted-quantiles.ts';

const DEFAULT_PATH_COUNT = 200;
const DAYS_OF_A_MONTH = 28;

/** What may be sold on each of the next days, from what was sold before; the same answer for the same question. */
export function forecastDemand(
  history: DemandHistory,
  calendar: DemandCalendar,
  { horizon, pooled, pathCount = DEFAULT_PATH_COUNT }: ForecastOptions,
): DemandForecast {
  const { quantities, firstEpochDay, startsAt, areWhole, maskedStockoutDays } = readHistory(history);
  const nextDay = epochDayOf(history.firstDay) + history.quantities.length;
  const weekdayProfile = fitWeekdayProfile(quantities, firstEpochDay, pooled?.weekday);
  const covariates = fitCovariates(history, startsAt, quantities, pooled);

  // Amounts of open days over what that day's factors explain; closed days are left out, not bridged.
  const values = new Float64Array(quantities.length);
  const factors = new Float64Array(quantities.length);
  const flags = new Uint8Array(quantities.length);
  let dayCount = 0;
  let [sum, saleDays] = [0, 0];
  for (let i = 0; i < quantities.length; i += 1) {
    const quantity = quantities[i] as number;
    const weekdayFactor = weekdayProfile[weekdayOf(firstEpochDay + i)] as number;
    if (!(quantity >= 0) || weekdayFactor < CLOSED_WEEKDAY) continue;
    const kindFactor = pooled?.dayKindUplift[kindOfDay(calendar, firstEpochDay + i)] ?? 1;
    const shopFactor = pooled?.shopLevel.overNow[firstEpochDay + i - pooled.shopLevel.firstEpochDay] ?? 1;
    const factor = weekdayFactor * kindFactor * shopFactor * covariates.pastFactor(i);
    values[dayCount] = quantity / factor;
    factors[dayCount] = factor;
    flags[dayCount] = history.promotions?.[startsAt + i] ? 1 : 0;
    sum += quantity / factor;
    if (quantity > 0) saleDays += 1;
    dayCount += 1;
  }
  const known = values.subarray(0, dayCount);
  const knownFactors = factors.subarray(0, dayCount);
  const overallMean = dayCount > 0 ? sum / dayCount : 0;

  const { levels, burst } = trackLevels(known, overallMean);
  const states = burstStates(burst, levels[1] as Float64Array, overallMean);
  const trust = trustInLevels(known, levels);
  const recency = recencyWeights(dayCount);
  const order = sortedOrder(known);
  const likeness = new Float64Array(dayCount);
  const mixed = new Float64Array(dayCount);
  const weighed = new Float64Array(dayCount);
  const base = new Float64Array(QUANTILE_LEVELS.length);
  const odds = pooled?.promotionOdds;
  const episodes =
    odds !== undefined && history.promotions !== undefined && history.futurePromotions === undefined
      ? findEpisodes(flags.subarray(0, dayCount))
      : undefined;
  const spans: readonly { from: number; to: number }[] = episodes === undefined ? LEADS : SPANS;

  const mean = new Float64Array(horizon);
  const usualMean = new Float64Array(horizon);
  const dailyLevel = levels[1] as Float64Array;
  const quantiles = QUANTILE_LEVELS.map(() => new Float64Array(horizon));
  for (const [at, lead] of LEADS.entries()) {
    if (lead.from >= horizon || overallMean === 0) break;
    const hasLikeness = likenessWeights(states, lead.lagDays, likeness);
    mixWeights(recency[at] as (typeof recency)[number], likeness, hasLikeness, mixed);
    const leadLevel = meanOf(known, levels, trust, hasLikeness ? likeness : undefined, lead.meanShares);
    for (const [span, { from, to }] of spans.entries()) {
      if (from < lead.from || from >= Math.min(lead.to, horizon)) continue;
      let [level, weights] = [leadLevel, mixed];
      if (episodes !== undefined && odds !== undefined) {
        weighEpisodes(mixed, episodes, odds, span, weighed);
        level *= meanRatio(known, weighed, mixed);
        weights = weighed;
      }
      weightedQuantiles(known, weights, order, QUANTILE_LEVELS, base);
      for (let day = from; day < Math.min(to, horizon); day += 1) {
        const factor =
          (weekdayProfile[weekdayOf(nextDay + day)] as number) *
          (pooled?.dayKindUplift[kindOfDay(calendar, nextDay + day)] ?? 1) *
          covariates.futureFactor(day);
        mean[day] = level * factor;
        usualMean[day] = (dailyLevel[dayCount] as number) * factor;
        for (let q = 0; q < base.length; q += 1) {
          const quantile = (base[q] as number) * factor;
          // Where only whole pieces are sold, the quantile is one of them.
          (quantiles[q] as Float64Array)[day] = areWhole ? Math.round(quantile) : quantile;
        }
      }
    }
  }

  const hasLikeness = likenessWeights(states, 0, likeness);
  mixWeights(recency[LEADS.length] as (typeof recency)[number], likeness, hasLikeness, mixed);
  if (episodes !== undefined && odds !== undefined) weighEpisodes(mixed, episodes, odds, 0, weighed);
  return {
    firstDay: Number.isFinite(nextDay) ? dateOfEpochDay(nextDay) : history.firstDay,
    horizon,
    demandClass: classifyDemand(quantities),
    method: covariates.names.length > 0 ? `replay + ${covariates.names.join(' + ')}` : 'replay',
    mean,
    usualMean,
    quantiles,
    paths: replayPaths(known, episodes === undefined ? mixed : weighed, mean, pathCount),
    weekdayProfile,
    dailyLevel: dailyLevel[dayCount] as number,
    dailyLevelMonthAgo: dailyLevel[Math.max(0, dayCount - DAYS_OF_A_MONTH)] as number,
    knownDays: dayCount,
    saleDays,
    maskedStockoutDays,
    backtest: backtestLevels(known, knownFactors, levels, LEADS[3]?.meanShares ?? []),
  };
}

/** How much more a day sells as weighed now than as weighed before. */
function meanRatio(values: Float64Array, now: Float64Array, before: Float64Array): number {
  let [nowSum, beforeSum] = [0, 0];
  for (let i = 0; i < values.length; i += 1) {
    nowSum += (now[i] as number) * (values[i] as number);
    beforeSum += (before[i] as number) * (values[i] as number);
  }
  return beforeSum > 0 ? nowSum / beforeSum : 1;
}

function meanOf(
  values: Float64Array,
  levels: Float64Array[],
  trust: Float64Array,
  likeness: Float64Array | undefined,
  shares: readonly number[],
): number {
  let [level, trusted] = [0, 0];
  for (let k = 0; k < levels.length; k += 1) {
    const share = (shares[k] as number) * (trust[k] as number);
    level += share * (levels[k]?.[values.length] as number);
    trusted += share;
  }
  level /= trusted;
  if (likeness === undefined) return level;
  const likenessShare = shares[levels.length] as number;
  let alike = 0;
  for (let i = 0; i < values.length; i += 1) alike += (likeness[i] as number) * (values[i] as number);
  return (1 - likenessShare) * level + likenessShare * alike;
}
