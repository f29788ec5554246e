import type { DemandPaths } from './types.ts';

/** Sums of the first `days` of every path, ascending. Days beyond the horizon go on at each path's own pace. */
export function sortedPathSums(paths: DemandPaths, days: number): Float64Array {
  const sums = new Float64Array(paths.count);
  const within = Math.min(days, paths.horizon);
  const stretch = within > 0 ? days / within : 0;
  for (let path = 0; path < paths.count; path += 1) {
    let sum = 0;
    for (let day = 0; day < within; day += 1) sum += paths.values[path * paths.horizon + day] as number;
    sums[path] = sum * stretch;
  }
  return sums.sort();
}

/** Between the values it falls among; 0 of nothing. */
export function quantileOfSorted(sorted: Float64Array, level: number): number {
  if (sorted.length === 0) return 0;
  const at = Math.min(sorted.length - 1, Math.max(0, level * sorted.length - 0.5));
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return below + (above - below) * (at - Math.floor(at));
}

const TAIL_LEVEL = 0.95;

/**
 * Demand over `days` days that is exceeded only with a chance of 1 - `level`. Beyond 0.95 a few paths would decide, and none
 * goes beyond what was seen: from there on the mean excess of the highest twentieth goes on as an exponential tail.
 */
export function sumQuantile(paths: DemandPaths, days: number, level: number): number {
  const sums = sortedPathSums(paths, days);
  if (!(level > TAIL_LEVEL) || sums.length === 0) return quantileOfSorted(sums, level);
  const threshold = quantileOfSorted(sums, TAIL_LEVEL);
  let [excess, beyond] = [0, 0];
  for (let i = sums.length - 1; i >= 0 && (sums[i] as number) > threshold; i -= 1) {
    excess += (sums[i] as number) - threshold;
    beyond += 1;
  }
  if (beyond === 0) return threshold;
  return threshold + (excess / beyond) * Math.log((1 - TAIL_LEVEL) / Math.max(1e-4, 1 - level));
}
