import { parentPort } from 'node:worker_threads';
import { forecastPage, poolPage } from './forecast-page.ts';
import type { ForecastAnswer, ForecastTask } from './forecast-thread.ts';

parentPort?.on('message', (task: ForecastTask) => {
  let answer: ForecastAnswer;
  try {
    answer = { text: task.kind === 'page' ? forecastPage(task) : poolPage(task) };
  } catch (error) {
    answer = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  parentPort?.postMessage(answer);
});
