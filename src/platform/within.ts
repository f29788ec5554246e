/**
 * Resolves like the promise, or to the result of `onTimeout` when it takes longer than `timeoutMs`. `onTimeout` may throw.
 * The work itself goes on.
 */
export async function within<T, Late = undefined>(
  timeoutMs: number,
  promise: PromiseLike<T>,
  onTimeout?: () => Late,
): Promise<T | Late> {
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>();
  const timer = setTimeout(resolve, timeoutMs, LATE);
  try {
    const first = await Promise.race([promise, late]);
    return first === LATE ? (onTimeout?.() as Late) : (first as T);
  } finally {
    clearTimeout(timer);
  }
}

const LATE = Symbol('late');
