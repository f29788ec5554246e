// A worker process that takes a tracked job, says so, and holds it until it is killed.
import { pino } from 'pino';
import { createDuePoll } from '../../../platform/background/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { connectDatabase } from '../../../platform/database/index.ts';
import { createJobs } from '../../../platform/jobs/index.ts';
import { createTrackedJobs } from '../index.ts';

const [url = '', type = ''] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const sql = connectDatabase(url, { poolSize: 2, applicationName: 'fixture' });
const duePoll = createDuePoll({ sql, log, clock: systemClock() });
const jobs = createJobs({ sql, log, runWorkers: true, duePoll });
createTrackedJobs({ sql, log, jobs, clock: systemClock() }).register(
  type,
  async (_input, { jobId, progress }) => {
    await progress(1, 2);
    process.stdout.write(`${jobId}\n`);
    await new Promise(() => {});
  },
  { resource: 'Orders' },
);
await jobs.start();
