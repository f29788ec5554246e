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

// One listener a signal, whatever the number of deadlines: a service passes the same one with every request, and adding
// and taking off a listener of its own each time took 5 us of a request of 150.
const waitingFor = new WeakMap<AbortSignal, Set<() => void>>();

function waitersOf(signal: AbortSignal): Set<() => void> {
  const known = waitingFor.get(signal);
  if (known !== undefined) return known;
  const waiters = new Set<() => void>();
  waitingFor.set(signal, waiters);
  signal.addEventListener(
    'abort',
    () => {
      for (const abort of waiters) abort();
    },
    { once: true },
  );
  return waiters;
}

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
  const waiters = signal === undefined ? undefined : waitersOf(signal);
  if (signal?.aborted) abort();
  else waiters?.add(abort);

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
      waiters?.delete(abort);
      listeners.clear();
    },
  };
}
