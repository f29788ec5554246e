import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Call,
  call,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { png } from '../../branches/testing/images.ts';
import { issueApiKey } from '../index.ts';
import { RESOURCES } from '../permissions.ts';

const clock = movableClock(new Date());
let service: TestService;
let shop: TestOrganization;
let other: TestOrganization;
const branches: Record<'one' | 'two', { id: string; ivId: string }> = {
  one: { id: '', ivId: 'B-1' },
  two: { id: '', ivId: 'B-2' },
};

beforeAll(async () => {
  service = await testService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }, { clock });
  shop = await testOrganization(service.sql);
  other = await testOrganization(service.sql);
  for (const branch of Object.values(branches)) {
    branch.id = (await asOwner('POST /branches', { body: { iv_id: branch.ivId } })).body.data.id;
  }
  await asOwner('POST /products', { body: { iv_id: 'P-1' } });
});

const ask = (target: string, options: Call) => call(service.baseUrl, target, options);
const asOwner = (target: string, options: Call = {}) => ask(target, { token: shop.owner.token, ...options });
const make = (body: object, token = shop.owner.token) => ask('POST /auth/api-keys', { token, body });
const keyWith = async (grants: string[], more: object = {}): Promise<string> => {
  const reply = await make({ grants, ...more });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.api_key;
};
const listed = async (id: string): Promise<ReplyBody> =>
  (await asOwner('GET /auth/api-keys?limit=100')).body.data.find((row: ReplyBody) => row.id === id);
const orderAt = (branch?: string) => ({
  order_status: 'RECEIVED',
  fulfillment_status: 'None',
  destination: branch,
  skus: ['P-1_B-1'],
  products: [{ product_id: 'P-1', sku_id: 'P-1_B-1' }],
});

describe('a key with grants', () => {
  it('opens the routes that they name, without an organization header, and no others', async () => {
    const apiKey = await keyWith(['read:Orders', 'create:Orders']);
    expect((await ask('GET /orders', { apiKey })).status).toBe(200);
    const placed = await ask('POST /orders', { apiKey, body: orderAt() });
    expect(placed.status).toBe(201);
    expect((await asOwner(`GET /orders/${placed.body.data.id}`)).status).toBe(200);

    const refused = await ask('GET /products', { apiKey });
    expect(refused.body).toEqual({ code: 403, error: 'Forbidden', details: { grant: 'read on Products is required' } });
    expect((await ask(`PUT /orders/${placed.body.data.id}`, { apiKey, body: orderAt() })).status).toBe(403);
    expect((await ask('GET /orders/dashboard/export', { apiKey })).status).toBe(403);
  });

  it('403 for another organization than its own, by name or not', async () => {
    const apiKey = await keyWith(['read:Orders']);
    expect((await ask('GET /orders', { apiKey, organizationId: shop.id })).status).toBe(200);
    for (const organizationId of [other.id, newId()]) {
      expect((await ask('GET /orders', { apiKey, organizationId })).body).toMatchObject({
        code: 403,
        error: 'Organization not accessible',
      });
    }
  });

  it('never opens Settings, logins, or what is the operator’s, whatever the row says', async () => {
    const grants = RESOURCES.flatMap((resource) =>
      ['read', 'create', 'delete'].map((action) => `${action}:${resource}`),
    );
    const { apiKey } = await issueApiKey(service.sql, {
      organizationId: shop.id,
      name: 'all of it',
      grants,
      createdBy: null,
      now: clock.now(),
    });
    expect((await ask('GET /orders', { apiKey })).status).toBe(200);
    for (const target of [
      'GET /auth/api-keys',
      'POST /auth/api-keys',
      `DELETE /auth/api-keys/${newId()}`,
      'GET /auth/credentials',
      'GET /auth/session-tokens',
      'POST /auth/logout',
      'GET /telemetry',
      'GET /leads',
    ]) {
      const body = target === 'POST /auth/api-keys' ? {} : undefined;
      expect((await ask(target, { apiKey, body })).status, target).toBe(401);
    }
  });

  it('is listed with what it opens, where and until when', async () => {
    const expires_at = new Date(clock.now().getTime() + 86_400_000).toISOString();
    const asked = { name: 'ERP', grants: ['read:Orders', 'read:Products', 'read:Orders'], branch_iv_id: 'B-1' };
    const { status, body } = await make({ ...asked, expires_at });
    expect(status).toBe(201);
    const { api_key, ...row } = body;
    expect(row).toEqual({
      id: expect.any(String),
      organization_id: shop.id,
      name: 'ERP',
      hint: api_key.slice(-4),
      grants: ['read:Orders', 'read:Products'],
      branch_iv_id: 'B-1',
      revoked: false,
      expires_at,
      last_used_at: null,
      created: clock.now().toISOString(),
    });
    expect(await listed(row.id)).toEqual(row);
    expect((await make({ expires_at: null, branch_iv_id: null })).body).toMatchObject({
      grants: [],
      branch_iv_id: null,
      expires_at: null,
    });
  });

  it.each([
    [{ grants: ['read:Settings'] }, { 'grants.0': 'is never given to an API key' }],
    [{ grants: ['read:Orders', 'update:Settings'] }, { 'grants.1': 'is never given to an API key' }],
    [{ grants: ['read:Everything'] }, { 'grants.0': 'must be a grant such as read:Orders' }],
    [
      { grants: ['read:commercial', 'Orders'] },
      {
        'grants.0': 'must be a grant such as read:Orders',
        'grants.1': 'must be a grant such as read:Orders',
      },
    ],
    [{ grants: 'read:Orders' }, { grants: 'must be an array' }],
    [{ branch_iv_id: 'nowhere' }, { branch_iv_id: 'is not a branch of this organization' }],
    [{ expires_at: '2020-01-01T00:00:00Z' }, { expires_at: 'must be in the future' }],
    [{ expires_at: 'tomorrow' }, { expires_at: 'must be an RFC 3339 time such as 2026-11-15T18:30:00+03:00' }],
  ])('422: %j', async (body, details) => {
    expect((await make(body)).body).toEqual({ code: 422, error: 'Validation failed', details });
  });

  it("422 for another organization's branch", async () => {
    expect((await make({ branch_iv_id: 'B-1' }, other.owner.token)).status).toBe(422);
  });

  it('returns 403 for a grant that the caller does not hold', async () => {
    const viewer = await testAccount(service.sql, shop.id, 'viewer', { added: ['create:Settings'] });
    expect((await make({ grants: ['read:Orders'] }, viewer.token)).status).toBe(201);
    expect((await make({ grants: ['read:Orders', 'create:Orders', 'delete:Orders'] }, viewer.token)).body).toEqual({
      code: 403,
      error: 'Forbidden',
      details: { grants: 'not held by this account: create:Orders, delete:Orders' },
    });
    const withheld = await testAccount(service.sql, shop.id, 'owner', { withheld: ['read:Analytics'] });
    expect((await make({ grants: ['read:Analytics'] }, withheld.token)).status).toBe(403);
  });

  it('asks the database, not its memory, what its maker holds', async () => {
    const owner = await testAccount(service.sql, shop.id, 'owner');
    expect((await make({}, owner.token)).status).toBe(201);
    // As when the notice of the change is still on its way: the trigger that sends it is not there.
    await service.sql`alter table memberships disable trigger memberships_updated`;
    await service.sql`update memberships set grants_withheld = '{read:Orders}' where user_id = ${owner.userId}`;
    await service.sql`alter table memberships enable trigger memberships_updated`;
    expect((await make({ grants: ['read:Orders'] }, owner.token)).status).toBe(403);
  });

  it('401 from the moment it expires or is revoked', async () => {
    const until = new Date(clock.now().getTime() + 60_000).toISOString();
    const apiKey = await keyWith(['read:Orders'], { expires_at: until });
    expect((await ask('GET /orders', { apiKey })).status).toBe(200);
    clock.advanceMs(60_000);
    expect((await ask('GET /orders', { apiKey })).body).toMatchObject({
      code: 401,
      error: 'Valid API key required',
      details: { came: 'an API key that has expired' },
    });
    const made = (await make({ grants: ['read:Orders'] })).body;
    expect((await asOwner(`DELETE /auth/api-keys/${made.id}`)).status).toBe(204);
    expect((await ask('GET /orders', { apiKey: made.api_key })).body.details).toMatchObject({
      came: 'an API key that was revoked',
    });
  });
});

describe('a key confined to a branch', () => {
  it('is blind to other branches, and refused where the whole organization is touched', async () => {
    const apiKey = await keyWith(
      ['read:Orders', 'create:Orders', 'read:Branches', 'create:Branches', 'read:Webhooks'],
      {
        branch_iv_id: 'B-1',
      },
    );
    const here = (await asOwner('POST /orders', { body: orderAt(branches.one.id) })).body.data.id;
    const there = (await asOwner('POST /orders', { body: orderAt(branches.two.id) })).body.data.id;
    expect((await ask(`GET /orders/${here}`, { apiKey })).status).toBe(200);
    expect((await ask(`GET /orders/${there}`, { apiKey })).status).toBe(404);
    const seen = (await ask('GET /branches', { apiKey })).body.data.map((row: ReplyBody) => row.iv_id);
    expect(seen).toEqual(['B-1']);
    expect((await ask('POST /orders', { apiKey, body: orderAt(branches.two.id) })).text).toContain(
      'not the branch of this account',
    );
    const refused = { code: 403, details: { account: 'confined to one branch' } };
    expect((await ask('POST /branches', { apiKey, body: { iv_id: 'B-3' } })).body).toMatchObject(refused);
    expect((await ask('GET /webhook-subscriptions', { apiKey })).body).toMatchObject(refused);
  });

  it('finds its own jobs, and not those of another key or person', async () => {
    const confined = { branch_iv_id: 'B-1' };
    const [apiKey, neighbour] = [
      await keyWith(['read:Orders', 'create:Orders'], confined),
      await keyWith(['read:Orders'], confined),
    ];
    const queue = async (caller: Call) =>
      (await ask('POST /orders', { ...caller, body: orderAt(branches.one.id), headers: { 'x-async': 'true' } })).body
        .data.job_id;
    const [own, owners] = [await queue({ apiKey }), await queue({ token: shop.owner.token })];
    const status = async (id: string, key: string) => (await ask(`GET /jobs/${id}`, { apiKey: key })).status;
    expect(await status(own, apiKey)).toBe(200);
    expect(await status(own, neighbour)).toBe(404);
    expect(await status(owners, apiKey)).toBe(404);
    await expect.poll(async () => (await ask(`GET /jobs/${own}`, { apiKey })).body.status).toBe('succeeded');
  });
});

describe('what a key does', () => {
  it('GET /jobs/{id} takes one that may read what the job is about', async () => {
    const apiKey = await keyWith(['create:Orders']);
    const queued = await ask('POST /orders', { apiKey, body: orderAt(), headers: { 'x-async': 'true' } });
    expect(queued.status).toBe(202);
    const target = `GET /jobs/${queued.body.data.job_id}`;
    expect((await ask(target, { apiKey })).body).toMatchObject({
      code: 403,
      details: { grant: 'read on Orders is required' },
    });
    expect((await ask(target, { apiKey: await keyWith(['read:Orders']) })).status).toBe(200);
  });

  it('an Idempotency-Key is the key’s own', async () => {
    const [one, two] = [await keyWith(['create:Orders']), await keyWith(['create:Orders'])];
    const headers = { 'idempotency-key': newId() };
    const place = (apiKey: string) => ask('POST /orders', { apiKey, headers, body: orderAt() });
    const first = await place(one);
    const again = await place(one);
    expect([again.headers.get('idempotency-hit'), again.body.data]).toEqual(['true', first.body.data]);
    expect((await place(two)).headers.get('idempotency-hit')).toBeNull();
  });

  it('uploads, subscriptions and their recovery jobs', async () => {
    const apiKey = await keyWith(['create:Branches', 'create:Webhooks', 'update:Webhooks', 'read:Webhooks']);
    const raw = new FormData();
    raw.append('iv_id', 'B-IMAGE');
    raw.append('hero_image', new Blob([png()]), 'hero.png');
    expect((await ask('POST /branches', { apiKey, raw })).status).toBe(201);
    const hook = await ask('POST /webhook-subscriptions', { apiKey, body: { url: 'https://127.0.0.1:9/hook' } });
    expect(hook.status).toBe(201);
    const since = new Date(clock.now().getTime() - 1000).toISOString();
    const job = await ask(`POST /webhook-subscriptions/${hook.body.id}/recover`, { apiKey, body: { since } });
    expect(job.status).toBe(202);
    expect((await ask(`GET /jobs/${job.body.data.job_id}`, { apiKey })).status).toBe(200);
  });

  it('a stream stays open for as long as the key stands', async () => {
    const made = (await make({ grants: ['read:Orders'] })).body;
    const response = await fetch(`${service.baseUrl}/api/v1/orders/changes/stream`, {
      headers: { 'x-api-key': made.api_key },
    });
    expect(response.status).toBe(200);
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    })();
    const { id } = (await asOwner('POST /orders', { body: orderAt() })).body.data;
    await expect.poll(() => text).toContain(id);
    await asOwner(`DELETE /auth/api-keys/${made.id}`);
    await asOwner('POST /orders', { body: orderAt() });
    await reading;
    expect(text).toMatch(/: closed 401 Valid API key required\n\n$/);
  });

  it('counts for its organization’s rate limit', async () => {
    const limited = await testService(
      { RATE_LIMIT_PER_MINUTE: '3' },
      { clock, database: { url: service.databaseUrl, sql: service.sql } },
    );
    const keys = [await keyWith(['read:Orders']), await keyWith(['read:Orders'])];
    const statuses: number[] = [];
    for (const apiKey of [...keys, ...keys])
      statuses.push((await call(limited.baseUrl, 'GET /orders', { apiKey })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

describe('the audit', () => {
  it('names who made and revoked keys and tokens, in the organization they are for', async () => {
    const { id, owner } = await testOrganization(service.sql);
    const { token } = owner;
    const key = (await make({ name: 'ERP', grants: ['read:Orders'] }, token)).body;
    await ask(`DELETE /auth/api-keys/${key.id}`, { token });
    const made = (await ask('POST /auth/session-tokens', { token, body: { name: 'n' } })).body;
    await ask(`DELETE /auth/session-tokens/${made.id}`, { token });
    await ask(`DELETE /auth/session-tokens/${made.id}`, { token });
    const entries = await service.sql`
      select action, resource, resource_id, changed_fields, actor_kind, actor_id, actor_name, ip from audit_entries
      where organization_id = ${id} order by id`;
    const author = { actor_kind: 'user', actor_id: owner.userId, actor_name: owner.email, ip: '127.0.0.1' };
    const entry = (action: string, resource_id: string, changed_fields: string[]) => ({
      ...author,
      action,
      resource: 'Settings',
      resource_id,
      changed_fields,
    });
    expect(entries).toEqual([
      entry('create', key.id, ['name', 'grants']),
      entry('revoke', key.id, ['revoked']),
      entry('create', made.id, ['name']),
      entry('revoke', made.id, ['revoked']),
    ]);
  });
});
