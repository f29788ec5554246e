import { createLatencies } from '../load/latencies.ts';
import type { Sample } from '../load/plan.ts';

export type LoopOptions = {
  /** How many run at a time. */
  width: number;
  seconds: number;
};

/** A baseline without HTTP: the same work by the driver (or any client) in a plain loop, in the process of the run. */
export async function runLoop(options: LoopOptions, work: (index: number) => Promise<unknown>): Promise<Sample> {
  const latencies = createLatencies();
  const startMs = performance.now();
  const endMs = startMs + options.seconds * 1000;
  let started = 0;

  async function caller(): Promise<void> {
    // At least one each, however long it takes: work of seconds is measured too.
    do {
      const beganMs = performance.now();
      started += 1;
      await work(started - 1);
      latencies.record(performance.now() - beganMs);
    } while (performance.now() < endMs);
  }
  await Promise.all(Array.from({ length: options.width }, caller));

  const count = latencies.count();
  return {
    count,
    perSecond: (count * 1000) / (performance.now() - startMs),
    p50Ms: latencies.percentileMs(50),
    p99Ms: latencies.percentileMs(99),
    failed: 0,
  };
}
