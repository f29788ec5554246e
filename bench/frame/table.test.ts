import { expect, test } from 'vitest';
import type { Row } from './figures.ts';
import { formatTable } from './table.ts';

const row = (more: Partial<Row>): Row => ({
  name: 'baseline',
  perSecond: 12_345.6,
  p50Ms: 1.234,
  p99Ms: 123.4,
  generatorCpu: 0.5,
  serverCpuUs: 61.25,
  baseline: undefined,
  ratio: undefined,
  lowestRatio: undefined,
  highestRatio: undefined,
  target: undefined,
  misses: [],
  verdict: '',
  ...more,
});

const judged = {
  name: 'GET /ping',
  baseline: 'baseline',
  ratio: 0.8,
  lowestRatio: 0.75,
  highestRatio: 0.85,
  target: 0.75,
};

test('columns line up and figures keep the digits that mean something', () => {
  const [header, first, second] = formatTable([row({}), row({ ...judged, perSecond: 9.87, verdict: 'ok' })]).split(
    '\n',
  );
  expect(first).toMatch(/^baseline +12,346 +1\.23 +123 +61\.3 +50 %$/);
  expect(second).toMatch(/^GET \/ping +9\.9 +1\.23 .* 0\.80 +0\.75-0\.85 +baseline +>= 0\.75 +ok$/);
  expect(second?.indexOf('>= 0.75')).toBe(header?.indexOf('target'));
});

test('what was missed is said in words under the table', () => {
  const text = formatTable([row({ ...judged, misses: ['ratio 0.60 is under 0.75'], verdict: 'short' })]);
  expect(text.split('\n').at(-1)).toBe('GET /ping: ratio 0.60 is under 0.75');
});

test('a generator without a core to spare is owned up to', () => {
  expect(formatTable([row({ generatorCpu: 0.95 })])).toContain('The generator had no core to spare');
  expect(formatTable([row({ generatorCpu: 0.6 })])).not.toContain('The generator');
});
