import { type Logger, pino } from 'pino';
import { patienceMs } from '../../../../test/harness/patience.ts';
import type { Sql } from '../../database/index.ts';
import { createJobs, type Jobs } from '../index.ts';

const opened: Jobs[] = [];

/** For polls: nothing takes this long when it is well, and the machine may be busy. */
export const patiently = { timeout: patienceMs(), interval: 20 };

export function openJobs(
  sql: Sql,
  runWorkers: boolean,
  log: Logger = pino({ level: 'silent' }),
  lookEverySeconds?: number,
): Jobs {
  const jobs = createJobs({ sql, log, runWorkers, lookEverySeconds });
  opened.push(jobs);
  return jobs;
}

export async function stopOpenedJobs(): Promise<void> {
  await Promise.all(opened.splice(0).map((jobs) => jobs.stop()));
}

/** A handler that keeps what it was given. */
export function keeper<Input extends object>() {
  const inputs: Input[] = [];
  return { inputs, handler: async (input: Input) => void inputs.push(input) };
}

export async function figuresOf(jobs: Jobs, name: string) {
  return (await jobs.figures()).find((figures) => figures.name === name);
}
