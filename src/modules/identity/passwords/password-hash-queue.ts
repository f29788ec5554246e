import { createFairLimiter, type FairLimiterOptions } from '../../../platform/fair-limiter/index.ts';
import { tooManyRequests } from '../../../platform/http/problem.ts';

/**
 * Queue for all password hashing of the service. scrypt runs on libuv's four threads, which files and DNS lookups need as well, and
 * each hash takes 32 MB and about 60 ms: two at a time.
 *
 * Callers (the address for a login, the account for a password change) are served round-robin, so that a caller with a hundred
 * requests delays only itself. Past the limits the response is 429. When the queue is full, the caller with the most waiting
 * requests gives way to a caller with none.
 */
export type PasswordHashQueue = { run<Result>(caller: string, work: () => Promise<Result>): Promise<Result> };

const LIMITS = {
  maxConcurrent: 2,
  maxQueued: 256,
  maxQueuedPerTenant: 8,
  maxWaitMs: 5_000,
  displacesLongestQueue: true,
};
const RETRY_AFTER_MS = 2_000;

export function createPasswordHashQueue(changes: FairLimiterOptions<never> = {}): PasswordHashQueue {
  const limits = { ...LIMITS, ...changes };
  const limiter = createFairLimiter(limits);
  const toError = () => tooManyRequests(limits.maxConcurrent, RETRY_AFTER_MS);
  return { run: (caller, work) => limiter.run({ tenant: caller }, work, toError) };
}
