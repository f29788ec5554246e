import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../test/harness/index.ts';
import { connectDatabase, type Sql } from '../database/index.ts';
import { figuresOf, keeper, openJobs, patiently, stopOpenedJobs } from './testing/opened-jobs.ts';

let sql: Sql;
let url: string;

beforeAll(async () => {
  ({ sql, url } = await testDatabase());
});
afterEach(stopOpenedJobs);

describe('a worker that is gone', () => {
  test('leaves its job to another', async () => {
    const fixture = fileURLToPath(new URL('./testing/hold-job.ts', import.meta.url));
    const child = spawn(process.execPath, [fixture, url, 'held'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const output = once(child.stdout, 'data');
    const jobs = openJobs(sql, true);
    const { inputs, handler } = keeper();
    try {
      const api = openJobs(sql, false);
      api.on('held', async () => {});
      await api.start();
      await api.enqueue(sql, 'held', { held: true });
      await output;
    } finally {
      child.kill('SIGKILL');
    }
    await once(child, 'exit');
    // Fifteen seconds of silence stand for a dead worker; here they pass at once.
    await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '15 seconds' where name = 'held'`;

    jobs.on('held', handler);
    await jobs.start();
    await vi.waitFor(() => expect(inputs).toEqual([{ held: true }]), patiently);
  });
});

describe('stopping', () => {
  test('waits for what runs and takes nothing new', async () => {
    const jobs = openJobs(sql, true);
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const finished: object[] = [];
    jobs.on('finish', async (input) => {
      begun.resolve();
      await gate.promise;
      finished.push(input);
    });
    await jobs.start();
    await jobs.enqueue(sql, 'finish', { n: 1 });
    await jobs.enqueue(sql, 'finish', { n: 2 });
    await begun.promise;
    const stopped = jobs.stop();
    gate.resolve();
    await stopped;
    expect(finished).toEqual([{ n: 1 }]);
    expect(await figuresOf(jobs, 'finish')).toMatchObject({ queued: 1, active: 0, failed: 0 });
    await expect(jobs.enqueue(sql, 'finish', {})).rejects.toThrow('not started');
  });

  test('aborts what takes too long, and that waits for another worker', async () => {
    const jobs = openJobs(sql, true);
    const begun = Promise.withResolvers<void>();
    jobs.on('stuck', async (_input, { signal }) => {
      begun.resolve();
      await once(signal, 'abort');
      throw signal.reason;
    });
    await jobs.start();
    await jobs.enqueue(sql, 'stuck', {});
    await begun.promise;
    await jobs.stop();
    expect(await figuresOf(jobs, 'stuck')).toMatchObject({ queued: 1, active: 0, failed: 0 });
  });
});

describe('the database', () => {
  test('may cut every connection: the workers come back', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const own = connectDatabase(url, { poolSize: 4, applicationName: 'cut' });
    const jobs = openJobs(own, true, log);
    const { inputs, handler } = keeper();
    jobs.on('survivor', handler);
    await jobs.start();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut'`;
    await vi.waitFor(() => jobs.enqueue(own, 'survivor', { after: 'cut' }), patiently);
    await vi.waitFor(() => expect(inputs).toContainEqual({ after: 'cut' }), patiently);
    await jobs.stop();
    await own.end();
    expect(lines.filter((line) => line.includes('CONNECTION_CLOSED')).length).toBeLessThanOrEqual(1);
  });

  test('may be empty, with several starters at once', async () => {
    const empty = await testDatabase();
    await empty.sql`drop schema pgboss cascade`;
    const fleet = Array.from({ length: 4 }, () => openJobs(empty.sql, true));
    const { inputs, handler } = keeper();
    for (const jobs of fleet) jobs.on('first', handler);
    await Promise.all(fleet.map((jobs) => jobs.start()));
    await fleet[0]?.enqueue(empty.sql, 'first', { ok: true });
    await vi.waitFor(() => expect(inputs).toEqual([{ ok: true }]), patiently);
    await Promise.all(fleet.map((jobs) => jobs.stop()));
  });

  test('keeps the settings of a queue as the code has them', async () => {
    for (const retryLimit of [3, 4]) {
      const jobs = openJobs(sql, false);
      jobs.on('tuned', async () => {}, { retryLimit, expireInSeconds: 60 });
      await jobs.start();
      const [queue] = await sql`select retry_limit, expire_seconds from pgboss.queue where name = 'tuned'`;
      expect(queue).toEqual({ retry_limit: retryLimit, expire_seconds: 60 });
    }
  });
});
