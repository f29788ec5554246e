import type { Comparison } from './compare.ts';
import type { InventoryComparison } from './inventory.ts';
import type { Figures } from './score.ts';

const COLUMNS: [title: string, value: (figures: Figures) => string][] = [
  ['SQL', ({ sql }) => sql?.toFixed(4) ?? ''],
  ['RMSSE', ({ rmsse }) => rmsse.toFixed(4)],
  ['WAPE of sum', ({ sumWape }) => sumWape.toFixed(4)],
  ['bias', ({ bias }) => percent(bias)],
  ['in 80 %', ({ coverage80 }) => percent(coverage80)],
  ['in 95 %', ({ coverage95 }) => percent(coverage95)],
  ['closed 80 %', ({ closedCoverage80 }) => percent(closedCoverage80)],
  ['cases', ({ cases }) => String(cases)],
];

export function formatComparison({ dataSet, horizon, historyDays, origins, methods, byClass }: Comparison): string {
  const title = `${dataSet}, horizon ${horizon}, history of ${historyDays} days, ${origins} late origins`;
  const classRows = Object.entries(byClass).flatMap(([demandClass, figures]) =>
    ['Dukkan', 'AutoETS, clipped', 'seasonal naive'].flatMap((method) =>
      figures[method] === undefined ? [] : [[`  ${demandClass}: ${method}`, figures[method]] as [string, Figures]],
    ),
  );
  return `\n${title}\n${formatRows([...Object.entries(methods), ...classRows])}`;
}

function formatRows(rows: [string, Figures][]): string {
  const lines = [
    ['method', ...COLUMNS.map(([title]) => title)],
    ...rows.map(([name, figures]) => [name, ...COLUMNS.map(([, value]) => value(figures))]),
  ];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

export function formatInventory({ dataSet, compared }: InventoryComparison): string {
  const days = (value: number) => (Number.isNaN(value) ? 'never reached' : `${value.toFixed(1)} days`);
  return compared
    .map(
      ({ counted, fillRate, handStockDays, ownStockDays, ratio }) =>
        `${dataSet}, stock at ${percent(fillRate)} served, ${counted === 'inPieces' ? 'in pieces' : 'SKUs alike'}: ${days(ownStockDays)} against ${days(handStockDays)} by hand, ratio ${ratio.toFixed(3)}`,
    )
    .join('\n');
}

function percent(value: number | undefined): string {
  return value === undefined ? '' : `${(100 * value).toFixed(1)} %`;
}
