import { beforeAll, describe, expect, it } from 'vitest';
import {
  BOUNDED_MS,
  call,
  type TestOrganization,
  type TestService,
  testDatabase,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { type TcpProxy, tcpProxy } from '../../../test/harness/tcp-proxy.ts';
import { movableClock } from '../../platform/clock.ts';
import { BACKGROUND_LIMITS, REQUEST_LIMITS } from '../../platform/database/index.ts';

const clock = movableClock(new Date('2026-11-15T08:00:00.123Z'));
let service: TestService;
let shop: TestOrganization;
let proxy: TcpProxy;

/** The service reaches its database through a proxy that can be cut; the test itself does not. */
beforeAll(async () => {
  const database = await testDatabase();
  const url = new URL(database.url);
  proxy = await tcpProxy({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  // What is tried out here is how soon they end.
  const limits = { request: REQUEST_LIMITS, background: BACKGROUND_LIMITS };
  service = await testService({}, { clock, database: { url: url.href, sql: database.sql }, limits });
  shop = await testOrganization(service.sql);
});

const ask = (target: string, token?: string) => call(service.baseUrl, target, { token });

describe('GET /ping', () => {
  it('returns 200 without a token', async () => {
    const { status, body } = await ask('GET /ping');
    expect([status, body]).toEqual([200, { message: 'pong', timestamp: '2026-11-15T08:00:00.123Z' }]);
  });
});

describe('GET /health', () => {
  it('returns 200 healthy', async () => {
    const { status, body } = await ask('GET /health');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'healthy',
      version: '1.0.0',
      environment: 'test',
      timestamp: '2026-11-15T08:00:00.123Z',
    });
  });

  it('answers the same at the root of the API port', async () => {
    const answer = await fetch(new URL('/health', service.baseUrl));
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'healthy', version: '1.0.0' }]);
  });

  it('returns 200 degraded while the database is slow', async () => {
    proxy.slowDown(1_200);
    await expect.poll(async () => (await ask('GET /health')).body.status).toBe('degraded');
    expect((await ask('GET /health')).status).toBe(200);
    proxy.restore();
    await expect.poll(async () => (await ask('GET /health')).body.status).toBe('healthy');
  });

  it.each([
    ['is gone', () => proxy.cut()],
    ['no longer answers', () => proxy.freeze()],
  ])('returns 503 unhealthy while the database %s, and recovers when it is back', async (_what, fail) => {
    expect((await ask('GET /auth/credentials', shop.owner.token)).status).toBe(200);
    fail();
    await expect.poll(async () => (await ask('GET /health')).status).toBe(503);
    const startedMs = performance.now();
    const sick = await ask('GET /health');
    expect(performance.now() - startedMs).toBeLessThan(BOUNDED_MS);
    expect(sick.body).toEqual({
      code: 503,
      error: 'Service unhealthy',
      details: { status: 'unhealthy', reason: 'The database cannot be reached' },
    });
    // What needs no database goes on.
    expect((await ask('GET /ping')).status).toBe(200);
    expect((await ask('GET /openapi.json')).status).toBe(200);

    proxy.restore();
    await expect.poll(async () => (await ask('GET /health')).status).toBe(200);
    await expect.poll(async () => (await ask('GET /auth/credentials', shop.owner.token)).status).toBe(200);
    expect((await call(service.baseUrl, 'POST /leads', { body: { name: 'n', email: 'a@b.co' } })).status).toBe(200);
  });

  it('tenant routes return 503 without delay too while the database is gone', async () => {
    proxy.cut();
    // Who is known from memory may be known for up to a second.
    await expect.poll(async () => (await ask('GET /auth/credentials', shop.owner.token)).status).toBe(503);
    const startedMs = performance.now();
    const refused = await ask('GET /auth/credentials', shop.owner.token);
    expect(refused.body).toEqual({
      code: 503,
      error: 'Service unavailable',
      details: 'The database cannot be reached',
    });
    expect(performance.now() - startedMs).toBeLessThan(BOUNDED_MS);
    const lead = await call(service.baseUrl, 'POST /leads', { body: { name: 'n', email: 'a@b.co' } });
    expect(lead.body).toEqual({ data: null, message: 'failed to create lead', status: 500 });
    proxy.restore();
    await expect.poll(async () => (await ask('GET /auth/credentials', shop.owner.token)).status).toBe(200);
  });

  it('revocation takes effect at once after such an outage', async () => {
    const other = await testOrganization(service.sql);
    expect((await ask('GET /telemetry', other.owner.token)).status).toBe(200);
    await service.sql`update session_tokens set revoked_at = ${new Date()} where user_id = ${other.owner.userId}`;
    await expect.poll(async () => (await ask('GET /telemetry', other.owner.token)).status).toBe(401);
  });
});

describe('GET /health/system', () => {
  it('returns every figure', async () => {
    const { status, body } = await ask('GET /health/system', shop.owner.token);
    expect(status).toBe(200);
    const count = expect.any(Number);
    expect(body).toEqual({
      status: 'healthy',
      version: '1.0.0',
      environment: 'test',
      uptime_seconds: count,
      system_health: {
        status: 'healthy',
        initialized: true,
        started: true,
        timestamp: clock.now().toISOString(),
        total_apps: count,
        active_apps: count,
        manager_metrics: { active_instances: count, total_instances: count, total_organizations: 2 },
        registry_metrics: { total_factories: count, total_created: count, total_errors: count, cache_hit_rate: count },
        scheduler_metrics: {
          active_workers: count,
          total_executions: count,
          successful_runs: count,
          failed_runs: count,
          success_rate: count,
        },
        staging_metrics: { total_processed: count, total_failed: count, total_cleaned_up: count },
      },
    });
    expect(Number(body.uptime_seconds)).toBeGreaterThan(0);
    expect(Number(body.system_health?.scheduler_metrics?.active_workers)).toBeGreaterThan(0);
  });

  it('401 without a token', async () => {
    const reply = await ask('GET /health/system');
    expect(reply.body).toMatchObject({ code: 401, error: 'Valid API key required' });
  });
});
