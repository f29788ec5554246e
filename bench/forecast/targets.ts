import type { Comparison } from './compare.ts';
import type { InventoryComparison } from './inventory.ts';

export type Target = { name: string; found: number; least?: number; most: number; stretch?: number };

const MEAN_RIVALS = ['AutoETS, clipped', 'SBA', 'TSB', 'ADIDA'];

/** Over the comparisons on a year of history; ratios are combined as geometric means, so no data set outweighs another. */
export function judge(comparisons: Comparison[], inventory: InventoryComparison[], speedMs: number): Target[] {
  const year = comparisons.filter(({ historyDays }) => historyDays === 365);
  const fortnight = year.filter(({ horizon }) => horizon === 14);
  const sqlAgainst = (rival: string) =>
    geometricMean(year.map(({ methods }) => sqlOf(methods.Dukkan) / sqlOf(methods[rival])));
  const againstBest = (among: Comparison[], measure: 'rmsse' | 'sumWape') =>
    geometricMean(
      among.map(({ methods }) => {
        const best = Math.min(...MEAN_RIVALS.map((rival) => methods[rival]?.[measure] ?? Number.POSITIVE_INFINITY));
        return (methods.Dukkan?.[measure] ?? Number.NaN) / best;
      }),
    );
  const pasta = year.find(({ dataSet, horizon }) => dataSet === 'pasta' && horizon === 28);
  return [
    { name: 'SQL over seasonal naive', found: sqlAgainst('seasonal naive'), most: 0.6, stretch: 0.57 },
    { name: 'SQL over AutoETS, clipped', found: sqlAgainst('AutoETS, clipped'), most: 0.87, stretch: 0.82 },
    ...(pasta
      ? [{ name: 'SQL, pasta, horizon 28', found: sqlOf(pasta.methods.Dukkan), most: 0.565, stretch: 0.55 }]
      : []),
    {
      name: 'RMSSE of the mean over the best of ETS, SBA, TSB, ADIDA',
      found: againstBest(year, 'rmsse'),
      most: 0.98,
      stretch: 0.96,
    },
    {
      name: 'WAPE of the 14-day sum over the best of the same',
      found: againstBest(fortnight, 'sumWape'),
      most: 0.97,
      stretch: 0.94,
    },
    ...year.map(({ dataSet, horizon, methods }) => ({
      name: `80 % interval, ${dataSet}, horizon ${horizon}`,
      found: methods.Dukkan?.coverage80 ?? Number.NaN,
      least: 0.78,
      most: 0.84,
    })),
    { name: 'one SKU, 365 days, horizon 14, ms', found: speedMs, most: 1, stretch: 0.3 },
    {
      // Over both ways of counting and every share that both rules reach, not the best of them.
      name: 'stock held at the same share served, over the rule by hand',
      found: geometricMean(inventory.map(stockRatio).filter(Number.isFinite)),
      most: 0.85,
      stretch: 0.75,
    },
  ];
}

export function isMissed({ found, least = Number.NEGATIVE_INFINITY, most }: Target): boolean {
  return !(found >= least && found <= most);
}

export function formatTarget(target: Target): string {
  const { name, found, least, most, stretch } = target;
  const wanted = least === undefined ? `at most ${most}` : `${least} to ${most}`;
  const verdict = isMissed(target) ? 'short' : stretch !== undefined && found <= stretch ? 'ok, stretch too' : 'ok';
  return `${name.padEnd(58)} ${found.toFixed(3).padStart(7)}  ${wanted}${stretch === undefined ? '' : ` (stretch ${stretch})`}  ${verdict}`;
}

function stockRatio({ compared }: InventoryComparison): number {
  // What the rule by hand never serves has no ratio; what only the forecast never serves is lost by any measure.
  const served = compared.filter(({ handStockDays }) => Number.isFinite(handStockDays));
  return geometricMean(served.map(({ ratio }) => (Number.isFinite(ratio) ? ratio : 2)));
}

function sqlOf(figures: { sql: number | undefined } | undefined): number {
  return figures?.sql ?? Number.NaN;
}

function geometricMean(ratios: number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
