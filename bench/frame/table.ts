import type { Row } from './figures.ts';

const GENERATOR_BUSY = 0.9;

export function formatTable(rows: Row[]): string {
  const header = [
    'case',
    'per second',
    'p50 ms',
    'p99 ms',
    'server µs',
    'client',
    'ratio',
    'rounds',
    'of',
    'target',
    '',
  ];
  const cells = rows.map((row) => [
    row.name,
    formatSpeed(row.perSecond),
    formatMs(row.p50Ms),
    formatMs(row.p99Ms),
    row.serverCpuUs === undefined ? '' : row.serverCpuUs.toFixed(row.serverCpuUs < 1000 ? 1 : 0),
    row.generatorCpu === undefined ? '' : `${Math.round(row.generatorCpu * 100)} %`,
    row.ratio?.toFixed(2) ?? '',
    row.ratio === undefined ? '' : `${row.lowestRatio?.toFixed(2)}-${row.highestRatio?.toFixed(2)}`,
    row.baseline ?? '',
    row.target === undefined ? '' : `>= ${row.target}`,
    row.verdict,
  ]);
  const widths = header.map((title, column) =>
    Math.max(title.length, ...cells.map((line) => line[column]?.length ?? 0)),
  );
  const isNumeric = (column: number) => column >= 1 && column <= 6;
  const lines = [header, ...cells].map((line) =>
    line
      .map((text, column) =>
        isNumeric(column) ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return [...lines, ...remarks(rows)].join('\n');
}

function remarks(rows: Row[]): string[] {
  const missed = rows.flatMap((row) => row.misses.map((miss) => `${row.name}: ${miss}`));
  const busy = rows.filter((row) => (row.generatorCpu ?? 0) >= GENERATOR_BUSY).map((row) => row.name);
  return busy.length === 0
    ? missed
    : [...missed, `The generator had no core to spare, so the server can do more than shown: ${busy.join(', ')}`];
}

function formatSpeed(perSecond: number): string {
  return perSecond.toLocaleString('en-US', { maximumFractionDigits: perSecond < 100 ? 1 : 0 });
}

function formatMs(ms: number): string {
  return ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0);
}
