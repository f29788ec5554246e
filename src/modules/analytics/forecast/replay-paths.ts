import type { DemandPaths } from './types.ts';

/**
 * Futures are past stretches played again, at today's weekdays and mean: a stretch keeps its bursts and lulls together, so a
 * sum over a lead time is as wide as sums were. Days drawn one by one would average bursts away, and z times sigma more so.
 *
 * `weights` say how likely a stretch is that begins on that day; stretches that reach the end go on at the beginning.
 * They are drawn at even steps through the weights, so the same history gives the same paths, with no dice.
 */
export function replayPaths(
  values: Float64Array,
  weights: Float64Array,
  mean: Float64Array,
  pathCount: number,
): DemandPaths {
  const horizon = mean.length;
  const paths = { count: pathCount, horizon, values: new Float64Array(pathCount * horizon) };
  if (values.length === 0) return paths;
  let start = 0;
  let passed = weights[0] as number;
  for (let path = 0; path < pathCount; path += 1) {
    const wanted = (path + 0.5) / pathCount;
    while (passed < wanted && start < values.length - 1) {
      start += 1;
      passed += weights[start] as number;
    }
    for (let day = 0, at = start; day < horizon; day += 1, at = at + 1 === values.length ? 0 : at + 1) {
      paths.values[path * horizon + day] = values[at] as number;
    }
  }
  matchMeans(paths, mean);
  return paths;
}

function matchMeans(paths: DemandPaths, mean: Float64Array): void {
  const { count, horizon, values } = paths;
  for (let day = 0; day < horizon; day += 1) {
    let sum = 0;
    for (let path = 0; path < count; path += 1) sum += values[path * horizon + day] as number;
    if (sum > 0) {
      const factor = ((mean[day] as number) * count) / sum;
      for (let path = 0; path < count; path += 1) (values[path * horizon + day] as number) *= factor;
    } else {
      // No stretch sold on this day, the mean says otherwise: spread evenly rather than lost.
      for (let path = 0; path < count; path += 1) values[path * horizon + day] = mean[day] as number;
    }
  }
}
