import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DocumentedRoute, type OpenApiDocument, routesOf } from '../harness/documented-routes.ts';
import {
  amount,
  call,
  commercialAccount,
  openSocket,
  patienceMs,
  readAnswer,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../harness/index.ts';
import { type FuzzRequest, requestsFor, soundRequestsFor } from './arbitrary-request.ts';
import { closeConnections, type FuzzAnswer, send } from './send.ts';

/** The same requests every time; FUZZ_SEED tries others, FUZZ_RUNS more of them. */
const SEED = Number(process.env.FUZZ_SEED ?? 20261115);
const RUNS = Number(process.env.FUZZ_RUNS ?? amount({ usual: 15, long: 40 }));
/** Of each route, as its description has them. */
const SOUND_RUNS = 6;
/** A refusal before the rule of the route has seen the request. */
const TURNED_AWAY = [400, 401, 403, 413, 415, 422, 429];
/** They ask for a secret that only its owner has. */
const ONLY_FOR_THEIR_OWNER = [
  'POST /auth/login',
  'POST /auth/refresh',
  'POST /auth/password',
  'POST /auth/totp/enrol',
  'POST /auth/totp/confirm',
  'POST /ingest/{id}',
];
const ORDER = {
  order_status: 'RECEIVED',
  fulfillment_status: 'None',
  skus: ['P-1_B-1'],
  products: [{ product_id: 'P-1', sku_id: 'P-1_B-1' }],
};
/** In place of examples that speak of brands and branches which are not here. */
const OWN_BODIES: Record<string, unknown> = {
  'POST /products': { iv_id: 'P-2' },
  'PUT /products/code/{ivId}': { name_en: 'Milk' },
  'PATCH /products/code/{ivId}': { name_en: 'Milk' },
  'POST /orders': ORDER,
  'POST /till/orders': {
    branch_iv_id: 'B-1',
    lines: [{ sku_iv_id: 'P-1_B-1', quantity: 1, price: 5 }],
    payment_method: 'cash',
    allow_negative_stock: true,
  },
  'POST /skus/scheduled-prices': { sku_iv_ids: ['P-1_B-1'], price: 5, starts_at: '2099-02-08T00:00:00+03:00' },
};

let service: TestService;
let shop: TestOrganization;
let operatorToken: string;
let routes: DocumentedRoute[];
let ids: string[];
let tried = 0;
const statuses = new Map<number, number>();
const triedOf = new Map<string, { odd: number; sound: number[] }>();

beforeAll(async () => {
  service = await testService({
    LOGIN_RATE_LIMIT_PER_MINUTE: '0',
    LEAD_RATE_LIMIT_PER_MINUTE: '0',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  shop = await testOrganization(service.sql);
  operatorToken = (await commercialAccount(service.sql)).token;
  const documented = routesOf((await call<OpenApiDocument>(service.baseUrl, 'GET /openapi.json')).body);
  // Those that take away what the others need come last.
  routes = documented.toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'));
  const { token } = shop.owner;
  await call(service.baseUrl, 'POST /branches', { token, body: { iv_id: 'B-1' } });
  await call(service.baseUrl, 'POST /products', { token, body: { iv_id: 'P-1' } });
  const placed = await call<{ data: { id: string } }>(service.baseUrl, 'POST /orders', { token, body: ORDER });
  const hook = await call<{ id: string }>(service.baseUrl, 'POST /webhook-subscriptions', {
    token,
    body: { url: 'https://127.0.0.1:9/' },
  });
  const guest = { email: 'guest@tests.example', role: 'viewer' };
  const invited = await call<{ data: { id: string } }>(service.baseUrl, 'POST /members', { token, body: guest });
  const installed = await call<{ data: { id: string } }>(service.baseUrl, 'POST /apps', {
    token,
    body: { app_slug: 'woocommerce', settings: { webhook_secret: 'shh' } },
  });
  const made = [placed.body.data.id, hook.body.id, invited.body.data.id, installed.body.data.id];
  ids = ['B-1', 'P-1', 'P-1_B-1', ...made];
});

afterAll(() => {
  closeConnections();
  const counts = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`);
  process.stdout.write(`fuzz: ${tried} requests, seed ${SEED} (${counts.join(', ')})\n`);
});

function judge(answer: FuzzAnswer, request: unknown): void {
  tried += 1;
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text}\nfor ${JSON.stringify(request)}`);
  if (answer.status >= 400 && answer.text !== '') {
    const body = JSON.parse(answer.text);
    // One of the two bodies that refusals have.
    expect(body.code ?? body.status).toBe(answer.status);
  }
}

async function tokenFor({ key }: DocumentedRoute): Promise<string> {
  if (key.startsWith('GET /leads') || key.includes(' /commercial/')) return operatorToken;
  if (/logout|password/.test(key)) return (await testAccount(service.sql, shop.id)).token;
  return shop.owner.token;
}

async function isWell(): Promise<void> {
  const health = await call(service.baseUrl, 'GET /health');
  expect(health.body).toMatchObject({ status: 'healthy' });
}

describe(`every route with whatever fits or does not fit its schema (seed ${SEED})`, () => {
  it('is answered, never with a 500, never not at all', { timeout: 10 * patienceMs() }, async () => {
    expect(routes.length).toBeGreaterThan(15);
    for (const route of routes) {
      const token = await tokenFor(route);
      const count = { odd: 0, sound: [] as number[] };
      triedOf.set(route.key, count);
      for (const request of soundRequestsFor(route, ids, SOUND_RUNS, OWN_BODIES[route.key])) {
        const answer = await send(service.baseUrl, request, token);
        judge(answer, request);
        count.sound.push(answer.status);
      }
      const property = fc.asyncProperty(requestsFor(route, ids), async (request: FuzzRequest) => {
        judge(await send(service.baseUrl, request, token), request);
        count.odd += 1;
      });
      // No limit of time: on a slow machine it would end with a handful of requests, and pass.
      await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
    }
    await isWell();
  });

  it('was tried often enough', () => {
    const counts = routes.map(({ key }) => [key, triedOf.get(key)?.odd, triedOf.get(key)?.sound.length]);
    expect(counts).toEqual(routes.map(({ key }) => [key, RUNS, SOUND_RUNS]));
    expect(tried).toBeGreaterThanOrEqual(routes.length * (RUNS + SOUND_RUNS));
  });

  it('reaches every route: at least one request of each passes validation', () => {
    const reached = (key: string) => triedOf.get(key)?.sound.some((status) => !TURNED_AWAY.includes(status));
    const unreached = routes.filter(({ key }) => !reached(key) && !ONLY_FOR_THEIR_OWNER.includes(key));
    expect(unreached.map(({ key }) => `${key}: ${triedOf.get(key)?.sound}`)).toEqual([]);
  });
});

describe('raw bytes', () => {
  const LEAD = JSON.stringify({ name: 'Sara', email: 'sara@example.com' });
  const post = (body: string | Buffer, type = 'application/json', path = '/api/v1/leads', more = '') =>
    Buffer.concat([
      Buffer.from(
        `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n${more}\r\n`,
        'latin1',
      ),
      Buffer.from(body),
    ]);
  const get = (path: string | Buffer, head = '') =>
    Buffer.concat([
      Buffer.from('GET '),
      Buffer.from(path),
      Buffer.from(` HTTP/1.1\r\nhost: x\r\n${head}\r\n`, 'latin1'),
    ]);

  /** Answered below 500, or cut off: nothing else may happen. */
  async function survive(bytes: Buffer): Promise<void> {
    const socket = await openSocket(service.baseUrl);
    socket.write(bytes);
    // Ends the sending side, so that the service does not wait for the rest of half a request.
    setTimeout(() => socket.end(), 30);
    const answer = await readAnswer(socket).catch((error: Error) => error.message);
    socket.destroy();
    if (typeof answer === 'string') {
      tried += 1;
      expect(answer).toMatch(/^closed after/);
    } else judge({ status: answer.status, contentType: '', text: '' }, bytes.subarray(0, 300).toString('latin1'));
  }

  it('of a body: broken UTF-8, NUL, surrogates, depth, numbers', async () => {
    const bodies: (string | Buffer)[] = [
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      '{"name":"\\u0000","email":"a@b.co"}',
      '{"name":"\\ud800","email":"a@b.co"}',
      '{"name":1e99999,"email":"a@b.co"}',
      `{"name":"x","email":"a@b.co","notes":${'9'.repeat(5000)}}`,
      '['.repeat(100_000),
      `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      '{"__proto__":{"x":1},"email":"a@b.co","name":"n"}',
      `{"email":"a@b.co","name":"n","${'k'.repeat(100_000)}":1}`,
      LEAD.slice(0, -1),
      `${LEAD}${LEAD}`,
      '\u0000',
      `\ufeff${LEAD}`,
    ];
    for (const body of bodies) {
      await survive(post(body));
      await survive(
        post(body, 'application/json', '/api/v1/branches', `authorization: Bearer ${shop.owner.token}\r\n`),
      );
    }
    const random = fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), (bytes) => survive(post(Buffer.from(bytes))));
    await fc.assert(random, { seed: SEED, numRuns: 40 });
    await isWell();
  });

  it('of forms: cut off, without end, without names, with NUL', async () => {
    const type = 'multipart/form-data; boundary=XX';
    const authorization = `authorization: Bearer ${shop.owner.token}\r\n`;
    const part = (head: string, body: string) => `--XX\r\n${head}\r\n\r\n${body}\r\n`;
    const field = (name: string, body: string) => part(`content-disposition: form-data; name="${name}"`, body);
    const forms = [
      '',
      '--XX--',
      '--XX\r\n',
      '--YY\r\nx\r\n--YY--',
      field('iv_id', 'FORM-1'),
      `${field('iv_id', 'a\u0000b')}--XX--`,
      `${field('', 'x')}--XX--`,
      `${field('iv_id', 'x').repeat(5)}--XX--`,
      `${field('__proto__', 'x')}${field('iv_id', 'F-2')}--XX--`,
      `${field('location', '{"lat":')}${field('iv_id', 'F-3')}--XX--`,
      `${field('working_hours', '['.repeat(10_000))}${field('iv_id', 'F-4')}--XX--`,
      `${part('content-disposition: form-data; name="hero_image"; filename="\u0000.png"', 'x')}--XX--`,
      `${part('content-disposition: form-data', 'x')}--XX--`,
      `${part('x: y', 'x')}--XX--`,
      `${field('n'.repeat(5000), 'x')}--XX--`,
      field('iv_id', 'x').repeat(500),
    ];
    for (const form of forms) {
      await survive(post(form, type, '/api/v1/branches', authorization));
      await survive(post(form, 'multipart/form-data', '/api/v1/branches', authorization));
    }
    await isWell();
  });

  it('of request lines and headers', async () => {
    const lines = [
      get('/api/v1/ping%'),
      get('/api/v1/%c0%ae%c0%ae/ping'),
      get(Buffer.from([0x2f, 0xff, 0xfe])),
      get('//////'),
      get('/../../../etc/passwd'),
      get('*'),
      get('http://elsewhere.example/api/v1/ping'),
      get(`/api/v1/jobs/${'x'.repeat(10_000)}`),
      get(`/api/v1/ping?${'a=b&'.repeat(3000)}`),
      get('/api/v1/ping', 'authorization: Bearer \u00ff\u00fe\r\n'),
      get('/api/v1/auth/credentials', `authorization: Bearer ${'x'.repeat(8000)}\r\n`),
      get('/api/v1/auth/credentials', 'authorization: Bearer a.b.c\r\n'),
      get('/api/v1/auth/credentials', 'authorization: Bearer eyJhbGciOiJub25lIn0.e30.\r\n'),
      get('/api/v1/ping', 'x-request-id: \u0001\r\n'),
      get('/api/v1/ping', 'host: a\r\nhost: b\r\n'),
      get('/api/v1/ping', `${'x-a: b\r\n'.repeat(1500)}`),
      get('/api/v1/ping', 'connection: upgrade\r\nupgrade: websocket\r\n'),
      get('/api/v1/ping', 'expect: 200-maybe\r\n'),
      get('/api/v1/ping', 'content-length: -1\r\n'),
      get('/api/v1/ping', 'content-length: 99999999999999999999\r\n'),
      get('/api/v1/ping', 'transfer-encoding: gzip, chunked\r\n'),
      Buffer.from('GET /api/v1/ping HTTP/9.9\r\n\r\n'),
      Buffer.from('GET /api/v1/ping HTTP/1.0\r\n\r\n'),
      Buffer.from('GET /api/v1/ping\r\n\r\n'),
      Buffer.from('CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n'),
      Buffer.from('TRACE /api/v1/ping HTTP/1.1\r\nhost: x\r\n\r\n'),
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      Buffer.from([0x16, 0x03, 0x01, 0x00, 0xa5, 0x01]),
      Buffer.from('\r\n\r\n\r\n'),
      post(LEAD, 'application/json\u00e9'),
      post(LEAD, ''),
      post(LEAD, `application/json;${'x'.repeat(5000)}`),
      post(LEAD, 'application/json', '/api/v1/leads', 'content-encoding: gzip\r\n'),
      Buffer.from(
        'POST /api/v1/leads HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      ),
      Buffer.from(
        'POST /api/v1/leads HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n',
      ),
      // A second request smuggled behind the first.
      Buffer.concat([post(LEAD), get('/api/v1/leads')]),
    ];
    for (const line of lines) await survive(line);
    const random = fc.asyncProperty(fc.uint8Array({ maxLength: 120 }), (bytes) => survive(Buffer.from(bytes)));
    await fc.assert(random, { seed: SEED, numRuns: 40, interruptAfterTimeLimit: 6_000 });
    await isWell();
  });
});

describe('afterwards', () => {
  it('the service counts no error, and still does its work', async () => {
    type Telemetry = { http: { errors: number; in_flight: number; requests: number } };
    const read = async () =>
      (await call<Telemetry>(service.baseUrl, 'GET /telemetry', { token: operatorToken })).body.http;
    await expect.poll(async () => (await read()).in_flight).toBe(1);
    expect((await read()).errors).toBe(0);
    const { owner } = await testOrganization(service.sql);
    expect((await call(service.baseUrl, 'GET /branches', { token: owner.token })).status).toBe(200);
    await isWell();
  });
});
