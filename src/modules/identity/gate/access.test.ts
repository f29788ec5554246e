import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  commercialAccount,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { createHttpServer } from '../../../platform/http/server.ts';
import { newId } from '../../../platform/ids.ts';
import { installIdentity, setSuspended, tenantOf } from '../index.ts';
import { type Access, anyMember, commercial, open, securityOf, signedIn, tenant } from './access.ts';

let service: TestService;
let shop: TestOrganization;
let app: App;
let baseUrl: string;
const NO_LIMITS = { loginRateLimitPerMinute: 0, commercialRequireTotp: false };
const apps = tenant('read', 'Apps', { apiKey: true });

/** The gate in front of routes of the test's own, since no route of the service has all of these. */
beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
  app = newApp();
  const { cache } = installIdentity(app, service.platform, NO_LIMITS);
  await cache.start();
  afterAll(() => cache.stop());
  app.get('/api/v1/apps', { config: { access: apps } }, async (request) => tenantOf(request));
  app.get('/api/v1/people', { config: { access: tenant('read', 'Apps') } }, async (request) => tenantOf(request));
  app.post('/api/v1/apps', { config: { access: tenant('create', 'Apps', { apiKey: true }) } }, async () => ({}));
  baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

function newApp(): App {
  return createHttpServer({ log: pino({ level: 'silent' }), trustProxy: false, maxInFlightRequests: 10 }).app;
}
const ask = (target: string, options: { apiKey?: string; token?: string; organizationId?: string }) =>
  call(baseUrl, target, options);

describe('an API key', () => {
  it('acts for its organization where it is taken, and a token does as well', async () => {
    const byKey = await ask('GET /apps', { apiKey: shop.apiKey });
    expect([byKey.status, byKey.body]).toEqual([
      200,
      expect.objectContaining({ organizationId: shop.id, userEmail: 'api key', branchId: null }),
    ]);
    expect((await ask('GET /apps', { token: shop.owner.token })).body).toMatchObject({ userId: shop.owner.userId });
  });

  it('401 where it is not taken, and when it is wrong, missing or revoked', async () => {
    expect((await ask('GET /people', { apiKey: shop.apiKey })).status).toBe(401);
    expect((await ask('GET /apps', { apiKey: `dkk_${'x'.repeat(43)}` })).status).toBe(401);
    expect((await ask('GET /apps', { apiKey: 'x'.repeat(5000) })).status).toBe(401);
    expect((await ask('GET /apps', {})).body).toMatchObject({
      error: 'Valid API key required',
      details: { takes: 'Authorization: Bearer <token>, or X-API-Key: <key>', came: 'nothing' },
    });
    const { id, owner, apiKey } = await testOrganization(service.sql);
    expect((await ask('GET /apps', { apiKey })).status).toBe(200);
    const [key] = await service.sql<{ id: string }[]>`select id from api_keys where organization_id = ${id}`;
    expect((await call(service.baseUrl, `DELETE /auth/api-keys/${key?.id}`, { token: owner.token })).status).toBe(204);
    await expect.poll(async () => (await ask('GET /apps', { apiKey })).status).toBe(401);
  });

  it('403 for more than reading, and for another organization', async () => {
    expect((await ask('POST /apps', { apiKey: shop.apiKey })).status).toBe(403);
    const other = await testOrganization(service.sql);
    expect((await ask('GET /apps', { apiKey: shop.apiKey, organizationId: other.id })).status).toBe(403);
    expect((await ask('GET /apps', { apiKey: shop.apiKey, organizationId: shop.id })).status).toBe(200);
  });

  it('402 while its organization is suspended', async () => {
    const late = await testOrganization(service.sql);
    await setSuspended(service.sql, late.id, new Date());
    expect((await ask('GET /apps', { apiKey: late.apiKey })).status).toBe(402);
  });

  it('does not rescue a bad token that came with it', async () => {
    expect((await ask('GET /apps', { apiKey: shop.apiKey, token: 'nonsense' })).status).toBe(401);
  });
});

describe('the caller', () => {
  it('reaches rules with its branch and the scope of its idempotency keys', async () => {
    const branchId = newId();
    const confined = await testAccount(service.sql, shop.id, 'viewer', { branchId });
    const { body } = await ask('GET /people', { token: confined.token });
    expect(body).toEqual({
      organizationId: shop.id,
      timeZone: 'Asia/Riyadh',
      userId: confined.userId,
      userEmail: confined.email,
      callerId: confined.userId,
      branchId,
      scope: `${shop.id}:${confined.userId}`,
      actor: {
        kind: 'user',
        id: confined.userId,
        name: confined.email,
        ip: '127.0.0.1',
        requestId: expect.stringMatching(/^req-/),
      },
    });
  });

  it('who belongs nowhere is refused by tenant routes', async () => {
    const operator = await commercialAccount(service.sql);
    expect((await ask('GET /people', { token: operator.token })).status).toBe(403);
  });
});

describe('a route that does not say who may call it', () => {
  it('keeps the service from starting', () => {
    const forgetful = newApp();
    installIdentity(forgetful, service.platform, NO_LIMITS);
    expect(() => forgetful.get('/api/v1/secrets', async () => ({}))).toThrow(/GET \/api\/v1\/secrets does not say who/);
    expect(() => forgetful.get('/elsewhere', async () => ({}))).not.toThrow();
  });
});

describe('the API description', () => {
  it.each<[Access, Record<string, string[]>[]]>([
    [open, []],
    [signedIn, [{ bearer: [] }]],
    [commercial, [{ bearer: [] }]],
    [{ kind: 'credentials' }, [{ bearer: [] }]],
    [tenant('read', 'Settings'), [{ bearer: [] }]],
    [tenant('read', 'Orders'), [{ apiKey: [] }, { bearer: [] }]],
    [anyMember, [{ apiKey: [] }, { bearer: [] }]],
    [apps, [{ apiKey: [] }, { bearer: [] }]],
  ])('of %j', (access, security) => {
    expect(securityOf(access)).toEqual(security);
  });
});
