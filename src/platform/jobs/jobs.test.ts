import { once } from 'node:events';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../test/harness/index.ts';
import { connectDatabase, inTransaction, type Sql, withoutTenant } from '../database/index.ts';
import { figuresOf, keeper, openJobs, patiently, stopOpenedJobs } from './testing/opened-jobs.ts';

let sql: Sql;
let url: string;

beforeAll(async () => {
  ({ sql, url } = await testDatabase());
  await sql`create table seen (word text not null)`;
});
afterEach(stopOpenedJobs);

describe('a queued job', () => {
  test('runs once, with the input it was given', async () => {
    const jobs = openJobs(sql, true);
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
    // Who paused after a job would not look again within the hour.
    const fleet = [openJobs(sql, true, undefined, 3_600_000), openJobs(sql, true, undefined, 3_600_000)];
    for (const jobs of fleet) jobs.on('share', handler, { concurrency: 2 });
    // Before any worker listens: one look each is all that they have.
    const backlog = openJobs(sql, false);
    backlog.on('share', handler);
    await backlog.start();
    await Promise.all(Array.from({ length: 100 }, (_, n) => backlog.enqueue(sql, 'share', { n })));
    await Promise.all(fleet.map((jobs) => jobs.start()));
    await vi.waitFor(() => expect(inputs.length).toBeGreaterThanOrEqual(100), patiently);
    await Promise.all(fleet.map((jobs) => jobs.stop()));
    expect(inputs.map(({ n }) => n).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });

  test('waits for its time', async () => {
    const jobs = openJobs(sql, true);
    const { inputs, handler } = keeper<{ order: string }>();
    jobs.on('later', handler);
    await jobs.start();
    await jobs.enqueue(sql, 'later', { order: 'delayed' }, { startAfterSeconds: 1 });
    await jobs.enqueue(sql, 'later', { order: 'at once' });
    await vi.waitFor(() => expect(inputs).toHaveLength(2), patiently);
    expect(inputs.map(({ order }) => order)).toEqual(['at once', 'delayed']);
  });

  test('is refused under a name without a handler, and before the start', async () => {
    const jobs = openJobs(sql, false);
    jobs.on('known', async () => {});
    await expect(jobs.enqueue(sql, 'known', {})).rejects.toThrow('not started');
    await jobs.start();
    await expect(jobs.enqueue(sql, 'unknown', {})).rejects.toThrow('there is no job unknown');
    expect(() => jobs.on('late', async () => {})).toThrow('after the start');
  });
});

describe('a process without workers', () => {
  test('queues and never runs', async () => {
    const api = openJobs(sql, false);
    const refused = vi.fn();
    api.on('split', async () => refused());
    await api.start();
    await api.enqueue(sql, 'split', { from: 'api' });
    expect(await figuresOf(api, 'split')).toMatchObject({ queued: 1, active: 0 });

    const worker = openJobs(sql, true);
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
    const jobs = openJobs(sql, true);
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

  test('needs no second connection, not even the first of a new queue', async () => {
    const single = connectDatabase(url, { poolSize: 1, applicationName: 'single' });
    const jobs = openJobs(single, false);
    jobs.on('brand-new', async () => {});
    await jobs.start();
    await inTransaction(single, (tx) => jobs.enqueue(tx, 'brand-new', {}));
    expect(await figuresOf(jobs, 'brand-new')).toMatchObject({ queued: 1 });
    await jobs.stop();
    await single.end();
  });

  test('runs after the commit and sees what was written', async () => {
    const jobs = openJobs(sql, true);
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
    const api = openJobs(sql, false);
    api.on('one', async () => {});
    await api.start();
    for (const n of [1, 2, 3]) await api.enqueue(sql, 'one', { n }, { singletonKey: 'a' });
    await Promise.all([4, 5, 6].map((n) => api.enqueue(sql, 'one', { n }, { singletonKey: 'b' })));
    await api.enqueue(sql, 'one', { n: 7 });
    await api.enqueue(sql, 'one', { n: 8 });

    const worker = openJobs(sql, true);
    const { inputs, handler } = keeper<{ n: number }>();
    worker.on('one', handler);
    await worker.start();
    await vi.waitFor(() => expect(inputs.map(({ n }) => n)).toContain(8), patiently);
    const [a, b, ...keyless] = inputs.map(({ n }) => n);
    expect([a, ...keyless]).toEqual([3, 7, 8]);
    expect([4, 5, 6]).toContain(b);
  });

  test('does not hold back the next job while one runs', async () => {
    const jobs = openJobs(sql, true);
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
    const api = openJobs(sql, false);
    api.on('wake', async () => {});
    await api.start();
    await api.enqueue(sql, 'wake', {}, { singletonKey: 'k' });

    const worker = openJobs(sql, true);
    const runs: { key: string; words: number }[] = [];
    worker.on<{ other?: boolean }>('wake', async ({ other }) => {
      runs.push({ key: other ? 'other' : 'k', words: (await sql`select from seen where word = 'wake'`).count });
    });
    await inTransaction(sql, async (tx) => {
      await api.enqueue(tx, 'wake', {}, { singletonKey: 'k' });
      await tx`insert into seen values ('wake')`;
      await withoutTenant(async () => {
        await worker.start();
        await worker.enqueue(sql, 'wake', { other: true });
        await vi.waitFor(() => expect(runs).toEqual([{ key: 'other', words: 0 }]), patiently);
      });
    });
    await vi.waitFor(() => expect(runs).toHaveLength(2), patiently);
    expect(runs[1]).toEqual({ key: 'k', words: 1 });
  });
});

describe('a job that fails', () => {
  test('is tried again, then done', async () => {
    const jobs = openJobs(sql, true);
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
    const jobs = openJobs(sql, true);
    const { inputs, handler } = keeper();
    jobs.on(
      'doomed',
      async () => {
        throw new Error('never');
      },
      { retryLimit: 0, onDeadLetter: handler },
    );
    await jobs.start();
    await jobs.enqueue(sql, 'doomed', { id: 7 });
    await vi.waitFor(() => expect(inputs).toEqual([{ id: 7 }]), patiently);
    expect(await figuresOf(jobs, 'doomed')).toMatchObject({ queued: 0, active: 0, failed: 1 });
  });

  test('is aborted when its time is up', async () => {
    const jobs = openJobs(sql, true);
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

describe('a cron entry', () => {
  test('fires, in one process of the fleet', async () => {
    const fleet = [openJobs(sql, true), openJobs(sql, true)];
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
    const jobs = openJobs(sql, true);
    jobs.every('another', '0 0 1 1 *', async () => {});
    await jobs.start();
    expect(await sql`select name, cron, timezone from pgboss.schedule`).toEqual([
      { name: 'another', cron: '0 0 1 1 *', timezone: 'UTC' },
    ]);
  });

  test('never overlaps itself', async () => {
    const jobs = openJobs(sql, true);
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
