import { median } from '../frame/figures.ts';

/** What one writer did and used in one measurement, until all work that follows its orders was done. */
export type Measurement = {
  orders: number;
  failed: number;
  firstFailure?: string;
  /** Orders a second until the last response. */
  answeredPerSecond: number;
  /** Orders a second until everything that follows them was done. */
  settledPerSecond: number;
  /** Per order, in us; absent where it cannot be read. */
  nodeCpuUs?: number;
  postgresCpuUs?: number;
  /** Of the vacuum after the measurement; not part of `postgresCpuUs`. */
  vacuumCpuUs?: number;
  /** Per order, in bytes. */
  walBytes: number;
  walBytesWithoutImages: number;
  diskBytes: number;
  /** Share of one core that the load generator used. */
  generatorCpu?: number;
};

/** One round of one case: the same orders by the three writers, one after the other. */
export type Round = { pair: Measurement; bare: Measurement; service: Measurement };
export type WriterName = keyof Round;

export const FIGURES = [
  'answeredPerSecond',
  'settledPerSecond',
  'nodeCpuUs',
  'postgresCpuUs',
  'vacuumCpuUs',
  'walBytes',
  'walBytesWithoutImages',
  'diskBytes',
  'generatorCpu',
] as const satisfies (keyof Measurement)[];
export type Figures = { [Name in (typeof FIGURES)[number]]?: number };

export type Ratio = { median: number; lowest: number; highest: number };
export type RatioName = 'answeredOfPair' | 'settledOfPair' | 'answeredOfBare' | 'settledOfBare';

export type CaseResult = {
  name: string;
  /** Of the service. Each round is compared with the baselines of the same round. */
  ratios: Record<RatioName, Ratio>;
  writers: Record<WriterName, Figures>;
  rounds: Round[];
};

export type AllInResult = {
  server: string;
  pair: string;
  wal: string;
  cores: number;
  /** Load average of the machine before the run. */
  loadBefore: number;
  roundsEach: number;
  seconds: number;
  cases: CaseResult[];
};

export function summarizeCase(name: string, rounds: Round[]): CaseResult {
  return {
    name,
    ratios: {
      answeredOfPair: ratioOf(rounds, 'answeredPerSecond', 'pair'),
      settledOfPair: ratioOf(rounds, 'settledPerSecond', 'pair'),
      answeredOfBare: ratioOf(rounds, 'answeredPerSecond', 'bare'),
      settledOfBare: ratioOf(rounds, 'settledPerSecond', 'bare'),
    },
    writers: {
      pair: mediansOf(rounds.map(({ pair }) => pair)),
      bare: mediansOf(rounds.map(({ bare }) => bare)),
      service: mediansOf(rounds.map(({ service }) => service)),
    },
    rounds,
  };
}

function ratioOf(rounds: Round[], speed: 'answeredPerSecond' | 'settledPerSecond', baseline: 'pair' | 'bare'): Ratio {
  const ratios = rounds.map((round) => round.service[speed] / round[baseline][speed]);
  return { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) };
}

function mediansOf(measurements: Measurement[]): Figures {
  const figures: Figures = {};
  for (const name of FIGURES) {
    const known = measurements.map((measurement) => measurement[name]).filter((value) => value !== undefined);
    if (known.length > 0) figures[name] = median(known);
  }
  return figures;
}
