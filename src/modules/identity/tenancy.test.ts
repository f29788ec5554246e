import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  commercialAccount,
  type TestAccount,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { newId } from '../../platform/ids.ts';
import { addMember, setSuspended } from './index.ts';

let service: TestService;
let shop: TestOrganization;
let second: TestOrganization;
let other: TestOrganization;
let operator: TestAccount;

beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
  second = await testOrganization(service.sql);
  other = await testOrganization(service.sql);
  operator = await commercialAccount(service.sql);
  const now = new Date(Date.now() + 1000);
  await addMember(service.sql, { organizationId: second.id, userId: shop.owner.userId, role: 'viewer', now });
});

const as = (token: string, organizationId?: string, target = 'GET /auth/api-keys') =>
  call<{ data: { organization_id: string }[] }>(service.baseUrl, target, { token, organizationId });
const tenantsIn = async (token: string, organizationId?: string) =>
  new Set((await as(token, organizationId)).body.data.map((row) => row.organization_id));

describe('the organization of a request', () => {
  it('comes from the token', async () => {
    expect(await tenantsIn(shop.owner.token)).toEqual(new Set([shop.id]));
  });

  it('is another of the account when the header says so, in any case of letters', async () => {
    expect(await tenantsIn(shop.owner.token, second.id)).toEqual(new Set([second.id]));
    expect(await tenantsIn(shop.owner.token, second.id.toUpperCase())).toEqual(new Set([second.id]));
    expect(await tenantsIn(shop.owner.token, shop.id)).toEqual(new Set([shop.id]));
  });

  it('brings the role that the account has there', async () => {
    const make = (organizationId: string) =>
      call(service.baseUrl, 'POST /auth/api-keys', { token: shop.owner.token, organizationId, body: {} });
    expect((await make(shop.id)).status).toBe(201);
    expect((await make(second.id)).status).toBe(403);
  });

  it.each([
    ["another's", () => other.id],
    ['unknown', () => newId()],
    ['garbage', () => 'nonsense'],
    ['several', () => `${shop.id}, ${second.id}`],
    ['an injection', () => `' or '1'='1`],
  ])('is refused with 403 when it is %s, in the same words', async (_what, organizationId) => {
    const reply = await as(shop.owner.token, organizationId());
    expect(reply.status).toBe(403);
    expect(reply.body).toEqual({
      code: 403,
      error: 'Organization not accessible',
      details: { organization_id: 'not an organization of this account' },
    });
  });

  it('is the one of the token when the header is empty', async () => {
    expect(await tenantsIn(shop.owner.token, '')).toEqual(new Set([shop.id]));
  });
});

describe('a Commercial account', () => {
  it('belongs to no organization: tenant routes answer 403, whatever the header', async () => {
    for (const organizationId of [undefined, shop.id, newId()]) {
      expect((await as(operator.token, organizationId)).status).toBe(403);
      expect((await as(operator.token, organizationId, 'GET /jobs/none')).status).toBe(403);
    }
  });

  it('has no credentials to check: 400, and 403 with an organization', async () => {
    const without = await as(operator.token, undefined, 'GET /auth/credentials');
    expect(without.body).toMatchObject({ code: 400, error: 'Organization not resolvable' });
    expect((await as(operator.token, shop.id, 'GET /auth/credentials')).status).toBe(403);
  });

  it('sees what is the operator’s; a merchant does not', async () => {
    expect((await as(operator.token, undefined, 'GET /leads')).status).toBe(200);
    expect((await as(shop.owner.token, undefined, 'GET /leads')).status).toBe(403);
  });

  it('has session tokens like everybody', async () => {
    const made = await call(service.baseUrl, 'POST /auth/session-tokens', { token: operator.token, body: {} });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ organization_id: null });
  });
});

describe('a suspended organization', () => {
  it('402 on every tenant route but those under /auth, for as long as it lasts', async () => {
    const late = await testOrganization(service.sql);
    await setSuspended(service.sql, late.id, new Date());
    const POLL_OPTIONS = { interval: 20 };
    await expect
      .poll(async () => (await as(late.owner.token, undefined, 'GET /jobs/none')).status, POLL_OPTIONS)
      .toBe(402);
    const refused = await as(late.owner.token, undefined, `GET /jobs/${newId()}`);
    expect(refused.body).toEqual({ code: 402, error: 'Billing suspended', details: { organization_id: late.id } });

    for (const target of ['GET /auth/credentials', 'GET /auth/session-tokens', 'GET /auth/api-keys']) {
      expect((await as(late.owner.token, undefined, target)).status, target).toBe(200);
    }
    for (const target of ['POST /auth/session-tokens', 'POST /auth/api-keys']) {
      expect((await call(service.baseUrl, target, { token: late.owner.token, body: {} })).status, target).toBe(201);
    }
    expect((await call(service.baseUrl, 'GET /telemetry', { token: late.owner.token })).status).toBe(200);

    await setSuspended(service.sql, late.id, null);
    await expect
      .poll(async () => (await as(late.owner.token, undefined, 'GET /jobs/none')).status, POLL_OPTIONS)
      .toBe(404);
  });

  it('does not hold up another organization of the same account', async () => {
    const late = await testOrganization(service.sql);
    const now = new Date(Date.now() + 1000);
    await addMember(service.sql, { organizationId: shop.id, userId: late.owner.userId, role: 'viewer', now });
    await setSuspended(service.sql, late.id, new Date());
    expect((await as(late.owner.token, shop.id, 'GET /jobs/none')).status).toBe(404);
    expect((await as(late.owner.token, late.id, 'GET /jobs/none')).status).toBe(402);
  });

  it('is suspended as well when it is not active', async () => {
    const closed = await testOrganization(service.sql);
    await service.sql`update organizations set is_active = false where id = ${closed.id}`;
    expect((await as(closed.owner.token, undefined, 'GET /jobs/none')).status).toBe(402);
  });
});
