import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  commercialAccount,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { attributesOf, type Collector, startCollector } from '../../platform/tracing/testing/collector.ts';
import { newOrder } from '../orders/testing/new-order.ts';
import { actAs, loopbackSettings } from '../webhooks/testing/webhook-service.ts';

type Rules = { groups: { rules: { expr: string }[] }[] };
type Route = {
  method: string;
  route: string;
  requests: number;
  errors: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
};
type Telemetry = {
  uptime_seconds: number;
  process: Record<string, number | string>;
  event_loop: Record<string, number>;
  http: { in_flight: number; requests: number; errors: number; routes: Route[] };
  database: { pool_size: number; open: number; active: number };
  jobs: { name: string; queued: number; active: number; failed: number }[];
};

let service: TestService;
let shop: TestOrganization;
let collector: Collector;
let loopback: Awaited<ReturnType<typeof loopbackSettings>>['loopback'];
beforeAll(async () => {
  collector = await startCollector();
  const receivers = await loopbackSettings();
  loopback = receivers.loopback;
  service = await testService({
    ...receivers.settings,
    METRICS_TOKEN: 'scrape me',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
  shop = await testOrganization(service.sql);
});

const telemetry = async () =>
  (await call<Telemetry>(service.baseUrl, 'GET /telemetry', { token: shop.owner.token })).body;
const routeOf = ({ http }: Telemetry, method: string, route: string) =>
  http.routes.find((figures) => figures.method === method && figures.route === route);

describe('GET /telemetry', () => {
  it('counts requests by route, not by URL, with quantiles', async () => {
    for (let asked = 0; asked < 5; asked += 1) await call(service.baseUrl, 'GET /ping');
    for (const id of ['a', 'b', 'c']) await call(service.baseUrl, `GET /jobs/${id}`, { token: shop.owner.token });
    await service.sql`alter table leads rename to away`;
    await call(service.baseUrl, 'POST /leads', { body: { name: 'n', email: 'a@b.co' } });
    await service.sql`alter table away rename to leads`;

    const seen = await telemetry();
    expect(routeOf(seen, 'GET', '/api/v1/ping')).toMatchObject({ requests: 5, errors: 0 });
    expect(routeOf(seen, 'GET', '/api/v1/jobs/:id')).toMatchObject({ requests: 3, errors: 0 });
    expect(routeOf(seen, 'POST', '/api/v1/leads')).toMatchObject({ requests: 1, errors: 1 });
    for (const { p50_ms, p95_ms, p99_ms } of seen.http.routes) {
      expect(p50_ms).toBeGreaterThan(0);
      expect(p95_ms).toBeGreaterThanOrEqual(p50_ms);
      expect(p99_ms).toBeGreaterThanOrEqual(p95_ms);
    }
    expect(seen.http.in_flight).toBe(1);
    expect(seen.http.requests).toBe(seen.http.routes.reduce((sum, { requests }) => sum + requests, 0));
  });

  it('reports the process, its event loop, its database and its queues', async () => {
    const seen = await telemetry();
    expect(seen.process).toMatchObject({ pid: process.pid, node: process.version });
    expect(Number(seen.process.rss_bytes)).toBeGreaterThan(1e7);
    expect(seen.event_loop.utilization).toBeGreaterThanOrEqual(0);
    expect(seen.event_loop.utilization).toBeLessThanOrEqual(1);
    expect(seen.event_loop.delay_p99_ms).toBeGreaterThan(0);
    expect(seen.database.pool_size).toBe(8);
    expect(seen.database.open).toBeGreaterThan(0);
    expect(seen.database.open).toBeLessThanOrEqual(seen.database.pool_size + 4);
    expect(seen.jobs).toContainEqual({ name: 'forget-old-keys', queued: 0, active: 0, failed: 0 });
  });

  it('returns 401 without a token and accepts any account', async () => {
    expect((await call(service.baseUrl, 'GET /telemetry')).status).toBe(401);
    const operator = await commercialAccount(service.sql);
    expect((await call(service.baseUrl, 'GET /telemetry', { token: operator.token })).status).toBe(200);
  });
});

describe('GET /metrics', () => {
  const token = { authorization: 'Bearer scrape me' };
  const metrics = (baseUrl: string, headers: Record<string, string> = token) =>
    call(baseUrl, 'GET //metrics', { headers });

  it('returns a Prometheus page with the token', async () => {
    await call(service.baseUrl, 'GET /ping');
    const page = await metrics(service.baseUrl);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(page.text).toMatch(/^dukkan_http_requests_total\{method="GET",route="\/api\/v1\/ping"\} \d+$/m);
    expect(page.text).toMatch(
      /^dukkan_http_request_ms\{method="GET",route="\/api\/v1\/ping",quantile="0.99"\} [\d.]+$/m,
    );
    expect(page.text).toMatch(/^dukkan_http_in_flight 1$/m);
    expect(page.text).toMatch(/^dukkan_jobs\{queue="forget-old-keys",state="queued"\} 0$/m);
    expect(page.text).toMatch(/^process_cpu_seconds_total [\d.e-]+$/m);
    for (const line of page.text.split('\n')) expect(line).toMatch(/^(#.*|\S+(\{.*\})? \S+|)$/);
  });

  it('has counters that never decrease', async () => {
    const count = async () => {
      await call(service.baseUrl, 'GET /ping');
      const line = /^dukkan_http_requests_total\{method="GET",route="\/api\/v1\/ping"\} (\d+)$/m;
      return Number(line.exec((await metrics(service.baseUrl)).text)?.[1]);
    };
    const first = await count();
    expect(await count()).toBe(first + 1);
  });

  it.each<Record<string, string>>([
    {},
    { authorization: 'Bearer scrape' },
    { authorization: 'scrape me' },
    { 'x-forwarded-for': '127.0.0.1' },
  ])('returns 401 without the token, also from localhost: %j', async (headers) => {
    expect((await metrics(service.baseUrl, headers)).status).toBe(401);
  });

  it('returns 404 when no token is configured', async () => {
    const { baseUrl } = await testService();
    for (const authorization of ['', 'Bearer ', 'Bearer undefined']) {
      const reply = await metrics(baseUrl, { authorization });
      const details = { method: 'GET', path: '/metrics', hint: 'Every path of the API starts with /api/v1' };
      expect(reply.body).toEqual({ code: 404, error: 'Not found', details });
    }
  });
});

describe('traces', () => {
  it('lead from the caller through the request to its statements, without values', async () => {
    const traceId = 'ab'.repeat(16);
    const traceparent = `00-${traceId}-${'12'.repeat(8)}-01`;
    const headers = { traceparent, authorization: `Bearer ${shop.owner.token}` };
    expect((await call(service.baseUrl, 'GET /branches?search=secretword', { headers })).status).toBe(200);
    const ofTrace = () => collector.spans().filter((span) => span.traceId === traceId);
    await expect.poll(() => ofTrace().some(({ name }) => name === 'GET /api/v1/branches')).toBe(true);
    const request = ofTrace().find(({ name }) => name === 'GET /api/v1/branches');
    expect(request).toMatchObject({ kind: 2, parentSpanId: '12'.repeat(8) });
    expect(attributesOf(request)).toMatchObject({
      'http.route': '/api/v1/branches',
      'http.response.status_code': '200',
    });
    const statements = ofTrace().filter(({ name, parentSpanId }) => name === 'sql' && parentSpanId === request?.spanId);
    expect(statements.length).toBeGreaterThan(0);
    expect(JSON.stringify(ofTrace())).not.toContain('secretword');
    expect(collector.resource()).toMatchObject({ 'service.name': 'dukkan', 'deployment.environment.name': 'test' });
  });

  it('are made for a webhook with the answer of its receiver, and for a job with its statements', async () => {
    const webhooks = await actAs(service, shop, loopback);
    const receiver = await webhooks.receiver();
    const { id } = await webhooks.subscribe(receiver);
    const { token } = shop.owner;
    await call(service.baseUrl, `POST /webhook-subscriptions/${id}/test`, { token });
    const sent = () => collector.spans().find(({ name }) => name === `POST 127.0.0.1:${receiver.port}`);
    await expect.poll(sent).toBeDefined();
    expect(sent()).toMatchObject({ kind: 3 });
    expect(attributesOf(sent())).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': '200' });

    const queued = await call(service.baseUrl, 'POST /orders', {
      token,
      body: newOrder(),
      headers: { 'x-async': 'true' },
    });
    expect(queued.status, queued.text).toBe(202);
    const job = () => collector.spans().find(({ name }) => name === 'job tracked/create-order');
    await expect.poll(job).toMatchObject({ kind: 5 });
    expect(collector.spans().some(({ name, parentSpanId }) => name === 'sql' && parentSpanId === job()?.spanId)).toBe(
      true,
    );
  });

  it('end where the caller did not sample them', async () => {
    const traceId = 'cd'.repeat(16);
    await call(service.baseUrl, 'GET /ping', { headers: { traceparent: `00-${traceId}-${'12'.repeat(8)}-00` } });
    await call(service.baseUrl, 'GET /ping', {
      headers: { traceparent: `00-${'ef'.repeat(16)}-${'12'.repeat(8)}-01` },
    });
    await expect.poll(() => collector.spans().some((span) => span.traceId === 'ef'.repeat(16))).toBe(true);
    expect(collector.spans().some((span) => span.traceId === traceId)).toBe(false);
  });
});

describe('the Prometheus rules and the Grafana dashboard', () => {
  const DEPLOY = path.join(import.meta.dirname, '../../../deploy');

  it('name only metrics, measures and figures that the service exports', async () => {
    const rules = await readFile(path.join(DEPLOY, 'prometheus/rules.yaml'), 'utf8');
    const dashboard = JSON.parse(await readFile(path.join(DEPLOY, 'grafana/dukkan.json'), 'utf8'));
    const expressions = [
      ...(parseYaml(rules) as Rules).groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
      ...dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr)),
    ];
    const headers = { authorization: 'Bearer scrape me' };
    const { text } = await call(service.baseUrl, 'GET //metrics', { headers });
    const exported = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const named = expressions.flatMap((expression) => expression.match(/\b(?:dukkan|nodejs|process)_\w+/g) ?? []);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !exported.has(name))).toEqual([]);
    const labels = expressions.flatMap(
      (expression) => expression.match(/\b(?:measure|name|section|quantile)="[^"]+"/g) ?? [],
    );
    expect(labels.filter((label) => !text.includes(label))).toEqual([]);
  });
});

describe('metrics and health on a separate port', () => {
  const ask = async (base: string, path: string, init?: RequestInit) => {
    const reply = await fetch(base + path, init);
    return { status: reply.status, text: await reply.text() };
  };

  it('are served by a background process until it stops', async () => {
    const worker = await testService({ DUKKAN_ROLES: 'worker', METRICS_PORT: '0' });
    expect(worker.baseUrl).toBe('');
    const base = worker.service.metricsUrl();
    expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const health = await ask(base, '/health');
    expect([health.status, JSON.parse(health.text)]).toEqual([
      200,
      {
        status: 'healthy',
        version: '1.0.0',
        environment: 'test',
        roles: ['worker'],
        timestamp: expect.any(String),
        reason: '',
        database: { answered_in_ms: expect.any(Number) },
        followers: expect.arrayContaining([
          { name: 'publisher', events_behind: 0, seconds_behind: 0, dead_lettered: 0 },
          { name: 'webhooks', events_behind: 0, seconds_behind: 0, dead_lettered: 0 },
        ]),
        jobs: {
          active_workers: expect.any(Number),
          executions: expect.any(Number),
          succeeded: expect.any(Number),
          failed: 0,
          queued: expect.any(Number),
          active: expect.any(Number),
        },
      },
    ]);
    const page = await ask(base, '/metrics');
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/^dukkan_jobs\{queue="forget-old-keys",state="queued"\} 0$/m);
    expect(await ask(base, '/metrics', { method: 'HEAD' })).toEqual({ status: 200, text: '' });
    expect((await ask(base, '/api/v1/ping')).status).toBe(404);
    expect((await ask(base, '/metrics', { method: 'POST' })).status).toBe(404);
    await worker.stop();
    await expect(ask(base, '/health')).rejects.toThrow();
  });

  it('require the token for metrics when one is set', async () => {
    const { service: own } = await testService({ METRICS_PORT: '0', METRICS_TOKEN: 'scrape me' });
    const withToken = { headers: { authorization: 'Bearer scrape me' } };
    expect((await ask(own.metricsUrl(), '/metrics')).status).toBe(401);
    expect((await ask(own.metricsUrl(), '/metrics', withToken)).status).toBe(200);
    // Without it, the health response is brief.
    const brief = await ask(own.metricsUrl(), '/health');
    expect([brief.status, Object.keys(JSON.parse(brief.text))]).toEqual([
      200,
      ['status', 'version', 'environment', 'roles', 'timestamp'],
    ]);
    expect(JSON.parse((await ask(own.metricsUrl(), '/health', withToken)).text)).toHaveProperty('followers');
  });

  it('are off by default, and a port in use is named in the error', async () => {
    expect(service.service.metricsUrl()).toBe('');
    const taken = new URL(service.baseUrl).port;
    await expect(testService({ METRICS_PORT: taken })).rejects.toThrow(/^METRICS_PORT and METRICS_HOST cannot be used/);
  });
});

// The last of the file: there is no way back.
describe('a process that is asked to stop and drains', () => {
  it('answers /health with 503 and closes connections with its answers, which are still given', async () => {
    service.service.startDraining();
    const health = await call(service.baseUrl, 'GET //health');
    expect(health).toMatchObject({ status: 503, body: { details: { reason: 'The service is stopping' } } });
    const ping = await fetch(`${service.baseUrl}/api/v1/ping`);
    expect([ping.status, ping.headers.get('connection')]).toEqual([200, 'close']);
  });
});
