import { expect, test } from 'vitest';
import { createLatencies } from './latencies.ts';

test('percentiles are right to three digits, from microseconds to seconds', () => {
  for (const scaleMs of [0.01, 1, 100]) {
    const latencies = createLatencies();
    for (let step = 1; step <= 1000; step += 1) latencies.record(step * scaleMs);
    for (const percent of [50, 90, 99]) {
      const error = Math.abs(latencies.percentileMs(percent) / (percent * 10 * scaleMs) - 1);
      expect(error).toBeLessThan(0.002);
    }
    expect(latencies.count()).toBe(1000);
  }
});

test('nothing recorded has no latency, and an instant answer still counts', () => {
  const latencies = createLatencies();
  expect(latencies.percentileMs(99)).toBe(0);
  latencies.record(0);
  expect(latencies.count()).toBe(1);
});
