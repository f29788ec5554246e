import { expect, test } from 'vitest';
import type { Sample } from '../load/plan.ts';
import { median, ratiosByRound, summarize } from './figures.ts';

const sample = (perSecond: number, more: Partial<Sample> = {}): Sample => ({
  count: 100,
  perSecond,
  p50Ms: 1,
  p99Ms: 4,
  failed: 0,
  ...more,
});

test('the median of an even number of values lies between the middle two', () => {
  expect(median([5, 1, 9])).toBe(5);
  expect(median([4, 1, 9, 2])).toBe(3);
  expect(() => median([])).toThrow();
});

test('each round is held against the baseline of the same round', () => {
  expect(ratiosByRound([sample(50), sample(10)], [sample(100), sample(20)])).toEqual([0.5, 0.5]);
  expect(() => ratiosByRound([sample(1)], [])).toThrow('round 1');
});

test('one slow minute that hits baseline and service alike does not move the ratio', () => {
  const [, row] = summarize(
    [{ name: 'baseline' }, { name: 'service', baseline: 'baseline', target: 0.8 }],
    new Map([
      ['baseline', [sample(100), sample(10), sample(100)]],
      ['service', [sample(80), sample(8), sample(90)]],
    ]),
  );
  expect(row).toMatchObject({ ratio: 0.8, lowestRatio: 0.8, highestRatio: 0.9, verdict: 'ok', misses: [] });
});

test('a ratio under its target is short, and says by how much', () => {
  const rows = summarize(
    [{ name: 'baseline' }, { name: 'service', baseline: 'baseline', target: 0.8 }],
    new Map([
      ['baseline', [sample(100)]],
      ['service', [sample(79)]],
    ]),
  );
  expect(rows.map((row) => row.verdict)).toEqual(['', 'short']);
  expect(rows[1]?.misses).toEqual(['ratio 0.79 is under 0.8']);
});

test('a failed answer spoils the case, however fast it came', () => {
  const [row] = summarize(
    [{ name: 'a' }],
    new Map([['a', [sample(1e6, { failed: 3, firstFailure: 'HTTP/1.1 503' })]]]),
  );
  expect(row).toMatchObject({ verdict: 'failed', misses: ['3 failed: HTTP/1.1 503'] });
});

test('limits on the tail are judged in ms, against p50 and against the baseline', () => {
  const judge = (limits: object, own: Partial<Sample>) =>
    summarize(
      [{ name: 'baseline' }, { name: 'a', baseline: 'baseline', limits }],
      new Map([
        ['baseline', [sample(100)]],
        ['a', [sample(100, own)]],
      ]),
    )[1]?.verdict;
  expect(judge({ p99Ms: 10 }, { p99Ms: 10 })).toBe('ok');
  expect(judge({ p99Ms: 10 }, { p99Ms: 11 })).toBe('short');
  expect(judge({ p99OverP50: 5 }, { p50Ms: 2, p99Ms: 10 })).toBe('ok');
  expect(judge({ p99OverP50: 5 }, { p50Ms: 2, p99Ms: 11 })).toBe('short');
  expect(judge({ p99OverBaseline: 2 }, { p99Ms: 8 })).toBe('ok');
  expect(judge({ p99OverBaseline: 2 }, { p99Ms: 9 })).toBe('short');
});
