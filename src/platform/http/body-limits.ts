/**
 * How many bytes a JSON body may have; more is 413. A route says so where it needs other than a megabyte: the limit is
 * all that stands between a stranger and the memory of the process.
 */
export const BODY_LIMIT_BYTES = {
  /** Logins, tokens, passwords: none has more than a few hundred bytes, and anybody may send them. */
  credentials: 16 * 1024,
  order: 512 * 1024,
  usual: 1024 * 1024,
  bulk: 32 * 1024 * 1024,
} as const;

/**
 * How many values a body may hold. Bytes alone do not bound the work: 31 MB of `[],[],...` kept the process busy for
 * 18 s and took 1 GB. Measured with every key different, which is the slowest there is (CPU time on a busy machine):
 * 50,000 values 60 to 90 ms, 200,000 270 to 410 ms; with the keys of real bodies a fifth of that. A thousand branches
 * with full opening hours have 90,000.
 */
const MAX_VALUES = { usual: 50_000, bulk: 200_000 } as const;

export function maxValuesOf(limitBytes: number): number {
  return limitBytes > BODY_LIMIT_BYTES.usual ? MAX_VALUES.bulk : MAX_VALUES.usual;
}

export const DEFAULT_MAX_VALUES = MAX_VALUES.usual;
