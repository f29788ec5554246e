import { median } from '../frame/figures.ts';
import { openEngine } from './engine.ts';
import type { DataSet } from './read-data.ts';

/** Milliseconds for one SKU, 365 days, horizon 14, on one core: the median over SKUs and rounds, once compiled. */
export function measureSpeedMs(sets: DataSet[]): number {
  const times: number[] = [];
  for (const set of sets) {
    const now = openEngine(set, 365).at(set.dayCount);
    const skus = set.series.slice(0, 200);
    for (let round = 0; round < 6; round += 1) {
      for (const series of skus) {
        const start = performance.now();
        now.forecast(series, 14);
        if (round > 1) times.push(performance.now() - start);
      }
    }
  }
  return median(times);
}
