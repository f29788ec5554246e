import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  call,
  patienceMs,
  type TestOrganization,
  testDatabase,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { inTransaction, type Sql } from '../../platform/database/index.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { newId } from '../../platform/ids.ts';
import { openJobs, stopOpenedJobs } from '../../platform/jobs/testing/opened-jobs.ts';
import { MAX_WAITING_BYTES, MAX_WAITING_JOBS } from './admit-job.ts';
import { createTrackedJobs, type TrackedHandler, type TrackedJobs } from './index.ts';
import { lockTurn, moveClock, restartTurns } from './sql/turns.ts';

const patiently = { timeout: patienceMs(), interval: 20 };
const now = new Date('2026-11-15T08:00:00Z');
let sql: Sql;
let one: TestOrganization;
let other: TestOrganization;
let third: TestOrganization;

beforeAll(async () => {
  ({ sql } = await testDatabase());
  one = await testOrganization(sql);
  other = await testOrganization(sql);
  third = await testOrganization(sql);
});
afterEach(stopOpenedJobs);

async function newTracker(
  type: string,
  handler: TrackedHandler<object>,
  { runWorkers = true, concurrency = 2 } = {},
): Promise<TrackedJobs> {
  const log = pino({ level: 'silent' });
  const jobs = openJobs(sql, runWorkers, log);
  const tracked = createTrackedJobs({ sql, log, jobs, clock: systemClock() });
  tracked.register(type, handler, { resource: 'Orders', concurrency });
  await jobs.start();
  return tracked;
}

function start(tracked: TrackedJobs, type: string, { id }: TestOrganization, input: object = {}) {
  return inTransaction(sql, (tx) => tracked.start(tx, { organizationId: id, type, input, createdBy: null, now }));
}

/** Tenants in the order in which their jobs were begun. */
function beginnings(): { order: string[]; handler: TrackedHandler<object> } {
  const order: string[] = [];
  return { order, handler: async (_input, { organizationId }) => void order.push(organizationId) };
}

describe('round-robin between tenants', () => {
  test('starts a job after a few of another tenant, however many that one has waiting', async () => {
    const api = await newTracker('fair', async () => undefined, { runWorkers: false });
    for (let queued = 0; queued < 150; queued += 1) await start(api, 'fair', one);
    await start(api, 'fair', other);
    const { order, handler } = beginnings();
    // With two places, one that is slow to begin sees the other pass it by with as many as the machine likes.
    await newTracker('fair', handler, { concurrency: 1 });
    await vi.waitFor(() => expect(order).toHaveLength(151), patiently);
    expect(order.indexOf(other.id)).toBeLessThan(5);
  });

  test('applies to three tenants and to a half-processed backlog', async () => {
    const api = await newTracker('midway', async () => undefined, { runWorkers: false });
    for (let queued = 0; queued < 60; queued += 1) await start(api, 'midway', one);
    const { order, handler } = beginnings();
    let begun = 0;
    const half = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const halfDone: TrackedHandler<object> = async (input, context) => {
      await handler(input, context);
      begun += 1;
      if (begun === 30) half.resolve();
      if (begun >= 30) await gate.promise;
    };
    // With two, a job that takes long keeps its tenant from the next turn, and the others go on.
    await newTracker('midway', halfDone, { concurrency: 1 });
    await half.promise;
    for (let queued = 0; queued < 10; queued += 1)
      for (const tenant of [other, third]) await start(api, 'midway', tenant);
    gate.resolve();
    await vi.waitFor(() => expect(order).toHaveLength(80), patiently);
    const next = order.slice(30, 60);
    for (let round = 0; round < 10; round += 1) {
      expect(new Set(next.slice(round * 3, round * 3 + 3))).toEqual(new Set([one.id, other.id, third.id]));
    }
  });

  test('does not let a tenant catch up on turns it did not use', async () => {
    const type = 'paused';
    const turnOf = (tenant: TestOrganization) =>
      inTransaction(sql, (tx) => lockTurn(tx, { organizationId: tenant.id, type }));
    expect([await turnOf(one), await turnOf(one), await turnOf(other)]).toEqual([1, 2, 1]);
    await moveClock(sql, type, 40);
    expect([await turnOf(other), await turnOf(one), await turnOf(one)]).toEqual([41, 41, 42]);
    await moveClock(sql, type, 7);
    expect(await turnOf(third)).toBe(41);
    await restartTurns(sql, 41);
    expect(await turnOf(third)).toBe(42);
    await restartTurns(sql, 40);
    expect([await turnOf(third), await turnOf(one)]).toEqual([1, 1]);
  });

  test('leaves a slot for another tenant when one has long jobs', async () => {
    const { tracked, begun, gate } = await longJobs('long', { waitingBefore: 0, concurrency: 2 });
    for (let queued = 0; queued < 4; queued += 1) await start(tracked, 'long', one);
    await vi.waitFor(() => expect(begun).toContain(one.id), patiently);
    await othersAreBegun(tracked, 'long', begun);
    gate.resolve();
    await vi.waitFor(() => expect(begun).toHaveLength(7), patiently);
  });

  test.each([1, 2, 3])('holds when all workers fetch at the same time (%i)', async (round) => {
    const type = `at-once-${round}`;
    const { tracked, begun, gate } = await longJobs(type, { waitingBefore: 8, concurrency: 4 });
    await vi.waitFor(() => expect(begun).toHaveLength(3), patiently);
    await othersAreBegun(tracked, type, begun);
    expect(begun.filter((tenant) => tenant === one.id)).toHaveLength(3);
    gate.resolve();
    await vi.waitFor(() => expect(begun).toHaveLength(11), patiently);
  });

  /** Jobs of one tenant that end only when the gate is opened; some wait before there is a worker. */
  async function longJobs(
    type: string,
    { waitingBefore, concurrency }: { waitingBefore: number; concurrency: number },
  ) {
    const api = await newTracker(type, async () => undefined, { runWorkers: false });
    for (let queued = 0; queued < waitingBefore; queued += 1) await start(api, type, one);
    const gate = Promise.withResolvers<void>();
    const begun: string[] = [];
    const handler: TrackedHandler<object> = async (_input, { organizationId }) => {
      begun.push(organizationId);
      if (organizationId === one.id) await gate.promise;
    };
    return { tracked: await newTracker(type, handler, { concurrency }), begun, gate };
  }

  async function othersAreBegun(tracked: TrackedJobs, type: string, begun: readonly string[]): Promise<void> {
    for (let queued = 0; queued < 3; queued += 1) {
      const before = begun.length;
      await start(tracked, type, other);
      await vi.waitFor(() => expect(begun.slice(before)).toContain(other.id), patiently);
    }
  }
});

describe('limits of waiting jobs', () => {
  async function refusalOf(started: Promise<unknown>): Promise<Problem> {
    return started.then(
      () => Promise.reject(new Error('was let in')),
      (error: unknown) => error as Problem,
    );
  }

  async function fill(organizationId: string, type: string, jobs: number, bytes: number): Promise<void> {
    await sql`
      insert into jobs (organization_id, id, type, resource, input, input_bytes, created, updated)
      select ${organizationId}, gen_random_uuid(), ${type}, 'Orders', '{}', ${bytes}, ${now}, ${now}
      from generate_series(1, ${jobs})`;
  }

  test('returns 429 for a job past the limit, exactly, also for concurrent requests; other tenants are admitted', async () => {
    const full = await testOrganization(sql);
    const tracked = await newTracker('many', async () => undefined, { runWorkers: false });
    await fill(full.id, 'many', MAX_WAITING_JOBS - 2, 2);
    const asked = await Promise.allSettled(Array.from({ length: 6 }, () => start(tracked, 'many', full)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const refusal = await refusalOf(start(tracked, 'many', full));
    expect(refusal).toMatchObject({
      status: 429,
      message: 'Too many queued jobs',
      details: { limit: MAX_WAITING_JOBS, retry_after_seconds: 10 },
      headers: { 'retry-after': '10' },
    });
    await start(tracked, 'many', other);
    await sql`update jobs set status = 'running' where id = (select id from jobs where organization_id = ${full.id} limit 1)`;
    await start(tracked, 'many', full);
  });

  test('returns 429 for more bytes than the limit', async () => {
    const full = await testOrganization(sql);
    const tracked = await newTracker('large', async () => undefined, { runWorkers: false });
    const text = 'x'.repeat(1000);
    const bytes = JSON.stringify({ text }).length;
    await fill(full.id, 'large', 1, MAX_WAITING_BYTES - bytes);
    await start(tracked, 'large', full, { text });
    const refusal = await refusalOf(start(tracked, 'large', full));
    expect(refusal).toMatchObject({ status: 429, details: { limit_bytes: MAX_WAITING_BYTES } });
  });

  test('returns 429 with Retry-After over HTTP, and writes neither order nor job', async () => {
    const service = await testService({ DUKKAN_ROLES: 'api' });
    const shop = await testOrganization(service.sql);
    await service.sql`
      insert into jobs (organization_id, id, type, input, created, updated)
      select ${shop.id}, gen_random_uuid(), 'create-order', '{}', ${now}, ${now}
      from generate_series(1, ${MAX_WAITING_JOBS})`;
    const reply = await call(service.baseUrl, 'POST /orders', {
      token: shop.owner.token,
      headers: { 'x-async': 'true', 'idempotency-key': newId() },
      body: {
        order_status: 'RECEIVED',
        fulfillment_status: 'None',
        skus: ['P'],
        products: [{ product_id: 'P', sku_id: 'P' }],
      },
    });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '10']);
    expect(reply.body).toMatchObject({ code: 429, error: 'Too many queued jobs' });
    const [counted] = await service.sql`select count(*) as jobs from jobs where organization_id = ${shop.id}`;
    expect(counted).toEqual({ jobs: MAX_WAITING_JOBS });
  });
});
