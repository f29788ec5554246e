import { expect, test } from 'vitest';
import { autoEts } from './ets.ts';
import { adida, sba, tsb } from './intermittent.ts';
import { nelderMead } from './nelder-mead.ts';
import { lateOrigins } from './origins.ts';
import { readDataSet } from './read-data.ts';
import { Score, scalesOf } from './score.ts';
import { seasonalNaive } from './seasonal-naive.ts';

const week = (weeks: number) => Float64Array.from({ length: 7 * weeks }, (_, i) => 10 + 5 * (i % 7));

test('columns are found by name; a missing day is a zero, but in pasta a closed one', () => {
  const text = '\uFEFFqty,sku_id,sale_date,promo\r\n3,a,2024-01-01,1\r\n4,a,2024-01-03,0\r\n5,b,2024-01-02,0\r\n';
  const shop = readDataSet('shop', text);
  expect(shop.series.map(({ skuId, quantities }) => [skuId, ...quantities])).toEqual([
    ['a', 3, 0, 4],
    ['b', 0, 5, 0],
  ]);
  expect([...(shop.series[0]?.promotions ?? [])]).toEqual([1, 0, 0]);
  expect([...(readDataSet('pasta_x', text).series[0]?.quantities ?? [])]).toEqual([3, Number.NaN, 4]);
  expect(() => readDataSet('shop', 'sku_id,qty\n')).toThrow('sale_date');
});

test('late windows do not overlap and end with the file', () => {
  expect(lateOrigins(1545, 28)).toHaveLength(10);
  expect(lateOrigins(374, 28)).toEqual([206, 234, 262, 290, 318, 346]);
  expect(lateOrigins(90, 14)).toHaveLength(4);
});

test('the simplex finds the bottom of a valley', () => {
  const { point } = nelderMead(
    ([x, y]) => (1 - (x as number)) ** 2 + 100 * ((y as number) - (x as number) ** 2) ** 2,
    [-1, 1],
    [0.5, 0.5],
    { evaluations: 2_000, tolerance: 1e-14 },
  );
  expect(point[0]).toBeCloseTo(1, 3);
  expect(point[1]).toBeCloseTo(1, 3);
});

test('what repeats every week is repeated by the naive method and found by smoothing', () => {
  const next = [...week(1)];
  expect([...seasonalNaive(week(20), 7).mean]).toEqual(next);
  const { mean } = autoEts(week(20), 7);
  next.forEach((value, day) => {
    expect(mean[day]).toBeCloseTo(value, 0);
  });
});

test('methods for slow sellers find the rate of a steady one', () => {
  const everyFourth = Float64Array.from({ length: 200 }, (_, i) => (i % 4 === 3 ? 8 : 0));
  expect(sba(everyFourth, 1).mean[0]).toBeCloseTo(0.95 * 2, 2);
  expect(tsb(everyFourth, 1).mean[0]).toBeCloseTo(2, 0);
  expect(adida(everyFourth, 1).mean[0]).toBeCloseTo(2, 5);
});

test('a forecast that is right scores nothing, and ties are shared among the levels they lie in', () => {
  const history = week(4);
  const scales = scalesOf(Float64Array.from(history, (value, i) => value + (i % 2)));
  expect(scales).toBeDefined();
  const score = new Score();
  const actual = Float64Array.of(0, 0);
  const zeros = Array.from({ length: 11 }, (_, q) => new Float64Array(2).fill(q >= 9 ? 2 : 0));
  score.add({ mean: actual, quantiles: zeros }, actual, scales ?? { seasonal: 1, step: 1 });
  const { coverage80, closedCoverage80, rmsse } = score.figures;
  // Zero is every level below 0.9: eight of these nine tenths are inside.
  expect(coverage80).toBeCloseTo(8 / 9, 6);
  expect(closedCoverage80).toBe(1);
  expect(rmsse).toBe(0);
});
