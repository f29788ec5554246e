import { describe, expect, it } from 'vitest';
import { parseRetryDelays, retryDelayMs } from './retry-schedule.ts';

describe('retryDelayMs', () => {
  it('returns the delay after each attempt, and undefined after the last', () => {
    const schedule = { delaysMs: [10, 20] };
    expect([1, 2, 3, 4].map((attempt) => retryDelayMs(schedule, attempt))).toEqual([10, 20, undefined, undefined]);
  });

  it('repeats the last delay until maxAttempts', () => {
    const schedule = { delaysMs: [10, 20], maxAttempts: 5 };
    expect([2, 3, 4, 5].map((attempt) => retryDelayMs(schedule, attempt))).toEqual([20, 20, 20, undefined]);
  });

  it('allows one attempt without delays', () => {
    expect(retryDelayMs({ delaysMs: [] }, 1)).toBeUndefined();
  });
});

describe('parseRetryDelays', () => {
  it('reads seconds with fractions', () => {
    expect(parseRetryDelays('X', '0.5, 2 ,3')).toEqual([0.5, 2, 3]);
  });

  it.each(['', 'a', '1,,2', '-1', '1e3'])('rejects "%s" and names the setting', (raw) => {
    expect(() => parseRetryDelays('WEBHOOK_RETRY_DELAYS', raw)).toThrow(/^WEBHOOK_RETRY_DELAYS must be seconds/);
  });
});
