import type { FastifyBaseLogger } from 'fastify';
import type { DueWork } from './due-work.ts';

/** Background work that runs when it is notified, when the due poll finds something, and at the latest every `everyMs`. */
export type SteadyLoop = { wake(): void; start(): void; stop(): Promise<void> };

/**
 * How often a loop with `due` runs although nothing was found. The condition of a loop repeats what its step looks for; if the two ever
 * disagree, work is late by this much and not lost.
 */
export const IDLE_LOOP_MS = 60_000;
const AFTER_ERROR_MS = 500;

/**
 * `step` returns whether there is more to do at once. Errors are logged, and the loop continues. With `restMs`, a notification within
 * this time after a run waits until it is over, so that work that arrives meanwhile is done together.
 */
export function createSteadyLoop(options: {
  name: string;
  log: FastifyBaseLogger;
  everyMs: number;
  restMs?: number;
  due?: DueWork;
  step(): Promise<boolean>;
}): SteadyLoop {
  const { name, log, everyMs, restMs = 0, due, step } = options;
  let running = false;
  let isResting = false;
  let woken = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();
  let leaveDuePoll: (() => void) | undefined;

  function schedule(delayMs: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(wake, delayMs);
  }

  function rest(delayMs: number): void {
    isResting = true;
    timer = setTimeout(() => {
      isResting = false;
      if (woken && delayMs === everyMs) wake();
      else schedule(Math.max(0, delayMs - restMs));
    }, restMs);
  }

  async function run(): Promise<void> {
    let delayMs = everyMs;
    try {
      do {
        woken = false;
        while (!stopped && (await step())) {}
      } while (woken && restMs === 0 && !stopped);
    } catch (error) {
      delayMs = AFTER_ERROR_MS;
      if (!stopped) log.warn({ err: error, loop: name }, 'background step failed, trying again');
    }
    running = false;
    if (stopped) return;
    if (restMs > 0) rest(delayMs);
    else if (woken && delayMs === everyMs) wake();
    else schedule(delayMs);
  }

  function wake(): void {
    if (stopped) return;
    woken = true;
    if (running || isResting) return;
    clearTimeout(timer);
    running = true;
    current = run();
  }

  return {
    wake,
    start() {
      leaveDuePoll = due?.duePoll.add(due.isDue, wake);
      wake();
    },
    async stop() {
      stopped = true;
      leaveDuePoll?.();
      clearTimeout(timer);
      await current;
    },
  };
}
