import { expect, test } from 'vitest';
import { budgetTable, sumByArea } from './budget-reporter.ts';

const times = [
  { file: 'src/modules/orders/orders.test.ts', seconds: 10 },
  { file: 'src/modules/orders/sql/counts.test.ts', seconds: 5 },
  { file: 'src/platform/http/frame.test.ts', seconds: 2 },
  { file: 'src/platform/clock.test.ts', seconds: 0.5 },
  { file: 'src/cli/import-products.test.ts', seconds: 20 },
  { file: 'src/server.test.ts', seconds: 1 },
  { file: 'test/fuzz/fuzz.test.ts', seconds: 3 },
  { file: 'test/scripts.test.ts', seconds: 4 },
];

test('each part of the project has one line, the dearest first', () => {
  expect(sumByArea(times)).toEqual([
    { area: 'src/cli', seconds: 20, files: 1 },
    { area: 'src/modules/orders', seconds: 15, files: 2 },
    { area: 'test', seconds: 4, files: 1 },
    { area: 'test/fuzz', seconds: 3, files: 1 },
    { area: 'src/platform/http', seconds: 2, files: 1 },
    { area: 'src', seconds: 1, files: 1 },
    { area: 'src/platform', seconds: 0.5, files: 1 },
  ]);
});

test('the table names the slowest file, and says when the whole is over the budget', () => {
  const areas = sumByArea(times);
  expect(budgetTable(areas, times, 30)).toMatch(
    / 45\.5 s .* in 30 s of 300 s; slowest: src\/cli\/import-products.test.ts 20.0 s\n$/,
  );
  expect(budgetTable(areas, times, 30)).toContain('     15.0 s   33 %  src/modules/orders (2)\n');
  expect(budgetTable(areas, times, 301)).toContain('in 301 s: OVER the budget of 300 s');
});
