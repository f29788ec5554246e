import type { Backtest } from './types.ts';

const MOST_WEEKS = 8;

/**
 * What the same levels would have said of the last weeks, each from the day before it. `values` are amounts over their
 * `factors` (weekday and the like); the factors are those of today, which flatters a little.
 */
export function backtestLevels(
  values: Float64Array,
  factors: Float64Array,
  levels: Float64Array[],
  shares: readonly number[],
): Backtest {
  const weeks = Math.min(MOST_WEEKS, Math.floor(values.length / 7) - 1);
  if (weeks < 1) return { wape: null, mase: null, weeks: 0 };
  let shareSum = 0;
  for (let k = 0; k < levels.length; k += 1) shareSum += shares[k] as number;
  let [weekError, sold, dayError, repeatError] = [0, 0, 0, 0];
  for (let week = 1; week <= weeks; week += 1) {
    const start = values.length - 7 * week;
    let level = 0;
    for (let k = 0; k < levels.length; k += 1) {
      level += ((shares[k] as number) / shareSum) * (levels[k]?.[start] as number);
    }
    let difference = 0;
    for (let i = start; i < start + 7; i += 1) {
      const factor = factors[i] as number;
      const actual = (values[i] as number) * factor;
      difference += actual - level * factor;
      dayError += Math.abs(actual - level * factor);
      repeatError += Math.abs(actual - (values[i - 7] as number) * (factors[i - 7] as number));
      sold += actual;
    }
    weekError += Math.abs(difference);
  }
  return {
    wape: sold > 0 ? weekError / sold : null,
    mase: repeatError > 0 ? dayError / repeatError : null,
    weeks,
  };
}
