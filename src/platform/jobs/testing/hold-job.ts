// A worker process that takes a job, says so, and holds it until it is killed.
import { pino } from 'pino';
import { createDuePoll } from '../../background/index.ts';
import { systemClock } from '../../clock.ts';
import { connectDatabase } from '../../database/index.ts';
import { createJobs } from '../index.ts';

const [url = '', name = ''] = process.argv.slice(2);
const sql = connectDatabase(url, { poolSize: 2, applicationName: 'fixture' });
const log = pino({ level: 'silent' });
const duePoll = createDuePoll({ sql, log, clock: systemClock() });
const jobs = createJobs({ sql, log, runWorkers: true, duePoll });
jobs.on(name, async (_input, { jobId }) => {
  process.stdout.write(`${jobId}\n`);
  await new Promise(() => {});
});
await jobs.start();
