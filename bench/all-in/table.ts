import type { AllInResult, CaseResult, Figures, Ratio, WriterName } from './figures.ts';

const WRITERS: Record<WriterName, string> = { pair: 'minimal pair', bare: 'bare Fastify', service: 'service' };

const BUSY_LOAD_PER_CORE = 0.5;

const HEADER = [
  'case',
  'writer',
  'answered/s',
  'settled/s',
  'of pair',
  'of bare',
  'Node us',
  'PostgreSQL us',
  'both us',
  'WAL B',
  'without images',
  'disk B',
  'vacuum us',
  'client',
];

/** Ratios as `answered, settled (lowest-highest settled)`. */
export function formatAllIn(result: AllInResult): string {
  const cells = result.cases.flatMap(rowsOf);
  const widths = HEADER.map((title, column) =>
    Math.max(title.length, ...cells.map((line) => line[column]?.length ?? 0)),
  );
  const lines = [HEADER, ...cells].map((line) =>
    line
      .map((text, column) => (column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return [
    `${result.roundsEach} interleaved rounds of ${result.seconds} s, medians; ${result.server}, ${result.cores} cores`,
    `Minimal pair by ${result.pair}; ${result.wal}`,
    'Ratios: answered, settled (lowest to highest round, settled)',
    ...lines,
    ...(isBusy(result)
      ? [
          `The machine was busy before the run (load ${result.loadBefore.toFixed(1)}): the writers did not get the same share of the cores, so speeds and ratios are not reliable.`,
        ]
      : []),
  ].join('\n');
}

/** Whether other programs used the machine before the run. */
export function isBusy({ loadBefore, cores }: Pick<AllInResult, 'loadBefore' | 'cores'>): boolean {
  return loadBefore > cores * BUSY_LOAD_PER_CORE;
}

function rowsOf({ name, writers, ratios }: CaseResult): string[][] {
  const row = (writer: WriterName, ofPair = '', ofBare = '') => [
    writer === 'pair' ? name : '',
    WRITERS[writer],
    ...[writers[writer].answeredPerSecond, writers[writer].settledPerSecond].map(formatWhole),
    ofPair,
    ofBare,
    ...costsOf(writers[writer]),
  ];
  return [
    row('pair'),
    row('bare'),
    row(
      'service',
      formatRatios(ratios.answeredOfPair, ratios.settledOfPair),
      formatRatios(ratios.answeredOfBare, ratios.settledOfBare),
    ),
  ];
}

function costsOf(figures: Figures): string[] {
  const { nodeCpuUs, postgresCpuUs, walBytes, walBytesWithoutImages, diskBytes, vacuumCpuUs, generatorCpu } = figures;
  const both = postgresCpuUs === undefined ? undefined : (nodeCpuUs ?? 0) + postgresCpuUs;
  return [
    ...[nodeCpuUs, postgresCpuUs, both, walBytes, walBytesWithoutImages, diskBytes, vacuumCpuUs].map(formatWhole),
    generatorCpu === undefined ? '' : `${Math.round(generatorCpu * 100)} %`,
  ];
}

function formatRatios(answered: Ratio, settled: Ratio): string {
  const digits = (value: number) => value.toFixed(value < 1 ? 3 : 2);
  return `${digits(answered.median)}, ${digits(settled.median)} (${digits(settled.lowest)}-${digits(settled.highest)})`;
}

function formatWhole(value: number | undefined): string {
  return value === undefined ? '' : Math.round(value).toLocaleString('en-US');
}
