import { sumQuantile } from '../../src/modules/analytics/forecast/index.ts';
import type { Baseline, Said } from './baseline.ts';
import { openEngine } from './engine.ts';
import { autoEts } from './ets.ts';
import { adida, sba, tsb } from './intermittent.ts';
import { lateOrigins } from './origins.ts';
import type { DataSet, Series } from './read-data.ts';
import { type Figures, Score, scalesOf } from './score.ts';
import { seasonalNaive } from './seasonal-naive.ts';

/** From the first sale to the origin; of a short history, half of it. */
const LEAST_DAYS = 28;
const LEAST_SALES = 3;

const BASELINES: Record<string, Baseline> = {
  'seasonal naive': seasonalNaive,
  AutoETS: autoEts,
  SBA: sba,
  TSB: tsb,
  ADIDA: adida,
};

export type Comparison = {
  dataSet: string;
  horizon: number;
  historyDays: number;
  origins: number;
  methods: Record<string, Figures>;
  byClass: Record<string, Record<string, Figures>>;
};

export function compareMethods(
  set: DataSet,
  { horizon, historyDays, mostSkus }: { horizon: number; historyDays: number; mostSkus: number },
): Comparison {
  const scores = new Map<string, Score>();
  const engine = openEngine(set, historyDays);
  const origins = lateOrigins(set.dayCount, horizon);
  for (const origin of origins) {
    const now = engine.at(origin);
    for (const series of sampleOf(set.series, mostSkus)) {
      const history = historyFromFirstSale(series, origin, historyDays);
      const scales = history === undefined ? undefined : scalesOf(history);
      if (history === undefined || scales === undefined) continue;
      const actual = demandOf(series, origin, horizon);
      const own = now.forecast(series, horizon);
      const add = (method: string, said: Said, sum?: number) => {
        for (const key of [method, `${own.demandClass}/${method}`]) {
          const score = scores.get(key) ?? new Score();
          scores.set(key, score);
          score.add(said, actual, scales, sum);
        }
      };
      add('Dukkan', own);
      add('Dukkan, median of the sum', own, sumQuantile(own.paths, horizon, 0.5));
      if (series.promotions) add('Dukkan, promotions known', now.forecastKnowingPromotions(series, horizon));
      for (const [name, baseline] of Object.entries(BASELINES)) {
        const said = baseline(history, horizon);
        add(name, said);
        if (name === 'AutoETS') add('AutoETS, clipped', clipped(said));
      }
    }
  }
  const methods: Comparison['methods'] = {};
  const byClass: Comparison['byClass'] = {};
  for (const [key, score] of scores) {
    const [first, second] = key.split('/') as [string, string | undefined];
    if (second === undefined) methods[first] = score.figures;
    else byClass[first] = { ...byClass[first], [second]: score.figures };
  }
  return { dataSet: set.name, horizon, historyDays, origins: origins.length, methods, byClass };
}

/** At even steps through the file, so that the same ones are taken every time. */
export function sampleOf(series: Series[], most: number): Series[] {
  if (series.length <= most) return series;
  return Array.from({ length: most }, (_, i) => series[Math.floor((i * series.length) / most)] as Series);
}

export function historyFromFirstSale(series: Series, origin: number, historyDays: number): Float64Array | undefined {
  const history = series.quantities.subarray(Math.max(0, origin - historyDays), origin);
  const first = history.findIndex((value) => value > 0);
  if (first < 0 || history.length - first < Math.min(LEAST_DAYS, historyDays / 2)) return undefined;
  const fromFirst = history.subarray(first);
  return fromFirst.filter((value) => value > 0).length < LEAST_SALES ? undefined : fromFirst;
}

/** What was sold from an empty shelf is not demand, so those days are not scored. */
function demandOf(series: Series, origin: number, horizon: number): Float64Array {
  const actual = series.quantities.slice(origin, origin + horizon);
  if (series.stockoutDays) {
    for (let day = 0; day < horizon; day += 1) if (series.stockoutDays[origin + day]) actual[day] = Number.NaN;
  }
  return actual;
}

function clipped({ mean, quantiles }: Said): Said {
  const clip = (values: Float64Array) => values.map((value) => Math.max(0, value));
  return { mean: clip(mean), quantiles: quantiles?.map(clip) };
}
