import { type Logger, pino } from 'pino';
import { patienceMs } from '../../../../test/harness/patience.ts';
import { createDuePoll, type DuePoll } from '../../background/index.ts';
import { systemClock } from '../../clock.ts';
import type { Sql } from '../../database/index.ts';
import { createJobs, type Jobs } from '../index.ts';

const opened: { jobs: Jobs; duePoll: DuePoll }[] = [];

/** For polls: nothing takes this long when it is well, and the machine may be busy. */
export const patiently = { timeout: patienceMs(), interval: 20 };

export function openJobs(
  sql: Sql,
  runWorkers: boolean,
  log: Logger = pino({ level: 'silent' }),
  duePollMs = 100,
): Jobs {
  const duePoll = createDuePoll({ sql, clock: systemClock(), log }, duePollMs);
  const jobs = createJobs({ sql, log, runWorkers, duePoll });
  if (runWorkers) duePoll.start();
  opened.push({ jobs, duePoll });
  return jobs;
}

export async function stopOpenedJobs(): Promise<void> {
  await Promise.all(opened.splice(0).map(({ jobs, duePoll }) => Promise.all([jobs.stop(), duePoll.stop()])));
}

/** A handler that keeps what it was given. */
export function keeper<Input extends object>() {
  const inputs: Input[] = [];
  return { inputs, handler: async (input: Input) => void inputs.push(input) };
}

export async function figuresOf(jobs: Jobs, name: string) {
  return (await jobs.figures()).find((figures) => figures.name === name);
}
