import type { FastifyBaseLogger } from 'fastify';

/** Background work that runs when it is notified, and periodically in case a notification was lost. */
export type SteadyLoop = { wake(): void; start(): void; stop(): Promise<void> };

const AFTER_ERROR_MS = 500;

/** `step` returns whether there is more to do at once. Errors are logged, and the loop continues. */
export function createSteadyLoop(options: {
  name: string;
  log: FastifyBaseLogger;
  everyMs: number;
  step(): Promise<boolean>;
}): SteadyLoop {
  const { name, log, everyMs, step } = options;
  let running = false;
  let woken = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();

  function schedule(delayMs: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(wake, delayMs);
  }

  async function run(): Promise<void> {
    let delayMs = everyMs;
    try {
      do {
        woken = false;
        while (!stopped && (await step())) {}
      } while (woken && !stopped);
    } catch (error) {
      delayMs = AFTER_ERROR_MS;
      if (!stopped) log.warn({ err: error, loop: name }, 'background step failed, trying again');
    }
    running = false;
    if (woken && delayMs === everyMs) wake();
    else schedule(delayMs);
  }

  function wake(): void {
    if (stopped) return;
    woken = true;
    if (running) return;
    running = true;
    current = run();
  }

  return {
    wake,
    start: wake,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
