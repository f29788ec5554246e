import { beforeAll, describe, expect, it } from 'vitest';
import { type OpenApiDocument, routesOf } from '../../../test/harness/documented-routes.ts';
import { call, exchange, testService, testShop } from '../../../test/harness/index.ts';

let baseUrl: string;
let token: string;
beforeAll(async () => {
  const { service, shop } = await testShop();
  ({ baseUrl } = service);
  ({ token } = shop.owner);
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

describe('every answer', () => {
  it.each([
    ['GET /ping', 'no-store'],
    ['GET /nothing', 'no-store'],
    ['GET /auth/credentials', 'no-store'],
    // The same for all callers: stored by browsers and revalidated by its ETag.
    ['GET //docs', 'no-cache'],
    ['GET /openapi.json', 'no-cache'],
  ])('%s has security headers and a request id', async (target, caching) => {
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
  it('is answered at once on every route, including streams', async () => {
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

  it('authenticates and validates like GET', async () => {
    const head = (path: string, authorization = '') =>
      exchange(baseUrl, `HEAD /api/v1${path} HTTP/1.1\r\nhost: x\r\n${authorization}connection: close\r\n\r\n`);
    const known = `authorization: Bearer ${token}\r\n`;
    expect((await head('/orders/changes/stream')).status).toBe(401);
    expect((await head('/orders/changes/stream', known)).status).toBe(200);
    expect((await head('/orders/changes?limit=none', known)).status).toBe(400);
  });
});

describe('other origins', () => {
  it('are refused without CORS_ORIGINS', async () => {
    const reply = await call(baseUrl, 'GET /ping', { headers: { origin: 'https://a.example' } });
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('are accepted when CORS_ORIGINS names them', async () => {
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

  it('are all accepted when CORS_ORIGINS is a star', async () => {
    const { baseUrl } = await testService({ CORS_ORIGINS: '*' });
    const reply = await call(baseUrl, 'GET /ping', { headers: { origin: 'https://any.example' } });
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  });
});
