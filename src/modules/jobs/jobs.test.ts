import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { Static } from 'typebox';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  call,
  patienceMs,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { type Clock, movableClock, systemClock } from '../../platform/clock.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { conflict } from '../../platform/http/problem.ts';
import { isId, newId } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/index.ts';
import { openJobs, stopOpenedJobs } from '../../platform/jobs/testing/opened-jobs.ts';
import type { Resource } from '../identity/index.ts';
import { createTrackedJobs, queuedAnswer, type TrackedHandler, type TrackedJobs } from './index.ts';
import type { JobShape } from './schema.ts';

const patiently = { timeout: patienceMs(), interval: 20 };
const log = pino({ level: 'silent' });
const now = new Date('2026-11-15T08:00:00Z');

let service: TestService;
let organization: TestOrganization;

beforeAll(async () => {
  service = await testService({ DUKKAN_ROLES: 'api' });
  organization = await testOrganization(service.sql);
});

afterEach(stopOpenedJobs);

/** A process of the fleet, beside the service that answers the requests. */
async function newTracker(
  handlers: Record<string, TrackedHandler<object>>,
  { runWorkers = true, retryLimit = 5, clock = systemClock() as Clock, resource = 'Orders' as Resource } = {},
): Promise<{ tracked: TrackedJobs; jobs: Jobs }> {
  const jobs = openJobs(service.sql, runWorkers, log);
  const tracked = createTrackedJobs({ sql: service.sql, log, jobs, clock });
  for (const [type, handler] of Object.entries(handlers)) tracked.register(type, handler, { retryLimit, resource });
  await jobs.start();
  return { tracked, jobs };
}

function startJob(tracked: TrackedJobs, type: string, more: { createdBy?: string; total?: number } = {}) {
  const { createdBy = organization.owner.userId, total } = more;
  return inTransaction(service.sql, (tx) =>
    tracked.start(tx, { organizationId: organization.id, type, input: { type }, total, createdBy, now }),
  );
}

function look(id: string, token = organization.owner.token) {
  return call<Static<typeof JobShape>>(service.baseUrl, `GET /jobs/${id}`, { token });
}

async function expectStatus(id: string, status: string) {
  await vi.waitFor(async () => expect((await look(id)).body).toMatchObject({ status }), patiently);
  return (await look(id)).body;
}

describe('a tracked job', () => {
  test('goes from queued to succeeded, with its progress and its result', async () => {
    const api = await newTracker({ sum: async () => undefined }, { runWorkers: false });
    const { id } = await startJob(api.tracked, 'sum', { total: 3 });
    expect((await look(id)).body).toEqual({
      id,
      type: 'sum',
      status: 'queued',
      progress: { done: 0, total: 3 },
      result: null,
      error: null,
      created: now.toISOString(),
      updated: now.toISOString(),
      finished: null,
    });

    const gate = Promise.withResolvers<void>();
    const given: unknown[] = [];
    const later = movableClock(new Date(now.getTime() + 5000));
    const sum: TrackedHandler<object> = async (input, { organizationId, jobId, createdBy, progress }) => {
      given.push({ input, organizationId, jobId, createdBy });
      await progress(1, 4);
      await gate.promise;
      return { data: [{ deep: [1, null, 'نص'] }], count: 1 };
    };
    await newTracker({ sum }, { clock: later });
    await vi.waitFor(async () => {
      expect((await look(id)).body).toMatchObject({ status: 'running', progress: { done: 1, total: 4 }, result: null });
    }, patiently);
    gate.resolve();
    const done = await expectStatus(id, 'succeeded');
    expect(done).toMatchObject({
      progress: { done: 4, total: 4 },
      result: { data: [{ deep: [1, null, 'نص'] }], count: 1 },
      error: null,
      created: now.toISOString(),
      updated: later.now().toISOString(),
      finished: later.now().toISOString(),
    });
    expect(given).toEqual([
      { input: { type: 'sum' }, organizationId: organization.id, jobId: id, createdBy: organization.owner.userId },
    ]);
  });

  test('that is refused fails with the body of the direct call, at once', async () => {
    let runs = 0;
    const { tracked } = await newTracker({
      refuse: async () => {
        runs += 1;
        throw conflict('Duplicate source transaction ID', { source_transaction_id: 'T-1' });
      },
    });
    const { id } = await startJob(tracked, 'refuse');
    const failed = await expectStatus(id, 'failed');
    expect(failed.error).toEqual({
      code: 409,
      error: 'Duplicate source transaction ID',
      details: { source_transaction_id: 'T-1' },
    });
    expect(failed).toMatchObject({ result: null, finished: expect.any(String) });
    expect(runs).toBe(1);
    // The job says so in its own transaction; the queue hears of it a moment later.
    const unsettled = () => service.sql`select from pgboss.job where name = 'tracked/refuse' and state <> 'completed'`;
    await expect.poll(async () => (await unsettled()).length).toBe(0);
  });

  test('that breaks says nothing of the cause', async () => {
    const { tracked } = await newTracker({
      broken: async () => {
        throw new TypeError('an internal secret');
      },
    });
    const { id } = await startJob(tracked, 'broken');
    const failed = await expectStatus(id, 'failed');
    expect(failed.error).toEqual({ code: 500, error: 'Internal error', details: { job_id: id } });
  });

  test('with a value that the database cannot hold fails as the direct call does', async () => {
    const { tracked } = await newTracker({
      unusable: async () => service.sql`select ${'not a number'}::text::int`,
    });
    const { id } = await startJob(tracked, 'unusable');
    const failed = await expectStatus(id, 'failed');
    expect(failed.error).toMatchObject({ code: 422, details: 'A value cannot be stored' });
  });

  test('runs again after the database was gone', async () => {
    let runs = 0;
    const { tracked } = await newTracker({
      outage: async () => {
        runs += 1;
        // The statement's own connection is cut, as by a restart of the server.
        if (runs === 1) await service.sql`select pg_terminate_backend(pg_backend_pid())`;
        return { runs };
      },
    });
    const { id } = await startJob(tracked, 'outage');
    expect((await expectStatus(id, 'succeeded')).result).toEqual({ runs: 2 });
  });

  test('is failed once its retries are used up', async () => {
    const { tracked } = await newTracker(
      { hopeless: async () => service.sql`select pg_terminate_backend(pg_backend_pid())` },
      { retryLimit: 0 },
    );
    const { id } = await startJob(tracked, 'hopeless');
    const failed = await expectStatus(id, 'failed');
    expect(failed.error).toEqual({ code: 500, error: 'Internal error', details: { job_id: id } });
  });

  test('found running after its process was killed runs again', async () => {
    const fixture = fileURLToPath(new URL('./testing/hold-tracked-job.ts', import.meta.url));
    const child = spawn(process.execPath, [fixture, service.databaseUrl, 'killed'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = once(child.stdout, 'data');
    const api = await newTracker({ killed: async () => undefined }, { runWorkers: false });
    const { id } = await startJob(api.tracked, 'killed');
    try {
      expect(String((await output)[0]).trim()).toBe(id);
    } finally {
      child.kill('SIGKILL');
    }
    await once(child, 'exit');
    expect((await look(id)).body).toMatchObject({ status: 'running', progress: { done: 1, total: 2 } });

    await service.sql`
      update pgboss.job set heartbeat_on = heartbeat_on - interval '15 seconds' where name = 'tracked/killed'`;
    await newTracker({ killed: async (input) => input });
    expect((await expectStatus(id, 'succeeded')).result).toEqual({ type: 'killed' });
  });

  test('does not exist when the transaction that started it rolls back', async () => {
    const { tracked } = await newTracker({ undone: async () => undefined });
    let id = '';
    const rolledBack = inTransaction(service.sql, async (tx) => {
      const job = { organizationId: organization.id, type: 'undone', input: {}, createdBy: null, now };
      ({ id } = await tracked.start(tx, job));
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(isId(id)).toBe(true);
    expect((await look(id)).status).toBe(404);
    expect(await service.sql`select from pgboss.job where name = 'tracked/undone'`).toEqual([]);
  });

  test('keeps no input once it is done', async () => {
    const { tracked } = await newTracker({ large: async () => undefined });
    const { id } = await startJob(tracked, 'large');
    await expectStatus(id, 'succeeded');
    expect(await service.sql`select input, result from jobs where id = ${id}`).toEqual([{ input: null, result: null }]);
  });

  test('is forgotten after 30 days', async () => {
    const clock = movableClock(new Date(now.getTime() + 30 * 86_400_000 - 1000));
    const { tracked, jobs } = await newTracker({ old: async () => undefined }, { clock });
    const { id } = await startJob(tracked, 'old');
    await expectStatus(id, 'succeeded');
    await jobs.enqueue(service.sql, 'forget-old-jobs', {});
    await vi.waitFor(() => expect(jobs.counts().succeeded).toBe(2), patiently);
    expect((await look(id)).status).toBe(200);
    clock.advanceMs(2000);
    await vi.waitFor(async () => {
      await jobs.enqueue(service.sql, 'forget-old-jobs', {});
      expect((await look(id)).status).toBe(404);
    }, patiently);
  });
});

describe('GET /jobs/{id}', () => {
  test('404: unknown, malformed, and of another organization', async () => {
    const { tracked } = await newTracker({ mine: async () => ({ secret: true }) });
    const { id } = await startJob(tracked, 'mine');
    await expectStatus(id, 'succeeded');
    const foreign = await testOrganization(service.sql);
    for (const [asked, token] of [
      [newId(), organization.owner.token],
      ['not-an-id', organization.owner.token],
      [id, foreign.owner.token],
    ] as const) {
      const reply = await look(asked, token);
      expect([reply.status, reply.body]).toEqual([404, { code: 404, error: 'Job not found', details: { id: asked } }]);
    }
  });

  test('404: of someone else, for an account confined to a branch', async () => {
    const { tracked } = await newTracker({ branch: async () => undefined }, { runWorkers: false });
    const confined = await testAccount(service.sql, organization.id, 'member', { branchId: newId() });
    const { id: own } = await startJob(tracked, 'branch', { createdBy: confined.userId });
    const { id: other } = await startJob(tracked, 'branch');
    expect((await look(own, confined.token)).status).toBe(200);
    expect((await look(other, confined.token)).status).toBe(404);
    expect((await look(own)).status).toBe(200);
  });

  test('401 without a token', async () => {
    expect((await call(service.baseUrl, `GET /jobs/${newId()}`)).status).toBe(401);
  });

  test('403: without the right to read what the job is about; 404 where there is no job', async () => {
    const about = async (resource: Resource) => {
      const { tracked } = await newTracker({ [`about-${resource}`]: async () => undefined }, { resource });
      return (await startJob(tracked, `about-${resource}`)).id;
    };
    const [orders, webhooks] = [await about('Orders'), await about('Webhooks')];
    for (const [withheld, refused, shown] of [
      ['Orders', orders, webhooks],
      ['Webhooks', webhooks, orders],
    ] as const) {
      const { token } = await testAccount(service.sql, organization.id, 'viewer', { withheld: [`read:${withheld}`] });
      const reply = await look(refused, token);
      expect([reply.status, reply.body]).toEqual([
        403,
        { code: 403, error: 'Forbidden', details: { grant: `read on ${withheld} is required` } },
      ]);
      expect((await look(shown, token)).status).toBe(200);
      expect((await look(newId(), token)).status).toBe(404);
    }
    const foreign = await testOrganization(service.sql);
    expect((await look(webhooks, foreign.owner.token)).status).toBe(404);
  });
});

test('the answer to a queued call names the job and where to look', () => {
  const clock = movableClock(now);
  expect(queuedAnswer(clock, 'J')).toEqual({
    success: true,
    message: 'Queued',
    data: { job_id: 'J', status_url: '/api/v1/jobs/J' },
    timestamp: now.toISOString(),
  });
});
