/**
 * The largest JSON body in bytes; more is 413. A route declares its own limit where it needs other than a megabyte: the limit protects
 * the memory of the process from unauthenticated clients.
 */
export const BODY_LIMIT_BYTES = {
  /** Logins, tokens, passwords: a few hundred bytes, from unauthenticated clients. */
  credentials: 16 * 1024,
  order: 512 * 1024,
  usual: 1024 * 1024,
  bulk: 32 * 1024 * 1024,
} as const;

/**
 * The most values in a JSON body. Bytes alone do not bound the work: parsing 31 MB of `[],[],...` took 18 s and 1 GB. Measured with
 * all keys different, the slowest case (CPU time on a busy machine): 50,000 values 60 to 90 ms, 200,000 270 to 410 ms; with the keys
 * of real bodies a fifth of that. A thousand branches with full opening hours have 90,000.
 */
const MAX_VALUES = { usual: 50_000, bulk: 200_000 } as const;

export function maxValuesOf(limitBytes: number): number {
  return limitBytes > BODY_LIMIT_BYTES.usual ? MAX_VALUES.bulk : MAX_VALUES.usual;
}

export const DEFAULT_MAX_VALUES = MAX_VALUES.usual;
