import { TIMEOUT } from './failure-words.ts';

/** One time limit for a chain of steps. It ends early when the caller's signal aborts. */
export type Deadline = {
  /** The reason it ended, or undefined while there is time. */
  stopped(): string | undefined;
  /** Calls the listener once when it ends. Returns a function that removes the listener. */
  onStop(listener: (reason: string) => void): () => void;
  /** The promise's value, or undefined when the deadline ends first. */
  race<T>(promise: Promise<T>): Promise<T | undefined>;
  clear(): void;
};

// One listener per signal for all its deadlines: the service passes the same signal with every request, and adding and
// removing a listener each time took 5 us of a request of 150.
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
