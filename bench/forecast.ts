import { fileURLToPath } from 'node:url';
import { compareMethods } from './forecast/compare.ts';
import { simulateInventory } from './forecast/inventory.ts';
import { readDataSets } from './forecast/read-data.ts';
import { measureSpeedMs } from './forecast/speed.ts';
import { formatComparison, formatInventory } from './forecast/table.ts';
import { formatTarget, isMissed, judge } from './forecast/targets.ts';
import { defineReport } from './frame/define-report.ts';

const OWN_DATA = fileURLToPath(new URL('../../shared/forecast-data', import.meta.url));
/** AutoETS takes some 10 ms a forecast, so larger files are measured on a sample, at even steps through them. */
const MOST_SKUS = { full: 300, quick: 30 };

export default defineReport('forecast', async ({ quick, data }, onProgress) => {
  const sets = await readDataSets(data ?? OWN_DATA);
  const mostSkus = quick ? MOST_SKUS.quick : MOST_SKUS.full;
  const settings = [
    { horizon: 14, historyDays: 365 },
    { horizon: 28, historyDays: 365 },
    ...(quick ? [] : [28, 90].map((historyDays) => ({ horizon: 14, historyDays }))),
  ];
  onProgress('speed');
  const speedMs = measureSpeedMs(sets);
  const comparisons = [];
  for (const set of sets) {
    for (const setting of settings) {
      onProgress(`${set.name}, horizon ${setting.horizon}, history ${setting.historyDays}`);
      comparisons.push(compareMethods(set, { ...setting, mostSkus }));
    }
  }
  onProgress('inventory');
  const inventory = sets.map((set) => simulateInventory(set, mostSkus));
  onProgress('');
  const targets = judge(comparisons, inventory, speedMs);
  const text = [
    ...comparisons.map(formatComparison),
    '',
    ...inventory.map(formatInventory),
    '',
    ...targets.map(formatTarget),
  ].join('\n');
  return {
    text,
    figures: { speedMs, targets, comparisons, inventory },
    misses: targets.filter(isMissed).map(({ name }) => `short: ${name}`),
  };
});
