import type { ServerResponse } from 'node:http';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { call, TEST_SECRET, type TestService, testOrganization, testService } from '../../../test/harness/index.ts';
import type { Receiver } from '../../platform/outbound/testing/receiver.ts';
import { actAs, loopbackSettings, newOrder, POLL_OPTIONS, type WebhookService } from './testing/webhook-service.ts';
import { startWorkerProcess, type WorkerProcess } from './testing/worker-process.ts';

let stage: Omit<WebhookService, 'clock'>;
let api: TestService;
let settings: Record<string, string>;
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  const { loopback, settings: outbound } = await loopbackSettings();
  settings = { ...outbound, WEBHOOK_RETRY_DELAYS: '0.2,0.2' };
  api = await testService({ ...settings, DUKKAN_ROLES: 'api' });
  stage = await actAs(api, await testOrganization(api.sql), loopback);
});

afterEach(async () => {
  for (const worker of workers.splice(0)) if (worker.child.exitCode === null) await worker.end('SIGKILL');
});

async function startWorker(more: Record<string, string> = {}): Promise<WorkerProcess> {
  const worker = await startWorkerProcess({
    ...settings,
    DATABASE_URL: api.databaseUrl,
    DUKKAN_SECRET: TEST_SECRET,
    DUKKAN_DATA_DIR: api.dataDir,
    DATABASE_POOL_SIZE: '6',
    ...more,
  });
  workers.push(worker);
  return worker;
}

async function placeOrders(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 100) {
    const orders = Array.from({ length: Math.min(100, left) }, () => newOrder);
    const reply = await stage.call('POST /orders/bulk', { body: { mode: 'create', orders } });
    expect(reply.status).toBe(200);
  }
}

async function queueIsEmpty(): Promise<void> {
  await expect
    .poll(async () => (await api.sql`select count(*) as left from webhook_queued_deliveries`)[0])
    .toEqual({ left: 0 });
}

const idsOf = (receiver: Receiver) => receiver.requests.map(({ headers }) => String(headers['webhook-id']));

describe('the API process alone', () => {
  it('never delivers: not events, not tests, not replays', async () => {
    const receiver = await stage.receiver();
    const { id } = await stage.subscribe(receiver);
    await stage.placeOrder();
    const test = await stage.call<{ id: string }>(`POST /webhook-subscriptions/${id}/test`);
    await stage.call(`POST /webhook-subscriptions/${id}/deliveries/${test.body.id}/replay`);
    // A worker comes, does what has been waiting, and goes: whatever it did not find was sent by the API.
    expect(receiver.connections()).toBe(0);
    const worker = await startWorker();
    await stage.logOf(id, ['delivered', 'delivered']);
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(receiver.requests).toHaveLength(2);

    await stage.call(`POST /webhook-subscriptions/${id}/test`);
    await stage.placeOrder();
    const [queued] = await api.sql`select count(*) as waiting from webhook_queued_deliveries where claim_id is null`;
    expect(queued).toEqual({ waiting: 1 });
    expect(receiver.requests).toHaveLength(2);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });
});

describe('two workers', () => {
  it('share the deliveries and send none twice', async () => {
    // Long enough for the other to be needed.
    const receiver = await stage.receiver((_request, response) => setTimeout(() => response.end(), 100));
    const subscriptions = [];
    for (let count = 0; count < 4; count += 1) subscriptions.push(await stage.subscribe(receiver));
    // With an address each, so that each can be asked what it did.
    const pair = [0, 1].map(() => startWorker({ DUKKAN_ROLES: 'api,worker', PORT: '0' }));
    const addresses = (await Promise.all(pair)).map(({ baseUrl }) => baseUrl);
    await placeOrders(150);
    await expect.poll(() => receiver.requests.length).toBe(600);
    await queueIsEmpty();
    expect(receiver.requests).toHaveLength(600);
    const signatures = receiver.requests.map(({ headers }) => headers['webhook-signature']);
    expect(new Set(signatures).size).toBe(600);

    const [log] = await api.sql`
      select count(*) as delivered, max(attempts) as most, max(jsonb_array_length(attempt_log)) as logged
      from webhook_deliveries where status = 'delivered' and organization_id = ${stage.organization.id}
        and subscription_id = any(${subscriptions.map(({ id }) => id)})`;
    expect(log).toEqual({ delivered: 600, most: 1, logged: 1 });

    const shares = await Promise.all(addresses.map(attemptsOf));
    expect(shares.reduce((sum, attempts) => sum + attempts, 0)).toBe(600);
    // Without its share the slower process got nothing at all; how even it is depends on the scheduler.
    for (const share of shares) expect(share).toBeGreaterThan(20);
    for (const { id } of subscriptions) await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });
});

async function attemptsOf(baseUrl: string): Promise<number> {
  const { token } = stage.organization.owner;
  const reply = await call<{ sections: { webhooks: { attempts: number } } }>(baseUrl, 'GET /telemetry', { token });
  return reply.body.sections.webhooks.attempts;
}

describe('a worker that is killed in the middle', () => {
  it('loses its deliveries to another when their lease ends, and the log shows the abandoned attempt', async () => {
    const hanging: ServerResponse[] = [];
    let answering = false;
    const receiver = await stage.receiver((_request, response) => {
      if (answering) response.end();
      else hanging.push(response);
    });
    const { id } = await stage.subscribe(receiver);
    const worker = await startWorker({ WEBHOOK_LEASE_SECONDS: '3600' });
    await placeOrders(3);
    await expect.poll(() => hanging.length, POLL_OPTIONS).toBe(3);
    await worker.end('SIGKILL');
    // The hour of the lease is not waited for: it ends when it began.
    const leases = await api.sql<{ unsettled: number }[]>`
      with direct as (
        update webhook_direct_claims set lease_until = claimed_at where lease_until > now() + interval '50 minutes'
        returning unlogged as unsettled
      ), queued as (
        update webhook_leases set lease_until = claimed_at where lease_until > now() + interval '50 minutes'
        returning unsettled
      ) select unsettled from direct union all select unsettled from queued`;
    expect(leases.reduce((sum, { unsettled }) => sum + unsettled, 0)).toBe(3);
    answering = true;
    await startWorker();
    const log = await stage.logOf(id, ['delivered', 'delivered', 'delivered']);
    for (const row of log) {
      expect(row.attempts).toBe(1);
      expect(row.attempt_log.map((attempt) => attempt.error)).toEqual(['abandoned: the sender was lost', '']);
    }
    const ids = idsOf(receiver);
    expect(ids.slice(3).sort()).toEqual(ids.slice(0, 3).sort());
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });
});

describe('a worker that is stopped', () => {
  it('finishes and settles attempts in flight', async () => {
    const receiver = await stage.receiver((_request, response) => setTimeout(() => response.end(), 1000));
    const { id } = await stage.subscribe(receiver);
    const worker = await startWorker();
    await placeOrders(5);
    await expect.poll(() => receiver.requests.length, POLL_OPTIONS).toBe(5);
    expect(await worker.end('SIGTERM')).toBe(0);
    const log = await stage.log(id);
    expect(log.map((row) => [row.status, row.attempts])).toEqual(Array(5).fill(['delivered', 1]));
    const [queue] = await api.sql`select count(*) as left from webhook_queued_deliveries`;
    expect(queue).toEqual({ left: 0 });
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it('aborts requests without an answer and releases their deliveries at once', async () => {
    const receiver = await stage.receiver(() => undefined);
    const { id } = await stage.subscribe(receiver);
    const worker = await startWorker();
    await placeOrders(2);
    await expect.poll(() => receiver.requests.length, POLL_OPTIONS).toBe(2);
    expect(await worker.end('SIGTERM')).toBe(0);
    const log = await stage.log(id);
    for (const row of log) {
      expect(row).toMatchObject({ status: 'pending', attempts: 0 });
      expect(row.attempt_log.map((attempt) => attempt.error)).toEqual(['abandoned: the service was stopped']);
    }
    const [queue] =
      await api.sql`select count(*) filter (where claim_id is null) as waiting, count(*) as all from webhook_queued_deliveries`;
    expect(queue).toEqual({ waiting: 2, all: 2 });
    expect(receiver.openConnections()).toBe(0);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });
});
