import type { Sample } from '../load/plan.ts';
import type { CaseTerms, Limits } from './define-bench.ts';

export type Verdict = 'ok' | 'short' | 'failed' | '';

export type Row = {
  name: string;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  generatorCpu: number | undefined;
  serverCpuUs: number | undefined;
  baseline: string | undefined;
  /** Median of the ratios of each round. */
  ratio: number | undefined;
  lowestRatio: number | undefined;
  highestRatio: number | undefined;
  target: number | undefined;
  /** In words, what was missed. */
  misses: string[];
  verdict: Verdict;
};

export function median(values: number[]): number {
  if (values.length === 0) throw new Error('No values to take the median of');
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[(sorted.length >> 1) - 1] ?? 0) + upper) / 2;
}

function medianOfKnown(values: (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : median(known);
}

/** Round by round, since the two halves of one round met the same machine. */
export function ratiosByRound(samples: Sample[], baseline: Sample[]): number[] {
  return samples.map((sample, round) => {
    const beside = baseline[round];
    if (beside === undefined) throw new Error(`The baseline has no figure for round ${round + 1}`);
    // A baseline that only failed says so in its own row.
    return beside.perSecond === 0 ? 0 : sample.perSecond / beside.perSecond;
  });
}

export function summarize(terms: CaseTerms[], samples: Map<string, Sample[]>): Row[] {
  const samplesOf = (name: string) => samples.get(name) ?? [];
  return terms.map(({ name, baseline, target, limits }) => {
    const own = samplesOf(name);
    const failed = own.reduce((sum, sample) => sum + sample.failed, 0);
    const baselineSamples = baseline === undefined ? [] : samplesOf(baseline);
    const ratios = baseline === undefined ? [] : ratiosByRound(own, baselineSamples);
    const p50Ms = median(own.map((sample) => sample.p50Ms));
    const p99Ms = median(own.map((sample) => sample.p99Ms));
    const baselineP99Ms = baseline === undefined ? undefined : median(baselineSamples.map((sample) => sample.p99Ms));
    const ratio = ratios.length === 0 ? undefined : median(ratios);
    const misses = [
      ...(failed > 0
        ? [`${failed} failed: ${own.find((sample) => sample.firstFailure)?.firstFailure ?? 'unknown'}`]
        : []),
      ...(target !== undefined && !((ratio ?? 0) >= target)
        ? [`ratio ${(ratio ?? 0).toFixed(2)} is under ${target}`]
        : []),
      ...missedLimits(limits ?? {}, { p50Ms, p99Ms, baselineP99Ms }),
    ];
    const judged = target !== undefined || limits !== undefined;
    return {
      name,
      perSecond: median(own.map((sample) => sample.perSecond)),
      p50Ms,
      p99Ms,
      generatorCpu: medianOfKnown(own.map((sample) => sample.generatorCpu)),
      serverCpuUs: medianOfKnown(own.map((sample) => sample.serverCpuUs)),
      baseline,
      ratio,
      lowestRatio: ratios.length === 0 ? undefined : Math.min(...ratios),
      highestRatio: ratios.length === 0 ? undefined : Math.max(...ratios),
      target,
      misses,
      verdict: failed > 0 ? 'failed' : misses.length > 0 ? 'short' : judged ? 'ok' : '',
    };
  });
}

function missedLimits(
  limits: Limits,
  { p50Ms, p99Ms, baselineP99Ms }: { p50Ms: number; p99Ms: number; baselineP99Ms: number | undefined },
): string[] {
  const checks: [found: number | undefined, limit: number | undefined, words: string][] = [
    [p99Ms, limits.p99Ms, 'p99 in ms'],
    [p99Ms / p50Ms, limits.p99OverP50, 'p99 over p50'],
    [
      baselineP99Ms === undefined ? undefined : p99Ms / baselineP99Ms,
      limits.p99OverBaseline,
      "p99 over the baseline's",
    ],
  ];
  return checks.flatMap(([found, limit, words]) =>
    limit === undefined || (found !== undefined && found <= limit)
      ? []
      : [`${words} is ${found?.toFixed(2) ?? 'unknown'}, at most ${limit} wanted`],
  );
}
