import { expect, it } from 'vitest';
import { compareResults } from './compare.ts';
import { type AllInResult, type Measurement, type Round, summarizeCase } from './figures.ts';

const measurement = (more: Partial<Measurement>): Measurement => ({
  orders: 1_000,
  failed: 0,
  answeredPerSecond: 1_000,
  settledPerSecond: 1_000,
  nodeCpuUs: 200,
  postgresCpuUs: 200,
  walBytes: 4_000,
  walBytesWithoutImages: 3_000,
  diskBytes: 2_000,
  ...more,
});

const round = (service: Partial<Measurement> = {}, bare: Partial<Measurement> = {}): Round => ({
  pair: measurement({ answeredPerSecond: 5_000, settledPerSecond: 5_000, nodeCpuUs: undefined }),
  bare: measurement({ answeredPerSecond: 3_000, settledPerSecond: 3_000, ...bare }),
  service: measurement(service),
});

const result = (rounds: Round[], more: Partial<AllInResult> = {}): AllInResult => ({
  server: 'PostgreSQL 18.4 (embedded)',
  pair: 'pgbench',
  wal: '',
  cores: 2,
  loadBefore: 0,
  roundsEach: rounds.length,
  seconds: 6,
  cases: [summarizeCase('single orders', rounds)],
  ...more,
});

const committed = result([round()]);
const regressions = (service: Partial<Measurement>, bare: Partial<Measurement> = {}) =>
  compareResults(committed, result([round(service, bare)]));

it('reports nothing for the same figures and for better ones', () => {
  expect(regressions({})).toEqual([]);
  expect(regressions({ answeredPerSecond: 2_000, settledPerSecond: 2_000, nodeCpuUs: 50, walBytes: 100 })).toEqual([]);
});

it('accepts changes for the worse of up to a tenth', () => {
  const settledPerSecond = 910;
  expect(regressions({ settledPerSecond, nodeCpuUs: 219, walBytes: 4_390, walBytesWithoutImages: 3_290 })).toEqual([]);
});

it('names each ratio that fell by more than a tenth', () => {
  expect(regressions({ settledPerSecond: 880 })).toEqual([
    'single orders: settled orders/s against the minimal pair fell from 0.200 to 0.176 (-12 %)',
    'single orders: settled orders/s against the bare server fell from 0.333 to 0.293 (-12 %)',
  ]);
  expect(regressions({ answeredPerSecond: 500 })).toHaveLength(2);
});

it('names each cost that grew by more than a tenth', () => {
  expect(regressions({ nodeCpuUs: 250, postgresCpuUs: 230, walBytes: 5_000, walBytesWithoutImages: 3_600 })).toEqual([
    'single orders: CPU of Node an order grew from 200 to 250 us (+25 %)',
    'single orders: CPU of PostgreSQL an order grew from 200 to 230 us (+15 %)',
    'single orders: WAL an order with page images grew from 4000 to 5000 B (+25 %)',
    'single orders: WAL an order without page images grew from 3000 to 3600 B (+20 %)',
  ]);
});

it('accepts more CPU time where the bare server took as much more', () => {
  expect(regressions({ nodeCpuUs: 300 }, { nodeCpuUs: 290 })).toEqual([]);
  expect(regressions({ nodeCpuUs: 300 }, { nodeCpuUs: 210 })).toHaveLength(1);
});

it('compares WAL with page images only between measurements of the same length', () => {
  const shorter = result([round({ walBytes: 9_000, walBytesWithoutImages: 9_000 })], { seconds: 4 });
  expect(compareResults(committed, shorter)).toEqual([
    'single orders: WAL an order without page images grew from 3000 to 9000 B (+200 %)',
  ]);
});

it('does not compare WAL with a run that wrote for a shorter time in all', () => {
  const grown = round({ walBytes: 9_000, walBytesWithoutImages: 9_000 });
  expect(compareResults(committed, result([grown, grown]))).toEqual([]);
});

it('compares with the minimal pair only where the same program wrote it', () => {
  const byDriver = result([round({ settledPerSecond: 500 })], { pair: 'the driver in 2 processes, 32 clients' });
  expect(compareResults(committed, byDriver)).toEqual([
    'single orders: settled orders/s against the bare server fell from 0.333 to 0.167 (-50 %)',
  ]);
});

it('skips cases that the committed result does not have, and CPU that could not be read', () => {
  const cases = [summarizeCase('bulk of 100', [round({ settledPerSecond: 1 })])];
  const other = result([round()], { cases });
  expect(compareResults(committed, other)).toEqual([]);
  expect(regressions({ postgresCpuUs: undefined })).toEqual([]);
});
