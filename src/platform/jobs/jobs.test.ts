import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../test/harness/index.ts';
import { connectDatabase, inTransaction, type Sql } from '../database/index.ts';
import { createJobs, type Jobs } from './index.ts';

let sql: Sql;
let url: string;
const opened: Jobs[] = [];
const patiently = { timeout: 30_000, interval: 20 };

beforeAll(async () => {
  ({ sql, url } = await testDatabase());
  await sql`create table seen (word text not null)`;
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((jobs) => jobs.stop()));
});

function newJobs(runWorkers: boolean, log = pino({ level: 'silent' }), own: Sql = sql): Jobs {
  const jobs = createJobs({ sql: own, log, runWorkers });
  opened.push(jobs);
  return jobs;
}

/** A handler that keeps what it was given. */
function keeper<Input extends object>() {
  const inputs: Input[] = [];
  return { inputs, handler: async (input: Input) => void inputs.push(input) };
}

async function figuresOf(jobs: Jobs, name: string) {
  return (await jobs.figures()).find((figures) => figures.name === name);
}

describe('a queued job', () => {
  test('runs once, with the input it was given', async () => {
    const jobs = newJobs(true);
    const { inputs, handler } = keeper();
    jobs.on('echo', handler);
    await jobs.start();
    const input = { text: `"quotes" 'and' \\ $1 {braces}`, ar: 'دكان', list: [1, [2.5, null]], at: { deep: true } };
    await jobs.enqueue(sql, 'echo', input);
    await vi.waitFor(() => expect(jobs.counts().succeeded).toBe(1), patiently);
    await vi.waitFor(async () => {
      expect(await figuresOf(jobs, 'echo')).toEqual({ name: 'echo', queued: 0, active: 0, failed: 0 });
    }, patiently);
    expect(inputs).toEqual([input]);
    expect(jobs.counts()).toEqual({ activeWorkers: 1, executions: 1, succeeded: 1, failed: 0 });
  });

  test('is taken by one worker of several, and a backlog is worked off without pauses', async () => {
    const { inputs, handler } = keeper<{ n: number }>();
    const fleet = [newJobs(true), newJobs(true)];
    for (const jobs of fleet) jobs.on('share', handler, { concurrency: 2 });
    await Promise.all(fleet.map((jobs) => jobs.start()));
    const [first] = fleet;
    const startedMs = performance.now();
    await Promise.all(Array.from({ length: 100 }, (_, n) => first?.enqueue(sql, 'share', { n })));
    await vi.waitFor(() => expect(inputs.length).toBeGreaterThanOrEqual(100), patiently);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    await Promise.all(fleet.map((jobs) => jobs.stop()));
    expect(inputs.map(({ n }) => n).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });

  test('waits for its time', async () => {
    const jobs = newJobs(true);
    const { inputs, handler } = keeper<{ order: string }>();
    jobs.on('later', handler);
    await jobs.start();
    await jobs.enqueue(sql, 'later', { order: 'delayed' }, { startAfterSeconds: 1 });
    await jobs.enqueue(sql, 'later', { order: 'at once' });
    await vi.waitFor(() => expect(inputs).toHaveLength(2), patiently);
    expect(inputs.map(({ order }) => order)).toEqual(['at once', 'delayed']);
  });

  test('is refused under a name that nobody handles, and before the start', async () => {
    const jobs = newJobs(false);
    jobs.on('known', async () => {});
    await expect(jobs.enqueue(sql, 'known', {})).rejects.toThrow('not started');
    await jobs.start();
    await expect(jobs.enqueue(sql, 'unknown', {})).rejects.toThrow('there is no job unknown');
    expect(() => jobs.on('late', async () => {})).toThrow('after the start');
  });
});

describe('a process without workers', () => {
  test('queues and never runs', async () => {
    const api = newJobs(false);
    const refused = vi.fn();
    api.on('split', async () => refused());
    await api.start();
    await api.enqueue(sql, 'split', { from: 'api' });
    expect(await figuresOf(api, 'split')).toMatchObject({ queued: 1, active: 0 });

    const worker = newJobs(true);
    const { inputs, handler } = keeper();
    worker.on('split', handler);
    await worker.start();
    await vi.waitFor(() => expect(inputs).toEqual([{ from: 'api' }]), patiently);
    expect(refused).not.toHaveBeenCalled();
    expect(api.counts()).toMatchObject({ activeWorkers: 0, executions: 0 });
  });
});

describe('work queued in a transaction', () => {
  test('is not queued when that rolls back', async () => {
    const jobs = newJobs(true);
    const { inputs, handler } = keeper();
    jobs.on('undone', handler);
    await jobs.start();
    const rolledBack = inTransaction(sql, async (tx) => {
      await jobs.enqueue(tx, 'undone', { kept: false });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await figuresOf(jobs, 'undone')).toMatchObject({ queued: 0, active: 0 });
    await jobs.enqueue(sql, 'undone', { kept: true });
    await vi.waitFor(() => expect(inputs).toEqual([{ kept: true }]), patiently);
  });

  test('runs after the commit and sees what was written', async () => {
    const jobs = newJobs(true);
    const found: number[] = [];
    jobs.on<{ word: string }>('look', async ({ word }) => {
      found.push((await sql`select from seen where word = ${word}`).count);
    });
    await jobs.start();
    await inTransaction(sql, async (tx) => {
      await jobs.enqueue(tx, 'look', { word: 'look' });
      await tx`insert into seen values ('look')`;
    });
    await vi.waitFor(() => expect(found).toEqual([1]), patiently);
  });
});

describe('a singleton key', () => {
  test('keeps one waiting job, with the latest input; others and keyless ones are not touched', async () => {
    const api = newJobs(false);
    api.on('one', async () => {});
    await api.start();
    for (const n of [1, 2, 3]) await api.enqueue(sql, 'one', { n }, { singletonKey: 'a' });
    await Promise.all([4, 5, 6].map((n) => api.enqueue(sql, 'one', { n }, { singletonKey: 'b' })));
    await api.enqueue(sql, 'one', { n: 7 });
    await api.enqueue(sql, 'one', { n: 8 });

    const worker = newJobs(true);
    const { inputs, handler } = keeper<{ n: number }>();
    worker.on('one', handler);
    await worker.start();
    await vi.waitFor(() => expect(inputs.map(({ n }) => n)).toContain(8), patiently);
    const [a, b, ...keyless] = inputs.map(({ n }) => n);
    expect([a, ...keyless]).toEqual([3, 7, 8]);
    expect([4, 5, 6]).toContain(b);
  });

  test('does not hold back the next job while one runs', async () => {
    const jobs = newJobs(true);
    const gate = Promise.withResolvers<void>();
    const inputs: object[] = [];
    jobs.on('again', async (input) => {
      inputs.push(input);
      await gate.promise;
    });
    await jobs.start();
    await jobs.enqueue(sql, 'again', { n: 1 }, { singletonKey: 'k' });
    await vi.waitFor(() => expect(inputs).toHaveLength(1), patiently);
    await jobs.enqueue(sql, 'again', { n: 2 }, { singletonKey: 'k' });
    gate.resolve();
    await vi.waitFor(() => expect(inputs).toEqual([{ n: 1 }, { n: 2 }]), patiently);
  });

  test('never runs the waiting job before the transaction that asked again has committed', async () => {
    const api = newJobs(false);
    api.on('wake', async () => {});
    await api.start();
    await api.enqueue(sql, 'wake', {}, { singletonKey: 'k' });

    const worker = newJobs(true);
    const runs: { key: string; words: number }[] = [];
    worker.on<{ other?: boolean }>('wake', async ({ other }) => {
      runs.push({ key: other ? 'other' : 'k', words: (await sql`select from seen where word = 'wake'`).count });
    });
    await inTransaction(sql, async (tx) => {
      await api.enqueue(tx, 'wake', {}, { singletonKey: 'k' });
      await tx`insert into seen values ('wake')`;
      await worker.start();
      await worker.enqueue(sql, 'wake', { other: true });
      await vi.waitFor(() => expect(runs).toEqual([{ key: 'other', words: 0 }]), patiently);
    });
    await vi.waitFor(() => expect(runs).toHaveLength(2), patiently);
    expect(runs[1]).toEqual({ key: 'k', words: 1 });
  });
});

describe('a job that fails', () => {
  test('is tried again, then done', async () => {
    const jobs = newJobs(true);
    let tries = 0;
    jobs.on('flaky', async () => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
    });
    await jobs.start();
    await jobs.enqueue(sql, 'flaky', {});
    await vi.waitFor(() => expect(jobs.counts()).toMatchObject({ executions: 2, succeeded: 1, failed: 1 }), patiently);
  });

  test('is reported once its retries are used up', async () => {
    const jobs = newJobs(true);
    const { inputs, handler } = keeper();
    jobs.on(
      'doomed',
      async () => {
        throw new Error('never');
      },
      { retryLimit: 0, whenGivenUp: handler },
    );
    await jobs.start();
    await jobs.enqueue(sql, 'doomed', { id: 7 });
    await vi.waitFor(() => expect(inputs).toEqual([{ id: 7 }]), patiently);
    expect(await figuresOf(jobs, 'doomed')).toMatchObject({ queued: 0, active: 0, failed: 1 });
  });

  test('is aborted when its time is up', async () => {
    const jobs = newJobs(true);
    const aborted = Promise.withResolvers<boolean>();
    jobs.on(
      'slow',
      async (_input, { signal }) => {
        await once(signal, 'abort');
        aborted.resolve(signal.aborted);
      },
      { expireInSeconds: 1, retryLimit: 0 },
    );
    await jobs.start();
    await jobs.enqueue(sql, 'slow', {});
    expect(await aborted.promise).toBe(true);
    await vi.waitFor(async () => expect(await figuresOf(jobs, 'slow')).toMatchObject({ failed: 1 }), patiently);
  });
});

describe('a worker that is gone', () => {
  test('leaves its job to another', async () => {
    const fixture = fileURLToPath(new URL('./hold-job.fixture.ts', import.meta.url));
    const child = spawn(process.execPath, [fixture, url, 'held'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const output = once(child.stdout, 'data');
    const jobs = newJobs(true);
    const { inputs, handler } = keeper();
    try {
      const api = newJobs(false);
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

describe('a cron entry', () => {
  test('fires, in one process of the fleet', async () => {
    const fleet = [newJobs(true), newJobs(true)];
    let runs = 0;
    for (const jobs of fleet) {
      jobs.every('tick', '* * * * *', async () => {
        runs += 1;
      });
    }
    await Promise.all(fleet.map((jobs) => jobs.start()));
    await vi.waitFor(() => expect(runs).toBeGreaterThan(0), patiently);
    await Promise.all(fleet.map((jobs) => jobs.stop()));
    expect(await sql`select from pgboss.job where name = 'tick' and state = 'completed'`).toHaveLength(runs);
  });

  test('that the code no longer has is taken out', async () => {
    const jobs = newJobs(true);
    jobs.every('another', '0 0 1 1 *', async () => {});
    await jobs.start();
    expect(await sql`select name, cron, timezone from pgboss.schedule`).toEqual([
      { name: 'another', cron: '0 0 1 1 *', timezone: 'UTC' },
    ]);
  });

  test('never overlaps itself', async () => {
    const jobs = newJobs(true);
    const gate = Promise.withResolvers<void>();
    let running = 0;
    jobs.every('long', '0 0 1 1 *', async () => {
      running += 1;
      await gate.promise;
    });
    await jobs.start();
    await jobs.enqueue(sql, 'long', {});
    await vi.waitFor(() => expect(running).toBe(1), patiently);
    await jobs.enqueue(sql, 'long', {});
    expect(await figuresOf(jobs, 'long')).toMatchObject({ queued: 0, active: 1 });
    gate.resolve();
  });
});

describe('stopping', () => {
  test('waits for what runs and takes nothing new', async () => {
    const jobs = newJobs(true);
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
    const jobs = newJobs(true);
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
    const jobs = newJobs(true, log, own);
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
    const fleet = Array.from({ length: 4 }, () => newJobs(true, undefined, empty.sql));
    const { inputs, handler } = keeper();
    for (const jobs of fleet) jobs.on('first', handler);
    await Promise.all(fleet.map((jobs) => jobs.start()));
    await fleet[0]?.enqueue(empty.sql, 'first', { ok: true });
    await vi.waitFor(() => expect(inputs).toEqual([{ ok: true }]), patiently);
    await Promise.all(fleet.map((jobs) => jobs.stop()));
  });

  test('keeps the settings of a queue as the code has them', async () => {
    for (const retryLimit of [3, 4]) {
      const jobs = newJobs(false);
      jobs.on('tuned', async () => {}, { retryLimit, expireInSeconds: 60 });
      await jobs.start();
      const [queue] = await sql`select retry_limit, expire_seconds from pgboss.queue where name = 'tuned'`;
      expect(queue).toEqual({ retry_limit: retryLimit, expire_seconds: 60 });
    }
  });
});
