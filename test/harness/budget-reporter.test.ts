import { expect, test } from 'vitest';
import { budgetTable, sumByArea } from './budget-reporter.ts';

const times = [
  { file: 'src/modules/orders/orders.test.ts', seconds: 10, cpuSeconds: 5 },
  { file: 'src/modules/orders/sql/counts.test.ts', seconds: 5, cpuSeconds: 2.5 },
  { file: 'src/platform/http/paging.test.ts', seconds: 2, cpuSeconds: 1 },
  { file: 'src/platform/clock.test.ts', seconds: 0.5, cpuSeconds: 0.25 },
  { file: 'src/cli/import-products.test.ts', seconds: 20, cpuSeconds: 10 },
  { file: 'src/server.test.ts', seconds: 1, cpuSeconds: 0.5 },
  { file: 'test/fuzz/fuzz.test.ts', seconds: 3, cpuSeconds: 1.5 },
  { file: 'test/scripts.test.ts', seconds: 4, cpuSeconds: 2 },
];

test('each part of the project has one line, the dearest first', () => {
  expect(sumByArea(times)).toEqual([
    { area: 'src/cli', seconds: 20, cpuSeconds: 10, files: 1 },
    { area: 'src/modules/orders', seconds: 15, cpuSeconds: 7.5, files: 2 },
    { area: 'test', seconds: 4, cpuSeconds: 2, files: 1 },
    { area: 'test/fuzz', seconds: 3, cpuSeconds: 1.5, files: 1 },
    { area: 'src/platform/http', seconds: 2, cpuSeconds: 1, files: 1 },
    { area: 'src', seconds: 1, cpuSeconds: 0.5, files: 1 },
    { area: 'src/platform', seconds: 0.5, cpuSeconds: 0.25, files: 1 },
  ]);
});

test('the table names the slowest file, and says when the whole is over the budget', () => {
  const areas = sumByArea(times);
  expect(budgetTable(areas, times, 30)).toMatch(
    / 45\.5 s +22\.8 s CPU {2}in 30 s of 300 s; slowest: src\/cli\/import-products.test.ts 20.0 s\n$/,
  );
  expect(budgetTable(areas, times, 30)).toContain('     15.0 s   33 %     7.5 s CPU  src/modules/orders (2)\n');
  expect(budgetTable(areas, times, 301)).toContain('in 301 s: OVER the budget of 300 s');
});
