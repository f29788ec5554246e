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

/** Demand over `days` days that is exceeded only with a chance of 1 - `level`. */
export function sumQuantile(paths: DemandPaths, days: number, level: number): number {
  return quantileOfSorted(sortedPathSums(paths, days), level);
}
