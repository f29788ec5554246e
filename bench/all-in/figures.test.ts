import { expect, it } from 'vitest';
import { type AllInResult, type Measurement, type Round, summarizeCase } from './figures.ts';
import { formatAllIn } from './table.ts';

const measurement = (perSecond: number, more: Partial<Measurement> = {}): Measurement => ({
  orders: 10,
  failed: 0,
  answeredPerSecond: perSecond,
  settledPerSecond: perSecond,
  postgresCpuUs: 100,
  walBytes: 5_432.1,
  walBytesWithoutImages: 4_000,
  diskBytes: 3_000,
  ...more,
});
const round = (pair: number, bare: number, service: number): Round => ({
  pair: measurement(pair),
  bare: measurement(bare, { nodeCpuUs: 180 }),
  service: measurement(service, { nodeCpuUs: 700, settledPerSecond: service / 2 }),
});

// The second round fell into a slow minute.
const result = summarizeCase('single orders', [
  round(5_000, 2_500, 1_000),
  round(500, 250, 100),
  round(5_000, 4_000, 1_100),
]);

const of = (loadBefore: number): AllInResult => ({
  server: 'PostgreSQL 18.4',
  pair: 'pgbench',
  wal: 'exact',
  cores: 2,
  loadBefore,
  roundsEach: 3,
  seconds: 6,
  cases: [result],
});

it('compares each round with the baselines of the same round', () => {
  expect(result.ratios.answeredOfPair).toEqual({ median: 0.2, lowest: 0.2, highest: 0.22 });
  expect(result.ratios.settledOfPair).toEqual({ median: 0.1, lowest: 0.1, highest: 0.11 });
  expect(result.ratios.answeredOfBare.median).toBe(0.4);
});

it('gives the median of each figure, and none for figures that were not read', () => {
  expect(result.writers.service).toMatchObject({ answeredPerSecond: 1_000, settledPerSecond: 500, nodeCpuUs: 700 });
  expect(result.writers.pair).not.toHaveProperty('nodeCpuUs');
});

it('shows one line per writer, with the ratios beside the service', () => {
  const text = formatAllIn(of(0.2));
  const lines = text.split('\n').slice(-3);
  expect(lines[0]).toMatch(/^single orders +minimal pair +5,000 +5,000 +100 +100 +5,432 +4,000 +3,000$/);
  expect(lines[1]).toMatch(/^ +bare Fastify +2,500 +2,500 +180 +100 +280 /);
  expect(lines[2]).toMatch(
    /^ +service +1,000 +500 +0\.200, 0\.100 \(0\.100-0\.110\) +0\.400, 0\.200 \(.*\) +700 +100 +800 /,
  );
});

it('warns when other programs used the machine', () => {
  expect(formatAllIn(of(1.4))).toContain('busy before the run (load 1.4)');
  expect(formatAllIn(of(0.9))).not.toContain('busy');
});
