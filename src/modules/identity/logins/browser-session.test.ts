import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';

const clock = movableClock(new Date());
let service: TestService;
let shop: TestOrganization;

beforeAll(async () => {
  service = await testService({ TRUST_PROXY: 'loopback', CORS_ORIGINS: 'https://a.example' }, { clock });
  shop = await testOrganization(service.sql);
});

const COOKIE_MODE = { 'x-session': 'cookie' };
const logIn = (headers: Record<string, string> = COOKIE_MODE) =>
  call(service.baseUrl, 'POST /auth/login', {
    body: { email: shop.owner.email, password: shop.owner.password },
    headers,
  });
const refresh = (headers: Record<string, string>, body?: unknown) =>
  call(service.baseUrl, 'POST /auth/refresh', { headers, body });
const setCookieOf = (reply: { headers: Headers }) => reply.headers.get('set-cookie') ?? '';
const cookieOf = (reply: { headers: Headers }) => setCookieOf(reply).split(';')[0] ?? '';
const statusOf = async (token: string) => (await call(service.baseUrl, 'GET /auth/session-tokens', { token })).status;

describe('a login with X-Session: cookie', () => {
  it('answers the access token, and the refresh token in a cookie that scripts and foreign pages cannot use', async () => {
    const reply = await logIn();
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body)).toEqual(['access_token', 'token_type', 'expires_in']);
    expect(await statusOf(reply.body.access_token)).toBe(200);
    expect(setCookieOf(reply)).toMatch(
      /^dukkan_refresh=dkr_[\w.-]+; Max-Age=2592000; Path=\/api\/v1\/auth; HttpOnly; SameSite=Strict$/,
    );
  });

  it('is Secure when it came by https, which only a trusted proxy may say', async () => {
    const https = { ...COOKIE_MODE, 'x-forwarded-proto': 'https' };
    expect(setCookieOf(await logIn(https))).toMatch(/; HttpOnly; Secure; SameSite=Strict$/);
    const alone = await testService({}, { database: { url: service.databaseUrl, sql: service.sql } });
    const reply = await call(alone.baseUrl, 'POST /auth/login', {
      body: { email: shop.owner.email, password: shop.owner.password },
      headers: https,
    });
    expect(setCookieOf(reply)).toMatch(/; HttpOnly; SameSite=Strict$/);
  });

  it('without the header sets no cookie, and answers as ever', async () => {
    const reply = await logIn({});
    expect(setCookieOf(reply)).toBe('');
    expect(reply.body.refresh_token).toMatch(/^dkr_/);
  });

  it.each(['bearer', 'Cookie', 'cookie, cookie', ''])('400: X-Session: %j', async (value) => {
    const reply = await logIn({ 'x-session': value });
    expect(reply.body).toEqual({
      code: 400,
      error: 'Invalid request parameters',
      details: { 'x-session': 'must be cookie' },
    });
    expect((await refresh({ 'x-session': value }, { refresh_token: 'x' })).status).toBe(400);
  });
});

describe('a refresh with X-Session: cookie', () => {
  it('takes the cookie, with or without a body, and sets the next', async () => {
    const first = cookieOf(await logIn());
    const second = await refresh({ ...COOKIE_MODE, cookie: first });
    expect(second.status).toBe(200);
    expect(Object.keys(second.body)).toEqual(['access_token', 'token_type', 'expires_in']);
    expect(await statusOf(second.body.access_token)).toBe(200);
    expect(cookieOf(second)).toMatch(/^dukkan_refresh=dkr_/);
    expect(cookieOf(second)).not.toBe(first);
    const third = await refresh({ ...COOKIE_MODE, cookie: `theme=dark; ${cookieOf(second)}; x=y` }, {});
    expect(third.status).toBe(200);
  });

  it('two tabs at once are given the same next one', async () => {
    const cookie = cookieOf(await logIn());
    const replies = await Promise.all(Array.from({ length: 5 }, () => refresh({ ...COOKIE_MODE, cookie })));
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(new Set(replies.map(cookieOf)).size).toBe(1);
  });

  it.each([
    ['no cookie', {}],
    ['another cookie', { cookie: 'other_dukkan_refresh=dkr_x; theme=dark' }],
    ['an empty one', { cookie: 'dukkan_refresh=' }],
  ])('401 with %s, also when a good token is in the body', async (_what, headers) => {
    const { refresh_token } = (await logIn({})).body;
    const reply = await refresh({ ...COOKIE_MODE, ...headers } as Record<string, string>, { refresh_token });
    expect(reply.body).toEqual({
      code: 401,
      error: 'Valid API key required',
      details: { takes: 'the cookie that a login with X-Session: cookie has set', came: 'no such cookie' },
    });
    // It was not used up: it is simply not what this way takes.
    expect((await refresh({}, { refresh_token })).status).toBe(200);
  });

  it('401 for a cookie that is no refresh token', async () => {
    const reply = await refresh({ ...COOKIE_MODE, cookie: 'dukkan_refresh=nonsense' });
    expect([reply.status, reply.body.details]).toEqual([401, 'The refresh token is not valid']);
  });

  it('without the header the cookie is not looked at', async () => {
    const cookie = cookieOf(await logIn());
    expect((await refresh({ cookie }, {})).body).toEqual({
      code: 422,
      error: 'Validation failed',
      details: { refresh_token: 'is required' },
    });
    expect((await refresh({ cookie })).status).toBe(400);
    expect((await refresh({ cookie }, { refresh_token: cookie.split('=')[1] })).body.refresh_token).toMatch(/^dkr_/);
  });
});

describe('logging out', () => {
  it('clears the cookie when one came, and ends the login', async () => {
    const login = await logIn();
    const cookie = cookieOf(login);
    const token = login.body.access_token;
    const reply = await call(service.baseUrl, 'POST /auth/logout', { token, headers: { cookie } });
    expect(reply.status).toBe(204);
    expect(setCookieOf(reply)).toBe('dukkan_refresh=; Max-Age=0; Path=/api/v1/auth; HttpOnly; SameSite=Strict');
    expect((await refresh({ ...COOKIE_MODE, cookie })).status).toBe(401);
  });

  it('sets nothing where there was none', async () => {
    const { access_token: token } = (await logIn({})).body;
    expect(setCookieOf(await call(service.baseUrl, 'POST /auth/logout', { token }))).toBe('');
  });
});

describe('a foreign page', () => {
  const preflight = (headers: string) =>
    call(service.baseUrl, 'OPTIONS /auth/refresh', {
      headers: {
        origin: 'https://a.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': headers,
      },
    });

  it('may send other headers, not X-Session, and never credentials', async () => {
    const asked = await preflight('content-type, X-Session,idempotency-key');
    expect(asked.headers.get('access-control-allow-origin')).toBe('https://a.example');
    expect(asked.headers.get('access-control-allow-headers')).toBe('content-type, idempotency-key');
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    expect((await preflight('x-session')).headers.get('access-control-allow-headers')).toBe('');
    const login = await logIn({ ...COOKIE_MODE, origin: 'https://a.example' });
    expect(login.headers.get('access-control-allow-credentials')).toBeNull();
  });
});
