import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  call,
  openSocket,
  type Reply,
  type ReplyBody,
  readAnswer,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { inTransaction, type Sql } from '../database/index.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const ORDER = {
  order_status: 'RECEIVED',
  fulfillment_status: 'None',
  skus: ['P-1_RUH'],
  products: [{ product_id: 'P-1', sku_id: 'P-1_RUH', name: 'Dates', quantity: 2, price: 10 }],
  total_amount: 20,
};
const LEAD = JSON.stringify({ name: 'Sara', email: 'sara@example.com' });

/** Its own for each test, whose settings differ; gone after it, or a dozen would poll beside the last. Nothing is done behind it. */
async function serviceWith(settings: Record<string, string> = {}): Promise<TestService> {
  const service = await testService({ DUKKAN_ROLES: 'api', ...settings });
  onTestFinished(service.stop);
  return service;
}

/** A request whose last byte is still to come. */
async function unfinishedLead(baseUrl: string): Promise<{ socket: Socket; finish(): void }> {
  const socket = await openSocket(baseUrl);
  sockets.push(socket);
  const head = `POST /api/v1/leads HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${LEAD.length}`;
  socket.write(`${head}\r\n\r\n${LEAD.slice(0, -1)}`);
  return { socket, finish: () => socket.write(LEAD.slice(-1)) };
}

type Table = 'brands' | 'leads' | 'orders';

/** Whatever writes to the table waits until it is let go. */
async function hold(sql: Sql, table: Table): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const done = inTransaction(sql, async (tx) => {
    await tx`lock table ${tx(table)} in exclusive mode`;
    held.resolve();
    await letGo.promise;
  });
  await held.promise;
  // A test that fails lets go too, or what waits for the table outlives it.
  onTestFinished(() => letGo.resolve());
  return async () => {
    letGo.resolve();
    await done;
  };
}

/** As the service counts them. Asked on a port of its own, which is not counted itself. */
async function untilInProgress({ service }: TestService, count: number): Promise<void> {
  const inProgress = async () =>
    /^dukkan_http_in_flight (\d+)$/m.exec(await (await fetch(`${service.metricsUrl()}/metrics`)).text())?.[1];
  await expect.poll(inProgress).toBe(String(count));
}

/** An admitted request waits for a lock on each of these tables. */
async function untilWaitedFor(sql: Sql, ...tables: Table[]): Promise<void> {
  const waitedFor = () => sql<{ table: string }[]>`
    select distinct relation::regclass::text as table from pg_locks
    where not granted and relation::regclass::text = any(${tables}) order by 1`;
  await expect.poll(async () => (await waitedFor()).map((row) => row.table)).toEqual(tables);
}

describe('requests whose bodies never come', () => {
  it('do not block other requests, however many there are', async () => {
    const { baseUrl, service } = await serviceWith({ MAX_IN_FLIGHT_REQUESTS: '2' });
    const head = 'POST /api/v1/leads HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100';
    for (let opened = 0; opened < 200; opened += 1) {
      const socket = await openSocket(baseUrl);
      sockets.push(socket.on('error', () => undefined));
      socket.write(`${head}\r\n\r\n`);
    }
    const halfway = await unfinishedLead(baseUrl).catch(() => undefined);
    for (let asked = 0; asked < 5; asked += 1) expect((await call(baseUrl, 'GET /ping')).status).toBe(200);
    expect(service.app.server.listening).toBe(true);
    halfway?.socket.destroy();
  });

  it('from one address get at most an eighth of the bodies of unauthenticated clients', async () => {
    const { baseUrl, service } = await serviceWith();
    let asked = 0;
    service.app.server.on('request', () => {
      asked += 1;
    });
    const held = await Promise.all(Array.from({ length: 125 }, () => unfinishedLead(baseUrl)));
    // Not by asking until it is refused: who asks has a place meanwhile, and one of those that are to stay finds none.
    await expect.poll(() => asked).toBe(held.length);
    const lead = () => call(baseUrl, 'POST /leads', { raw: LEAD, headers: { 'content-type': 'application/json' } });
    expect((await lead()).body).toEqual({ data: null, message: 'Too many requests', status: 429 });
    for (const { finish } of held) finish();
    for (const { socket } of held) expect((await readAnswer(socket)).status).toBe(200);
    await expect.poll(async () => (await lead()).status).toBe(200);
  });
});

describe('more requests at once than the service takes', () => {
  it('return 503 at once, and are served again when others have finished or disconnected', async () => {
    const service = await serviceWith({ MAX_IN_FLIGHT_REQUESTS: '2', METRICS_PORT: '0' });
    const { baseUrl, sql } = service;
    const [shop, other] = [await testOrganization(sql), await testOrganization(sql)];
    const letGo = await hold(sql, 'orders');
    const order = (token: string) => call(baseUrl, 'POST /orders', { token, body: ORDER });
    const first = order(shop.owner.token);
    const second = order(other.owner.token);
    const ping = () => call(baseUrl, 'GET /ping');
    await untilInProgress(service, 2);

    const refused = await ping();
    expect(refused.status).toBe(503);
    expect(refused.body).toEqual({
      code: 503,
      error: 'Service unavailable',
      details: 'Too many requests are in progress',
    });
    expect(refused.headers.get('retry-after')).toBe('1');
    const lead = await call(baseUrl, 'POST /leads', { raw: LEAD, headers: { 'content-type': 'application/json' } });
    expect(lead.body).toEqual({ data: null, message: 'Service unavailable', status: 503 });

    await letGo();
    expect([(await first).status, (await second).status]).toEqual([201, 201]);
    await expect.poll(async () => (await ping()).status).toBe(200);
  });

  it('of one tenant return 429 past half of the limit, and other tenants are served', async () => {
    const service = await serviceWith({ MAX_IN_FLIGHT_REQUESTS: '4', METRICS_PORT: '0' });
    const { baseUrl, sql } = service;
    const [shop, other] = [await testOrganization(sql), await testOrganization(sql)];
    const colleague = await testAccount(sql, shop.id, 'owner');
    const letGo = await Promise.all([hold(sql, 'brands'), hold(sql, 'orders')]);
    const brand = { name_en: 'Almarai', name_ar: 'المراعي' };
    const held = [
      call(baseUrl, 'POST /orders', { token: shop.owner.token, body: ORDER }),
      call(baseUrl, 'POST /brands', { token: colleague.token, body: brand }),
    ];
    const ask = (token: string) => call(baseUrl, 'GET /auth/credentials', { token });
    // Counted for the tenant only after authentication, so the number of all requests does not show it.
    await untilWaitedFor(sql, 'brands', 'orders');
    expect((await ask(shop.owner.token)).status).toBe(429);
    const refused = await ask(colleague.token);
    expect(refused.body).toEqual({
      code: 429,
      error: 'Too many requests',
      details: { limit: 2, retry_after_seconds: 1 },
    });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await ask(other.owner.token)).status).toBe(200);
    expect((await call(baseUrl, 'GET /ping')).status).toBe(200);
    for (const release of letGo) await release();
    for (const reply of held) expect((await reply).status).toBe(201);
    await expect.poll(async () => (await ask(shop.owner.token)).status).toBe(200);
  });

  it('of unauthenticated clients return 503 past half of the limit; tenants and probes are served', async () => {
    const service = await serviceWith({ MAX_IN_FLIGHT_REQUESTS: '4', METRICS_PORT: '0' });
    const { baseUrl, sql } = service;
    const shop = await testOrganization(sql);
    const letGo = await hold(sql, 'leads');
    const lead = () => call(baseUrl, 'POST /leads', { raw: LEAD, headers: { 'content-type': 'application/json' } });
    const held = [lead(), lead()];
    const login = () => call(baseUrl, 'POST /auth/login', { body: {} });
    await untilInProgress(service, 2);
    expect((await login()).status).toBe(503);
    expect((await call(baseUrl, 'GET /auth/credentials', { token: shop.owner.token })).status).toBe(200);
    expect((await call(baseUrl, 'GET /health')).status).toBe(200);
    await letGo();
    for (const reply of held) expect((await reply).status).toBe(200);
    await expect.poll(async () => (await login()).status).toBe(422);
  });
});

describe('429', () => {
  async function untilRefused(send: () => Promise<Reply<ReplyBody>>, most: number) {
    for (let sent = 0; sent < most; sent += 1) {
      const reply = await send();
      if (reply.status === 429) return { reply, sent };
    }
    throw new Error(`${most} requests were all let in`);
  }

  it('logins are limited by address', async () => {
    const { baseUrl } = await serviceWith({ LOGIN_RATE_LIMIT_PER_MINUTE: '3' });
    const login = () => call(baseUrl, 'POST /auth/login', { body: { email: 5 } });
    const { reply, sent } = await untilRefused(login, 5);
    expect(sent).toBe(3);
    expect(reply.body).toMatchObject({ code: 429, error: 'Too many requests', details: { limit: 3 } });
    const seconds = Number(reply.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(reply.body.details?.retry_after_seconds).toBe(seconds);
    // Other routes are not held up by it.
    expect((await call(baseUrl, 'GET /ping')).status).toBe(200);
  });

  it('leads are limited by address, with 429 in their own envelope', async () => {
    const { baseUrl } = await serviceWith({ LEAD_RATE_LIMIT_PER_MINUTE: '2' });
    const { reply, sent } = await untilRefused(() => call(baseUrl, 'POST /leads', { body: JSON.parse(LEAD) }), 4);
    expect(sent).toBe(2);
    expect(reply.body).toEqual({ data: null, message: 'Too many requests', status: 429 });
    expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('forwarded addresses count only from a trusted proxy', async () => {
    const from = (service: TestService, address: string) =>
      call(service.baseUrl, 'POST /auth/login', { body: {}, headers: { 'x-forwarded-for': address } });
    for (const TRUST_PROXY of ['1', 'loopback']) {
      const trusting = await serviceWith({ LOGIN_RATE_LIMIT_PER_MINUTE: '1', TRUST_PROXY });
      expect((await from(trusting, '192.0.2.1')).status).toBe(422);
      expect((await from(trusting, '192.0.2.1')).status).toBe(429);
      expect((await from(trusting, '192.0.2.2')).status).toBe(422);
      // What the client itself has written stands before what the proxy adds, and counts for nothing.
      expect((await from(trusting, '198.51.100.1, 192.0.2.2')).status).toBe(429);
      expect((await from(trusting, '198.51.100.2, 192.0.2.2')).status).toBe(429);
      for (const odd of ['nonsense', '::ffff:1.2.3', 'fe80::1%eth0', '192.0.2.9:443', ',,']) {
        expect((await from(trusting, odd)).status, odd).toBeLessThan(500);
      }
    }
    const wary = await serviceWith({ LOGIN_RATE_LIMIT_PER_MINUTE: '1' });
    expect((await from(wary, '192.0.2.1')).status).toBe(422);
    expect((await from(wary, '192.0.2.2')).status).toBe(429);
  });

  it('a tenant is limited as a whole when a setting says so', async () => {
    const { baseUrl, sql } = await serviceWith({ RATE_LIMIT_PER_MINUTE: '4' });
    const shop = await testOrganization(sql);
    const other = await testOrganization(sql);
    const colleague = await testAccount(sql, shop.id, 'viewer');
    const ask = (token: string) => call(baseUrl, 'GET /auth/credentials', { token });
    for (const token of [shop.owner.token, colleague.token, shop.owner.token, colleague.token]) {
      expect((await ask(token)).status).toBe(200);
    }
    const refused = await ask(colleague.token);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await ask(other.owner.token)).status).toBe(200);
    // What belongs to no tenant is not counted.
    for (let asked = 0; asked < 6; asked += 1) expect((await call(baseUrl, 'GET /ping')).status).toBe(200);
  });

  it('nothing is limited where the settings are zero', async () => {
    const { baseUrl } = await serviceWith({ LOGIN_RATE_LIMIT_PER_MINUTE: '0', LEAD_RATE_LIMIT_PER_MINUTE: '0' });
    for (let sent = 0; sent < 10; sent += 1) {
      expect((await call(baseUrl, 'POST /auth/login', { body: {} })).status).toBe(422);
    }
  });
});
