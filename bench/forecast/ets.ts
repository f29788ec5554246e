import { type Baseline, bridgeClosedDays, NORMAL_QUANTILES, normalQuantiles, type Said } from './baseline.ts';
import { nelderMead } from './nelder-mead.ts';

/**
 * Exponential smoothing by Hyndman, Koehler, Ord and Snyder: error additive or multiplicative, trend none, additive or
 * damped, season none, additive or multiplicative, chosen by AICc. As in R and statsforecast, multiplicative models are tried
 * on data without zeros only, and an additive error never with a multiplicative season. Smoothing parameters, level and trend
 * are found by Nelder and Mead's simplex; the seasonal states start from the decomposition of the first weeks.
 */
type Model = { error: 'A' | 'M'; trend: 'N' | 'A' | 'D'; season: 'N' | 'A' | 'M' };

type Fit = { model: Model; point: Float64Array; aicc: number; variance: number; states: States };
type States = { level: number; trend: number; season: Float64Array };

const PERIOD = 7;
const EVALUATIONS = 400;
const SIMULATED_PATHS = 400;

function modelsFor(isPositive: boolean, hasSeason: boolean): Model[] {
  const models: Model[] = [];
  for (const error of isPositive ? (['A', 'M'] as const) : (['A'] as const)) {
    for (const trend of ['N', 'A', 'D'] as const) {
      for (const season of ['N', 'A', 'M'] as const) {
        if (season !== 'N' && !hasSeason) continue;
        if (season === 'M' && error === 'A') continue;
        models.push({ error, trend, season });
      }
    }
  }
  return models;
}

/** Before clipping at zero. */
export const autoEts: Baseline = (history, horizon) => {
  const series = bridgeClosedDays(history);
  const isPositive = series.every((value) => value > 0);
  let best: Fit | undefined;
  for (const model of modelsFor(isPositive, series.length >= 2 * PERIOD)) {
    const fit = fitModel(series, model);
    if (fit !== undefined && (best === undefined || fit.aicc < best.aicc)) best = fit;
  }
  if (best === undefined) {
    const mean = new Float64Array(horizon).fill(series.reduce((sum, value) => sum + value, 0) / series.length || 0);
    return { mean, quantiles: normalQuantiles(mean, () => 0) };
  }
  return best.model.error === 'A' ? additiveForecast(best, horizon) : simulatedForecast(best, horizon);
};

/** Parameters in order: alpha, then beta, gamma, phi where the model has them, then the first level and trend. */
function readPoint(model: Model, point: Float64Array) {
  let at = 0;
  const alpha = point[at++] as number;
  const beta = model.trend === 'N' ? 0 : (point[at++] as number);
  const gamma = model.season === 'N' ? 0 : (point[at++] as number);
  const phi = model.trend === 'D' ? (point[at++] as number) : 1;
  const level = point[at++] as number;
  const trend = model.trend === 'N' ? 0 : (point[at] as number);
  return { alpha, beta, gamma, phi, level, trend };
}

function fitModel(series: Float64Array, model: Model): Fit | undefined {
  const season = firstSeason(series, model.season);
  const { level, trend } = firstLevel(series, season, model);
  const scale = Math.abs(level) + 1e-6;
  const hasTrend = model.trend !== 'N';
  const start = [
    0.1,
    ...(hasTrend ? [0.01] : []),
    ...(model.season === 'N' ? [] : [0.01]),
    ...(model.trend === 'D' ? [0.95] : []),
  ];
  const steps = [
    0.15,
    ...(hasTrend ? [0.02] : []),
    ...(model.season === 'N' ? [] : [0.05]),
    ...(model.trend === 'D' ? [0.02] : []),
  ];
  start.push(level, ...(hasTrend ? [trend] : []));
  steps.push(0.2 * scale, ...(hasTrend ? [0.01 * scale] : []));
  const states: States = { level: 0, trend: 0, season: new Float64Array(PERIOD) };
  const { point, value } = nelderMead((tried) => likelihood(series, model, tried, season, states), start, steps, {
    evaluations: EVALUATIONS,
    tolerance: 1e-6,
  });
  if (!Number.isFinite(value)) return undefined;
  likelihood(series, model, point, season, states);
  const count = series.length;
  const parameters = start.length + (model.season === 'N' ? 0 : PERIOD - 1) + 1;
  if (count - parameters - 1 <= 0) return undefined;
  const aicc = value + 2 * parameters + (2 * parameters * (parameters + 1)) / (count - parameters - 1);
  const degrees = Math.max(1, count - (parameters - 1));
  return {
    model,
    point,
    aicc,
    variance: squaredErrors / degrees,
    states: { ...states, season: states.season.slice() },
  };
}

/** Of the last call of `likelihood`, relative ones where errors are. */
let squaredErrors = 0;

/** -2 log L up to a constant; Infinity outside of the bounds. `states` are left at the end of the series. */
function likelihood(
  series: Float64Array,
  model: Model,
  point: Float64Array,
  season: Float64Array,
  states: States,
): number {
  const { alpha, beta, gamma, phi, level: firstLevelValue, trend: firstTrend } = readPoint(model, point);
  if (!(alpha > 1e-4 && alpha < 0.9999)) return Number.POSITIVE_INFINITY;
  if (model.trend !== 'N' && !(beta > 1e-4 && beta < alpha)) return Number.POSITIVE_INFINITY;
  if (model.season !== 'N' && !(gamma > 1e-4 && gamma < 1 - alpha)) return Number.POSITIVE_INFINITY;
  if (model.trend === 'D' && !(phi > 0.8 && phi < 0.98)) return Number.POSITIVE_INFINITY;
  let level = firstLevelValue;
  let trend = firstTrend;
  const seasonal = states.season;
  seasonal.set(season);
  const isRelative = model.error === 'M';
  const kind = model.season;
  let squares = 0;
  let logs = 0;
  for (let i = 0, at = 0; i < series.length; i += 1, at = at === PERIOD - 1 ? 0 : at + 1) {
    const value = series[i] as number;
    const base = level + phi * trend;
    const factor = seasonal[at] as number;
    const expected = kind === 'N' ? base : kind === 'A' ? base + factor : base * factor;
    const error = value - expected;
    if (isRelative) {
      if (!(expected > 1e-9) || !(base > 1e-9)) return Number.POSITIVE_INFINITY;
      const relative = error / expected;
      squares += relative * relative;
      logs += Math.log(expected);
      const step = kind === 'A' ? expected * relative : base * relative;
      level = base + alpha * step;
      trend = phi * trend + beta * step;
      if (kind === 'A') seasonal[at] = factor + gamma * expected * relative;
      if (kind === 'M') seasonal[at] = factor * (1 + gamma * relative);
    } else {
      squares += error * error;
      level = base + alpha * error;
      trend = phi * trend + beta * error;
      if (kind === 'A') seasonal[at] = factor + gamma * error;
    }
  }
  states.level = level;
  states.trend = trend;
  squaredErrors = squares;
  // The season of the next day comes first.
  rotate(seasonal, series.length % PERIOD);
  if (!(squares > 0)) return squares === 0 ? -1e9 : Number.POSITIVE_INFINITY;
  return series.length * Math.log(squares) + 2 * logs;
}

function rotate(season: Float64Array, by: number): void {
  if (by === 0) return;
  const head = season.slice(0, by);
  season.copyWithin(0, by);
  season.set(head, PERIOD - by);
}

/** Against the mean of the week around each day, as R's initial decomposition; over at most 12 weeks. */
function firstSeason(series: Float64Array, kind: Model['season']): Float64Array {
  const season = new Float64Array(PERIOD).fill(kind === 'M' ? 1 : 0);
  if (kind === 'N') return season;
  const [sums, counts] = [new Float64Array(PERIOD), new Float64Array(PERIOD)];
  for (let i = 3; i < Math.min(series.length - 3, 12 * PERIOD); i += 1) {
    let around = 0;
    for (let k = i - 3; k <= i + 3; k += 1) around += (series[k] as number) / PERIOD;
    const value = kind === 'M' ? (series[i] as number) / around : (series[i] as number) - around;
    (sums[i % PERIOD] as number) += value;
    (counts[i % PERIOD] as number) += 1;
  }
  let total = 0;
  for (let at = 0; at < PERIOD; at += 1) {
    season[at] = (sums[at] as number) / Math.max(1, counts[at] as number);
    total += season[at] as number;
  }
  for (let at = 0; at < PERIOD; at += 1) {
    if (kind === 'M') season[at] = Math.max(0.01, ((season[at] as number) * PERIOD) / total);
    else (season[at] as number) -= total / PERIOD;
  }
  return season;
}

/** A line through the first ten days, freed of their season. */
function firstLevel(series: Float64Array, season: Float64Array, model: Model): { level: number; trend: number } {
  const count = Math.min(Math.max(10, 2 * PERIOD), series.length);
  let [sumX, sumY, sumXY, sumXX] = [0, 0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    const factor = season[i % PERIOD] as number;
    const value =
      model.season === 'M'
        ? (series[i] as number) / factor
        : (series[i] as number) - (model.season === 'A' ? factor : 0);
    sumX += i + 1;
    sumY += value;
    sumXY += (i + 1) * value;
    sumXX += (i + 1) * (i + 1);
  }
  if (model.trend === 'N') return { level: sumY / count, trend: 0 };
  const trend = (count * sumXY - sumX * sumY) / (count * sumXX - sumX * sumX || 1);
  const level = (sumY - trend * sumX) / count;
  return { level: model.error === 'M' ? Math.max(1e-3, level) : level, trend };
}

function additiveForecast({ model, point, variance, states }: Fit, horizon: number): Said {
  const { alpha, beta, gamma, phi } = readPoint(model, point);
  const mean = new Float64Array(horizon);
  const deviation = new Float64Array(horizon);
  let [damped, power, spread] = [0, 1, 1];
  for (let day = 0; day < horizon; day += 1) {
    power *= phi;
    damped += power;
    mean[day] =
      states.level + damped * states.trend + (model.season === 'A' ? (states.season[day % PERIOD] as number) : 0);
    deviation[day] = Math.sqrt(variance * spread);
    const weight = alpha + beta * damped + ((day + 1) % PERIOD === 0 ? gamma : 0);
    spread += weight * weight;
  }
  return { mean, quantiles: normalQuantiles(mean, (day) => deviation[day] as number) };
}

/** With multiplicative errors there is no formula for all models; paths with a fixed seed stand in, as in R. */
function simulatedForecast({ model, point, variance, states }: Fit, horizon: number): Said {
  const { alpha, beta, gamma, phi } = readPoint(model, point);
  const draw = normalDraws(12_345);
  const days = Array.from({ length: horizon }, () => new Float64Array(SIMULATED_PATHS));
  const season = new Float64Array(PERIOD);
  for (let path = 0; path < SIMULATED_PATHS; path += 1) {
    let { level, trend } = states;
    season.set(states.season);
    for (let day = 0; day < horizon; day += 1) {
      const at = day % PERIOD;
      const base = level + phi * trend;
      const factor = season[at] as number;
      const expected = Math.max(
        1e-9,
        model.season === 'N' ? base : model.season === 'A' ? base + factor : base * factor,
      );
      const relative = Math.max(-0.999, draw() * Math.sqrt(variance));
      (days[day] as Float64Array)[path] = expected * (1 + relative);
      const step = model.season === 'A' ? expected * relative : base * relative;
      level = Math.max(1e-9, base + alpha * step);
      trend = phi * trend + beta * step;
      if (model.season === 'A') season[at] = factor + gamma * expected * relative;
      if (model.season === 'M') season[at] = factor * (1 + gamma * relative);
    }
  }
  const mean = Float64Array.from(days, (values) => values.reduce((sum, value) => sum + value, 0) / SIMULATED_PATHS);
  const levels = [0.025, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.975];
  for (const values of days) values.sort();
  const quantiles = NORMAL_QUANTILES.map((_, q) =>
    Float64Array.from(days, (values) => values[Math.floor((levels[q] as number) * (SIMULATED_PATHS - 1))] as number),
  );
  return { mean, quantiles };
}

function normalDraws(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 4_294_967_296;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
