import { beforeAll, describe, expect, it } from 'vitest';
import { type OpenApiDocument, routesOf } from '../../../test/harness/documented-routes.ts';
import {
  call,
  exchange,
  openSocket,
  readAnswer,
  type TestService,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';

let service: TestService;
let baseUrl: string;
let token: string;
beforeAll(async () => {
  service = await testService();
  ({ baseUrl } = service);
  token = (await testOrganization(service.sql)).owner.token;
});

describe('compression of answers', () => {
  const ask = async (path: string, encoding: string, method = 'GET') => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encoding };
    const { status, headers: answered } = await fetch(`${baseUrl}/api/v1${path}`, { method, headers });
    return { status, encoding: answered.get('content-encoding'), vary: answered.get('vary') };
  };
  beforeAll(async () => {
    for (const name of ['One', 'Two', 'Three', 'Four']) {
      await call(baseUrl, 'POST /branches', { token, body: { iv_id: name, name_en: name, name_ar: 'فرع' } });
    }
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', null],
  ])('Accept-Encoding %j is answered with %j', async (accepted, encoding) => {
    expect(await ask('/branches', accepted)).toEqual({ status: 200, encoding, vary: 'accept-encoding' });
  });

  it('sends the same content compressed or not', async () => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'br' };
    const compressed = await fetch(`${baseUrl}/api/v1/branches`, { headers });
    expect(compressed.headers.get('content-encoding')).toBe('br');
    expect(await compressed.json()).toEqual((await call(baseUrl, 'GET /branches', { token })).body);
  });

  it.each([
    ['GET', '/ping'],
    ['HEAD', '/branches'],
    ['GET', '/orders/dashboard/export'],
  ])('%s %s is not compressed', async (method, path) => {
    expect(await ask(path, 'br', method)).toEqual({ status: 200, encoding: null, vary: null });
  });
});

describe('404', () => {
  it.each([
    ['GET /nothing/here', {}],
    ['PUT /ping', { methods: ['GET', 'HEAD'] }],
    ['DELETE /auth/credentials/', { methods: ['GET', 'HEAD'] }],
    ['GET /auth/login', { methods: ['POST'] }],
    ['POST /orders/0193a1f0-7c00-7000-8000-000000000001', { methods: ['GET', 'HEAD', 'PUT'] }],
    ['POST //api/v1/openapi.json', { methods: ['GET', 'HEAD'] }],
    ['GET /', {}],
    ['GET //', { hint: 'Every path of the API starts with /api/v1' }],
    ['GET //nothing', { hint: 'Every path of the API starts with /api/v1' }],
    ['GET //orders', { hint: 'Every path of the API starts with /api/v1: did you mean /api/v1/orders?' }],
    ['POST //v1/orders', { hint: 'Every path of the API starts with /api/v1: did you mean /api/v1/orders?' }],
    ['GET //api/orders/7', { hint: 'Every path of the API starts with /api/v1: did you mean /api/v1/orders/7?' }],
    ['GET //api/v2/ping', { hint: 'Every path of the API starts with /api/v1: did you mean /api/v1/ping?' }],
    ['GET //api/v1x/ping', { hint: 'Every path of the API starts with /api/v1' }],
  ])('%s returns 404 with the closest methods or path', async (target, near: { methods?: string[]; hint?: string }) => {
    const reply = await call(baseUrl, target);
    const [method, path = ''] = target.split(' ');
    const where = path.startsWith('//') ? path.replace('//', '/') : `/api/v1${path}`;
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ code: 404, error: 'Not found', details: { method, path: where, ...near } });
    expect(reply.headers.get('allow')).toBe(near.methods?.join(', ') ?? null);
  });

  it('returns no hint when the client asks for a page', async () => {
    const reply = await call(baseUrl, 'GET //orders', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(reply.body).toEqual({ code: 404, error: 'Not found', details: { method: 'GET', path: '/orders' } });
  });

  it('returns no body for HEAD, and the allowed methods for OPTIONS', async () => {
    const head = await call(baseUrl, 'HEAD /auth/login');
    expect([head.status, head.text, head.headers.get('allow')]).toEqual([404, '', 'POST']);
    const options = await call(baseUrl, 'OPTIONS /orders');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST']);
    const nowhere = await call(baseUrl, 'OPTIONS /nothing');
    expect([nowhere.status, nowhere.headers.get('allow')]).toEqual([404, null]);
  });

  it('does not repeat the query, which may hold a secret', async () => {
    expect((await call(baseUrl, 'GET /nothing?token=hunter2')).text).not.toContain('hunter2');
  });

  it('is the answer for a key longer than any key', async () => {
    const reply = await call(baseUrl, `GET /jobs/${'x'.repeat(3000)}`, { token });
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({ code: 404, error: 'Not found' });
    expect(reply.headers.get('x-request-id')).not.toBeNull();
  });
});

describe('400', () => {
  const json = { 'content-type': 'application/json' };

  it.each([
    ['a wrong content type', { raw: 'email=x', headers: { 'content-type': 'text/plain' } }, 'Wrong content type'],
    [
      'a form',
      { raw: 'email=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      'Wrong content type',
    ],
    ['no content type', { raw: Buffer.from('{}') }, 'Wrong content type'],
    ['broken JSON', { raw: '{"email":', headers: json }, 'Malformed JSON'],
    ['an empty body', { raw: '', headers: json }, 'Malformed JSON'],
    ['no body at all', {}, 'Invalid request'],
    ['null for a body', { raw: 'null', headers: json }, 'Invalid request'],
    ['a NUL in the body', { raw: '{"email":"\\u0000","password":"x"}', headers: json }, 'Malformed JSON'],
    ['a body too deep', { raw: '['.repeat(10_000), headers: json }, 'Malformed JSON'],
  ])('%s', async (_what, options, error) => {
    const reply = await call(baseUrl, 'POST /auth/login', options);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 400, error });
  });

  it.each([
    ['POST /auth/login', 'text/plain', 'text/plain is not taken here: send application/json'],
    ['POST /auth/login', undefined, 'There is no content type: send application/json'],
    ['POST /branches', 'text/csv', 'text/csv is not taken here: send application/json or multipart/form-data'],
    [
      'POST /products',
      'multipart/form-data; boundary=x',
      'multipart/form-data; boundary=x is not taken here: send application/json',
    ],
  ])('%s as %s says what is taken', async (target, type, details) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const reply = await call(baseUrl, target, { token, headers, raw: Buffer.from('x') });
    expect(reply.body).toEqual({ code: 400, error: 'Wrong content type', details });
  });

  it('a charset beside the content type is fine', async () => {
    const headers = { 'content-type': 'application/json; charset=UTF-8' };
    expect((await call(baseUrl, 'POST /auth/login', { raw: '{}', headers })).status).toBe(422);
  });

  it.each(['/auth/session-tokens?page=%00', '/jobs/%00', '/nothing/a%00b'])('a NUL in %s', async (path) => {
    const reply = await call(baseUrl, `GET ${path}`, { token });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ code: 400, error: 'Invalid request', details: 'The address holds a NUL character' });
  });

  it.each(['/jobs/%', '/jobs/%E0%A4%A', '/jobs/%ff%fe', '/%zz'])(
    'an address that cannot be decoded: %s',
    async (path) => {
      const reply = await exchange(baseUrl, `GET /api/v1${path} HTTP/1.1\r\nhost: x\r\nx-request-id: odd-1\r\n\r\n`);
      expect(reply.status).toBe(400);
      expect(JSON.parse(reply.body)).toEqual({
        code: 400,
        error: 'Malformed request',
        details: 'The address is not valid',
      });
      expect(reply.head).toMatch(/x-request-id: odd-1/i);
      expect(reply.head).toMatch(/x-content-type-options: nosniff/i);
    },
  );

  it.each([
    ['no HTTP', 'HELO shop.example\r\n\r\n'],
    ['an unknown method', 'BREW /api/v1/ping HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a header without a name', 'GET /api/v1/ping HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n'],
    ['two lengths', 'POST /api/v1/leads HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}'],
    [
      'a length and chunks',
      'POST /api/v1/leads HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('%s, answered once and closed', async (_what, bytes) => {
    const reply = await exchange(baseUrl, bytes);
    expect(reply.status).toBe(400);
    expect(reply.head).toMatch(/connection: close/i);
    expect(JSON.parse(reply.body)).toEqual({ code: 400, error: 'Malformed request', details: {} });
  });

  it('headers beyond all measure are 431', async () => {
    const reply = await exchange(
      baseUrl,
      `GET /api/v1/ping HTTP/1.1\r\nhost: x\r\nx-big: ${'x'.repeat(40_000)}\r\n\r\n`,
    );
    expect(reply.status).toBe(431);
    expect(JSON.parse(reply.body)).toEqual({ code: 431, error: 'Request headers too large', details: {} });
  });
});

describe('413', () => {
  const KB = 1024;
  it.each([
    ['POST /auth/login', 16 * KB],
    ['POST /auth/refresh', 16 * KB],
    ['POST /auth/password', 16 * KB],
    ['POST /auth/session-tokens', 16 * KB],
    ['POST /leads', 256 * KB],
    ['POST /orders', 512 * KB],
    ['PUT /orders/x', 512 * KB],
    ['POST /products', KB * KB],
    ['POST /branches', KB * KB],
    ['PATCH /orders/bulk/status', KB * KB],
    ['DELETE /orders/bulk', KB * KB],
    ['POST /nothing/here', KB * KB],
    ['POST /orders/bulk', 32 * KB * KB],
    ['POST /products/bulk', 32 * KB * KB],
    ['POST /branches/bulk', 32 * KB * KB],
    ['POST /skus/bulk', 32 * KB * KB],
  ])('%s with more than %i bytes, refused by the announced length', async (target, limit) => {
    const [method, path] = target.split(' ');
    const announced = (length: number) =>
      `${method} /api/v1${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
    const reply = await exchange(baseUrl, announced(limit + 1));
    expect(reply.status).toBe(413);
    if (path !== '/leads') {
      const details = 'The request body is too large';
      expect(JSON.parse(reply.body)).toEqual({ code: 413, error: 'Payload too large', details });
    }
    // One byte less is waited for, and was then cut off.
    const socket = await openSocket(baseUrl);
    socket.end(announced(limit));
    expect((await readAnswer(socket)).status).toBe(400);
  });

  it('a body of more values than anybody needs, though its bytes are few', async () => {
    const headers = { 'content-type': 'application/json' };
    const reply = await call(baseUrl, 'POST /products', { token, headers, raw: `[${'[],'.repeat(50_000)}1]` });
    expect(reply.body).toEqual({
      code: 413,
      error: 'Payload too large',
      details: 'The request body holds more than 50000 values',
    });
    const bulk = (values: number) =>
      call(baseUrl, 'POST /products/bulk', { token, headers, raw: `[${'1,'.repeat(values)}1]` });
    expect((await bulk(60_000)).status).not.toBe(413);
    expect((await bulk(200_000)).body.details).toBe('The request body holds more than 200000 values');
  });

  it('a body that grows too large without announcing it', async () => {
    const chunk = `${(300 * 1024).toString(16)}\r\n${' '.repeat(300 * 1024)}\r\n0\r\n\r\n`;
    const reply = await exchange(
      baseUrl,
      `POST /api/v1/leads HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`,
    );
    expect(reply.status).toBe(413);
    expect(JSON.parse(reply.body)).toEqual({ data: null, message: 'Payload too large', status: 413 });
  });
});

describe('422', () => {
  it('names every field that is wrong', async () => {
    const reply = await call(baseUrl, 'POST /auth/login', { body: { email: 5, password: '' } });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({
      code: 422,
      error: 'Validation failed',
      details: { email: 'must be a string', password: 'must not be empty' },
    });
  });
});

describe('every answer', () => {
  it.each([
    ['GET /ping', 'no-store'],
    ['GET /nothing', 'no-store'],
    ['GET /auth/credentials', 'no-store'],
    // The same for everybody: kept, and asked after by its tag.
    ['GET //docs', 'no-cache'],
    ['GET /openapi.json', 'no-cache'],
  ])('%s carries the headers that keep browsers safe, and a request id', async (target, caching) => {
    const { headers } = await call(baseUrl, target);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe(caching);
    expect(headers.get('x-request-id')).toMatch(/^req-/);
  });

  it('sends headers that forbid framing and referrers with a page', async () => {
    const { status, headers } = await call(baseUrl, 'GET //docs');
    expect(status).toBe(200);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('echoes a request id that is fit for a log line', async () => {
    const given = (id: string) => call(baseUrl, 'GET /ping', { headers: { 'x-request-id': id } });
    expect((await given('shop-7.a:B_1')).headers.get('x-request-id')).toBe('shop-7.a:B_1');
    for (const unfit of ['two words', 'x'.repeat(65), '"quoted"', '<b>']) {
      expect((await given(unfit)).headers.get('x-request-id')).toMatch(/^req-/);
    }
  });

  it('has an id of its own', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await call(baseUrl, 'GET /ping')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(20);
  });

  it('is the same with a slash at the end, and HEAD has no body', async () => {
    expect((await call(baseUrl, 'GET /ping/')).status).toBe(200);
    const head = await call(baseUrl, 'HEAD /ping');
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

describe('HEAD', () => {
  it('is answered at once on every route, also on those that stay open', async () => {
    const document = (await call<OpenApiDocument>(baseUrl, 'GET /openapi.json')).body;
    const paths = routesOf(document).filter(({ method }) => method === 'GET');
    expect(paths.length).toBeGreaterThan(20);
    for (const { path } of paths) {
      const asked = path.replace(/\{\w+\}/g, '0193a1f0-7c00-7000-8000-000000000001');
      const query = path === '/orders/changes' ? '?wait=30' : '';
      const answer = await exchange(
        baseUrl,
        `HEAD /api/v1${asked}${query} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
      );
      expect([path, answer.body]).toEqual([path, '']);
      expect(answer.status, path).toBeLessThan(500);
    }
  });

  it('asks who is calling and what for, like GET', async () => {
    const head = (path: string, authorization = '') =>
      exchange(baseUrl, `HEAD /api/v1${path} HTTP/1.1\r\nhost: x\r\n${authorization}connection: close\r\n\r\n`);
    const known = `authorization: Bearer ${token}\r\n`;
    expect((await head('/orders/changes/stream')).status).toBe(401);
    expect((await head('/orders/changes/stream', known)).status).toBe(200);
    expect((await head('/orders/changes?limit=none', known)).status).toBe(400);
  });
});

describe('other origins', () => {
  it('are not let in unless a setting says so', async () => {
    const reply = await call(baseUrl, 'GET /ping', { headers: { origin: 'https://a.example' } });
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('are let in by name', async () => {
    const { baseUrl } = await testService({ CORS_ORIGINS: 'https://a.example,https://b.example' });
    const from = (origin: string) => call(baseUrl, 'GET /ping', { headers: { origin } });
    const known = await from('https://b.example');
    expect(known.headers.get('access-control-allow-origin')).toBe('https://b.example');
    const exposed = known.headers.get('access-control-expose-headers');
    for (const name of ['x-request-id', 'x-error-reason', 'x-ignored-fields', 'preference-applied', 'allow'])
      expect(exposed).toContain(name);
    expect((await from('https://c.example')).headers.get('access-control-allow-origin')).toBeNull();
    const asked = { origin: 'https://a.example', 'access-control-request-method': 'DELETE' };
    const preflight = await call(baseUrl, 'OPTIONS /auth/session-tokens/1', { headers: asked });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE');
  });

  it('are all let in by a star', async () => {
    const { baseUrl } = await testService({ CORS_ORIGINS: '*' });
    const reply = await call(baseUrl, 'GET /ping', { headers: { origin: 'https://any.example' } });
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  });
});
