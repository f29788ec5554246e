import { TIMEOUT } from './failure-words.ts';

/** One limit over a chain of steps, ended early when the caller's signal fires. */
export type Deadline = {
  /** Why it has ended, or undefined while there is time. */
  stopped(): string | undefined;
  /** Calls back once when it ends; the function handed back takes the call off again. */
  onStop(listener: (reason: string) => void): () => void;
  /** The promise's value, or undefined when the end comes first. */
  race<T>(promise: Promise<T>): Promise<T | undefined>;
  clear(): void;
};

export function startDeadline(timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  const listeners = new Set<(reason: string) => void>();
  let reason: string | undefined;
  const stop = (why: string) => {
    if (reason !== undefined) return;
    reason = why;
    for (const listener of listeners) listener(why);
    listeners.clear();
  };
  const abort = () => stop('aborted');
  const timer = setTimeout(stop, timeoutMs, TIMEOUT);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });

  function onStop(listener: (reason: string) => void): () => void {
    if (reason === undefined) listeners.add(listener);
    else listener(reason);
    return () => listeners.delete(listener);
  }

  return {
    stopped: () => reason,
    onStop,
    race: (promise) =>
      new Promise((resolve, reject) => {
        const forget = onStop(() => resolve(undefined));
        promise.then(resolve, reject).finally(forget);
      }),
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      listeners.clear();
    },
  };
}
