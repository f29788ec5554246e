import { Worker } from 'node:worker_threads';
import type { PageTask, PoolTask } from './forecast-page.ts';

export type ForecastTask = ({ kind: 'page' } & PageTask) | ({ kind: 'pool' } & PoolTask);
export type ForecastAnswer = { text: string } | { error: string };

/** A page of 250 SKUs takes a quarter of a second; past this the thread is stuck, and a new one is made. */
const ANSWER_WITHIN_MS = 60_000;
/** An idle thread keeps some 20 MB. */
const IDLE_MS = 30_000;
const MAX_HEAP_MB = 256;

export type ForecastThread = {
  /** The answer as JSON text, for the database: this thread neither makes nor reads it. */
  run(task: ForecastTask): Promise<string>;
  stop(): Promise<void>;
};

/**
 * Forecasts are the only work of the service that takes seconds of a core at a stretch; in the thread that answers
 * requests every page would hold all of them up. One thread a process: callers take turns, page by page.
 */
export function createForecastThread(): ForecastThread {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  async function end(): Promise<void> {
    const ending = worker;
    worker = undefined;
    clearTimeout(idle);
    await ending?.terminate();
  }

  function ask(task: ForecastTask): Promise<string> {
    clearTimeout(idle);
    worker ??= startWorker();
    const asked = worker;
    return new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => failed(new Error('the forecast thread gave no answer')), ANSWER_WITHIN_MS);
      const settle = () => {
        clearTimeout(timer);
        asked.removeAllListeners();
        // An error after the fact must not end the process.
        asked.on('error', () => undefined);
        idle = setTimeout(() => void end(), IDLE_MS).unref();
      };
      const failed = (error: unknown) => {
        settle();
        void end();
        reject(error);
      };
      asked.on('message', (answer: ForecastAnswer) => {
        settle();
        if ('text' in answer) resolve(answer.text);
        else reject(new Error(answer.error));
      });
      asked.on('error', failed);
      asked.on('exit', () => failed(new Error('the forecast thread has ended')));
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

function startWorker(): Worker {
  const worker = new Worker(new URL('./forecast-worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  // It must not keep a process alive that has nothing else to do.
  worker.unref();
  return worker;
}
