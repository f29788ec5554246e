import { Worker } from 'node:worker_threads';
import type { PageTask, PoolTask } from './forecast-page.ts';

export type ForecastTask = ({ kind: 'page' } & PageTask) | ({ kind: 'pool' } & PoolTask);
export type ForecastAnswer = { text: string } | { error: string };

/** A page of 250 SKUs takes 250 ms; after this limit the thread counts as stuck and is replaced. */
const ANSWER_WITHIN_MS = 60_000;
/** An idle thread held 75 MB of RSS after the demo, most of it young generation; limited as below it holds 35. */
const IDLE_MS = 10_000;
const MAX_HEAP_MB = 256;
const MAX_YOUNG_HEAP_MB = 16;

export type ForecastThread = {
  /** The result as JSON text for the database: this thread neither builds nor parses it. */
  run(task: ForecastTask): Promise<string>;
  stop(): Promise<void>;
};

/**
 * Forecasts are the only work of the service that takes seconds of a core without a pause; on the event loop every page
 * would block all requests. One thread per process: callers alternate by page.
 */
export function createForecastThread(): ForecastThread {
  let worker: Worker | undefined;
  let waiting: { answer(result: ForecastAnswer): void; fail(error: unknown): void } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(new URL('./forecast-worker.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MB },
    });
    // The thread must not keep an otherwise idle process alive.
    started.unref();
    started.on('message', (result: ForecastAnswer) => waiting?.answer(result));
    const hasEnded = (error: unknown) => {
      if (worker !== started) return;
      worker = undefined;
      waiting?.fail(error);
    };
    started.on('error', hasEnded);
    started.on('exit', () => hasEnded(new Error('the forecast thread has ended')));
    return started;
  }

  async function end(): Promise<void> {
    const ending = worker;
    worker = undefined;
    clearTimeout(idle);
    waiting?.fail(new Error('the forecast thread was ended'));
    await ending?.terminate();
  }

  function ask(task: ForecastTask): Promise<string> {
    clearTimeout(idle);
    worker ??= start();
    const asked = worker;
    return new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => void end(), ANSWER_WITHIN_MS);
      const settle = () => {
        waiting = undefined;
        clearTimeout(timer);
        idle = setTimeout(() => void end(), IDLE_MS).unref();
      };
      waiting = {
        answer(result) {
          settle();
          if ('text' in result) resolve(result.text);
          else reject(new Error(result.error));
        },
        fail(error) {
          settle();
          reject(error);
        },
      };
      asked.postMessage(task);
    });
  }

  return {
    run(task) {
      const answer = last.then(() => ask(task));
      last = answer.catch(() => undefined);
      return answer;
    },
    stop: end,
  };
}
