import { setTimeout as delay } from 'node:timers/promises';
import { classifyDatabaseError } from '../errors.ts';

/**
 * The longest wait for a table lock. Later statements on the table queue behind the waiting one, so it is short and repeated, with
 * pauses in which they go on.
 */
export const LOCK_TIMEOUT = '1s';
const MAX_TRIES = 30;
const PAUSE_MS = 1_000;

export type RetryOptions = { signal: AbortSignal; onRetry(tried: number): void };

const REPEATED: ReadonlySet<string> = new Set(['busy', 'retry']);

/** Repeats what could not get a lock in time or was chosen to end a deadlock. */
export async function retryBusy<T>(work: () => Promise<T>, { signal, onRetry }: RetryOptions): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || tried === MAX_TRIES || !REPEATED.has(classifyDatabaseError(error).kind)) throw error;
      onRetry(tried);
      await delay(PAUSE_MS * (0.5 + Math.random()), undefined, { signal });
    }
  }
}
