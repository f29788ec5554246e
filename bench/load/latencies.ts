import { createHistogram } from 'node:perf_hooks';

export type Latencies = { record(ms: number): void; percentileMs(percent: number): number; count(): number };

/** Microseconds in Node's native HDR histogram: three digits are kept at any size, and recording allocates nothing. */
export function createLatencies(): Latencies {
  const microseconds = createHistogram();
  return {
    record: (ms) => microseconds.record(Math.max(1, Math.round(ms * 1000))),
    percentileMs: (percent) => (microseconds.count === 0 ? 0 : microseconds.percentile(percent) / 1000),
    count: () => microseconds.count,
  };
}
