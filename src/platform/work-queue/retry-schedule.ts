import { ConfigError } from '../config.ts';

export type RetrySchedule = {
  /** The delay after each failed attempt. The last one repeats until `maxAttempts`. */
  delaysMs: readonly number[];
  /** One attempt more than there are delays, unless set. */
  maxAttempts?: number;
};

/** The delay after the attempt with this number (the first is 1) has failed. Undefined after the last: dead-letter the item. */
export function retryDelayMs({ delaysMs, maxAttempts }: RetrySchedule, attempt: number): number | undefined {
  if (attempt >= (maxAttempts ?? delaysMs.length + 1)) return undefined;
  return delaysMs[Math.min(attempt, delaysMs.length) - 1] ?? 0;
}

/** Reads a setting such as `30,120,450`: the delays in seconds. */
export function parseRetryDelays(setting: string, raw: string): number[] {
  const parts = raw.split(',').map((part) => part.trim());
  if (!parts.every((part) => /^\d{1,9}(\.\d+)?$/.test(part))) {
    throw new ConfigError(`${setting} must be seconds separated by commas, not "${raw}"`);
  }
  return parts.map(Number);
}
