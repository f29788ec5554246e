/** Timers wrap around: a longer delay than this fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves early, without an error, when the signal is raised: the caller checks it anyway. */
export function wait(delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, Math.min(delayMs, LONGEST_TIMER_MS));
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done, { once: true });
  });
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 15_000;

/** Doubled each time, and spread over its upper half, so that clients that failed together do not return together. */
export function backoffMs(failures: number): number {
  const whole = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 20));
  return whole / 2 + Math.random() * (whole / 2);
}

/** A signal that is raised by another one or when the time is up; `end` lets go of both. */
export function limitTime(timeoutMs: number, outer: AbortSignal | undefined) {
  const controller = new AbortController();
  let timedOut = false;
  const follow = () => controller.abort(outer?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        timedOut = true;
        controller.abort();
      },
      Math.min(timeoutMs, LONGEST_TIMER_MS),
    );
  };
  restart();
  if (outer?.aborted) follow();
  outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    timedOut: () => timedOut,
    /** The time begins anew. */
    restart,
    pause: () => clearTimeout(timer),
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', follow);
    },
  };
}
