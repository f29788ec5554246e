import type { Baseline } from './baseline.ts';

const known = (history: Float64Array) => history.filter((value) => !Number.isNaN(value));
const flat = (value: number, horizon: number) => ({
  mean: new Float64Array(horizon).fill(Math.max(0, value)),
  quantiles: undefined,
});

/** Croston with the correction of Syntetos and Boylan, at the usual rate of 0.1. */
export const sba: Baseline = (history, horizon) => {
  const rate = 0.1;
  let [size, interval, sinceSale] = [Number.NaN, Number.NaN, 1];
  for (const value of known(history)) {
    if (value > 0) {
      size = Number.isNaN(size) ? value : size + rate * (value - size);
      interval = Number.isNaN(interval) ? sinceSale : interval + rate * (sinceSale - interval);
      sinceSale = 1;
    } else sinceSale += 1;
  }
  return flat(Number.isNaN(size) ? 0 : ((1 - rate / 2) * size) / interval, horizon);
};

const TSB_RATES = [0.02, 0.05, 0.1, 0.2, 0.3];

/** Teunter, Syntetos and Babai: the chance of a sale and its size, both rates chosen by the error in the history. */
export const tsb: Baseline = (history, horizon) => {
  const series = known(history);
  const sales = series.filter((value) => value > 0);
  if (sales.length === 0) return flat(0, horizon);
  const firstSize = sales.reduce((sum, value) => sum + value, 0) / sales.length;
  let best = { error: Number.POSITIVE_INFINITY, level: 0 };
  for (const chanceRate of TSB_RATES) {
    for (const sizeRate of TSB_RATES) {
      let [chance, size, error] = [sales.length / series.length, firstSize, 0];
      for (const value of series) {
        error += (value - chance * size) ** 2;
        if (value > 0) {
          size += sizeRate * (value - size);
          chance += chanceRate * (1 - chance);
        } else chance -= chanceRate * chance;
      }
      if (error < best.error) best = { error, level: chance * size };
    }
  }
  return flat(best.level, horizon);
};

/** Nikolopoulos and others: sums over the mean interval between sales, smoothed at the best rate, spread evenly again. */
export const adida: Baseline = (history, horizon) => {
  const series = known(history);
  const saleCount = series.filter((value) => value > 0).length;
  if (saleCount === 0) return flat(0, horizon);
  const width = Math.max(1, Math.round(series.length / saleCount));
  const sums: number[] = [];
  for (let end = series.length; end >= width; end -= width) {
    sums.unshift(series.subarray(end - width, end).reduce((sum, value) => sum + value, 0));
  }
  let best = { error: Number.POSITIVE_INFINITY, level: sums[0] ?? 0 };
  for (let rate = 0.02; rate <= 0.5; rate += 0.02) {
    let [level, error] = [sums[0] ?? 0, 0];
    for (const sum of sums.slice(1)) {
      error += (sum - level) ** 2;
      level += rate * (sum - level);
    }
    if (error < best.error) best = { error, level };
  }
  return flat(best.level / width, horizon);
};
