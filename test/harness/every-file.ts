import fc from 'fast-check';
import { afterAll, beforeEach } from 'vitest';
import { cleanUpFile } from './end-of-file.ts';
import { machineBack, readCores } from './stolen-time.ts';

// Runs before each test file, also where files share a process.
afterAll(cleanUpFile);

// The service refuses, and rightly, what a connection, a lock or an answer was not to be had for in ten seconds. Whoever runs
// on a host that takes the machine away for as long learns nothing from that: such a test is tried again once it is back, and
// the end of the run names it. Where nothing is stolen, nothing is tried twice.
const STOLEN_ENOUGH_SECONDS = 2;
const TRIES_AGAIN = 2;
beforeEach(async ({ task }) => {
  if ((task.result?.retryCount ?? 0) > 0) await machineBack();
  const before = readCores().stolen;
  const condition = () => readCores().stolen - before >= STOLEN_ENOUGH_SECONDS;
  Object.assign(task, { retry: { count: TRIES_AGAIN, condition } });
});

// The same cases in every run: a test that fails now and then tells nobody what he has broken. Another seed tries others.
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20_261_115) });
