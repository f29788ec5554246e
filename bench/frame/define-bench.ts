import type { LoadPlan, Sample } from '../load/plan.ts';
import type { Frame } from './frame.ts';

/** Round 0 is the warm-up, whose figures are thrown away. */
export type Moment = { round: number; seconds: number };

export type Limits = {
  p99Ms?: number;
  p99OverP50?: number;
  /** How many times the baseline's p99 this one may be. */
  p99OverBaseline?: number;
};

/** What a case promises; the rest of a case is how to measure it. */
export type CaseTerms = {
  name: string;
  /** Name of the case that this one is held against. */
  baseline?: string;
  /** Least share of the baseline's speed. */
  target?: number;
  limits?: Limits;
  /** Things done by one request (1,000 products in a bulk call); speeds are given in these. */
  unitsEach?: number;
};

export type Case<Context> = CaseTerms & {
  /** Before each measurement and outside it: empty a table. */
  prepare?(context: Context, moment: Moment): Promise<void>;
} & (
    | { /** By the generator, over HTTP. */ load(context: Context, moment: Moment): LoadPlan }
    | {
        /** By itself: a loop over the driver, a stopwatch around one long step. */
        run(context: Context, moment: Moment): Promise<Sample>;
      }
  );

export type BenchParts<Context> = {
  rounds?: number;
  /** Length of one measurement. */
  seconds?: number;
  setup(frame: Frame): Promise<Context>;
  cases: Case<Context>[];
};

export type Pace = { rounds: number; seconds: number; warmUpSeconds: number };

export type Measured = { samples: Map<string, Sample[]>; memoryMb: number[] };

export type Bench = {
  name: string;
  pace: Pace;
  terms: CaseTerms[];
  /** With `only`, the cases whose name holds it, and their baselines. */
  measure(frame: Frame, pace: Pace, onProgress: (text: string) => void, only?: string): Promise<Measured>;
};

// It takes some 20,000 requests until everything is compiled; shorter rounds are better paired with their baseline.
const DEFAULT_PACE: Pace = { rounds: 9, seconds: 1.5, warmUpSeconds: 6 };

export function defineBench<Context>(name: string, parts: BenchParts<Context>): Bench {
  const { cases } = parts;
  const names = new Set(cases.map((entry) => entry.name));
  if (names.size !== cases.length) throw new Error(`${name}: two cases share a name`);
  for (const { name: own, baseline } of cases) {
    if (baseline !== undefined && !names.has(baseline))
      throw new Error(`${name}: ${own} has an unknown baseline, ${baseline}`);
  }
  const pace = {
    rounds: parts.rounds ?? DEFAULT_PACE.rounds,
    seconds: parts.seconds ?? DEFAULT_PACE.seconds,
    warmUpSeconds: DEFAULT_PACE.warmUpSeconds,
  };
  return {
    name,
    pace,
    terms: cases,
    measure: (frame, chosenPace, onProgress, only = '') =>
      measure({ ...parts, cases: chooseCases(cases, only) }, frame, chosenPace, onProgress),
  };
}

export function chooseCases<Chosen extends CaseTerms>(cases: Chosen[], only: string): Chosen[] {
  const chosen = new Set(cases.filter(({ name }) => name.includes(only)));
  if (chosen.size === 0) throw new Error(`No case has "${only}" in its name`);
  // A baseline may have one of its own; it is visited when it has been added.
  for (const { baseline } of chosen) for (const entry of cases) if (entry.name === baseline) chosen.add(entry);
  return cases.filter((entry) => chosen.has(entry));
}

/** A B C, A B C, ...: a slow minute of the machine falls on baseline and service alike. */
async function measure<Context>(
  parts: BenchParts<Context>,
  frame: Frame,
  pace: Pace,
  onProgress: (text: string) => void,
): Promise<Measured> {
  const context = await parts.setup(frame);
  const samples = new Map(parts.cases.map((entry) => [entry.name, [] as Sample[]]));
  const memoryMb: number[] = [];
  for (let round = 0; round <= pace.rounds; round += 1) {
    const moment = { round, seconds: round === 0 ? pace.warmUpSeconds : pace.seconds };
    for (const entry of parts.cases) {
      onProgress(`${round === 0 ? 'warm-up' : `round ${round} of ${pace.rounds}`}: ${entry.name}`);
      await entry.prepare?.(context, moment);
      const sample =
        'load' in entry
          ? await frame.load(entry.load(context, moment), moment.seconds)
          : await entry.run(context, moment);
      if (round > 0) samples.get(entry.name)?.push(inUnits(sample, entry.unitsEach ?? 1));
    }
    memoryMb.push(await frame.readMemoryMb());
  }
  return { samples, memoryMb };
}

function inUnits(sample: Sample, unitsEach: number): Sample {
  return { ...sample, perSecond: sample.perSecond * unitsEach };
}
