import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';

type Row = {
  id: string;
  name: string;
  organization_id: string | null;
  hint: string;
  revoked: boolean;
  created: string;
};
type List<T> = { data: T[]; count: number; total_count: number; page: number; limit: number; has_next: boolean };
type Token = Row & { token: string; expires_at: string | null };
type Key = Row & { api_key: string };

const clock = movableClock(new Date());
let service: TestService;
let shop: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  service = await testService({}, { clock });
  shop = await testOrganization(service.sql);
  other = await testOrganization(service.sql);
});

const ask = <Body>(target: string, token: string, body?: unknown) =>
  call<Body>(service.baseUrl, target, { token, body });

describe('session tokens', () => {
  it('are shown once, work as bearer, and are kept as a hash', async () => {
    const { owner } = await testOrganization(service.sql);
    const made = await ask<Token>('POST /auth/session-tokens', owner.token, { name: 'Nightly', expires_in_days: 90 });
    expect(made.status).toBe(201);
    expect(made.body.token).toMatch(/^dks_/);
    expect(made.body).toMatchObject({
      name: 'Nightly',
      hint: made.body.token.slice(-4),
      revoked: false,
      created: clock.now().toISOString(),
      expires_at: new Date(clock.now().getTime() + 90 * 86_400_000).toISOString(),
    });
    const list = await ask<List<Token>>('GET /auth/session-tokens', made.body.token);
    expect(list.text).not.toContain(made.body.token);
    expect(list.body).toMatchObject({ count: 2, total_count: 2, page: 1, limit: 20, has_next: false });
    const { token, ...shown } = made.body;
    expect(list.body.data).toContainEqual(shown);
    const [kept] = await service.sql`select t::text as row from session_tokens t where id = ${made.body.id}`;
    expect(kept?.row).toContain('Nightly');
    for (const form of [token, Buffer.from(token).toString('hex')]) expect(kept?.row).not.toContain(form);
  });

  it('end when their days are over; without days they do not', async () => {
    const { owner } = await testOrganization(service.sql);
    const short = (await ask<Token>('POST /auth/session-tokens', owner.token, { expires_in_days: 1 })).body;
    const endless = (await ask<Token>('POST /auth/session-tokens', owner.token, { expires_in_days: null })).body;
    expect(endless.expires_at).toBeNull();
    expect((await ask('GET /auth/session-tokens', short.token)).status).toBe(200);
    clock.advanceMs(86_400_000);
    const late = await ask('GET /auth/session-tokens', short.token);
    expect([late.status, late.body]).toEqual([
      401,
      expect.objectContaining({
        details: { takes: 'Authorization: Bearer <token>', came: 'a token that has expired' },
      }),
    ]);
    expect((await ask('GET /auth/session-tokens', endless.token)).status).toBe(200);
  });

  it('are listed newest first, page by page, the own ones only', async () => {
    const account = await testAccount(service.sql, shop.id, 'viewer');
    for (let made = 0; made < 4; made += 1) {
      clock.advanceMs(1000);
      await ask('POST /auth/session-tokens', account.token, { name: `number ${made}` });
    }
    const page = async (number: number) =>
      (await ask<List<Token>>(`GET /auth/session-tokens?limit=2&page=${number}`, account.token)).body;
    expect((await page(1)).data.map(({ name }) => name)).toEqual(['number 3', 'number 2']);
    expect((await page(1)).has_next).toBe(true);
    expect(await page(3)).toMatchObject({ count: 1, total_count: 5, has_next: false });
    expect((await ask('GET /auth/session-tokens?limit=101', account.token)).status).toBe(400);
    expect((await ask('GET /auth/session-tokens?page=x', account.token)).body).toEqual({
      code: 400,
      error: 'Invalid request parameters',
      details: { page: 'must be an integer' },
    });
  });

  it('are revoked by their owner alone, once', async () => {
    const account = await testAccount(service.sql, shop.id, 'viewer');
    const made = (await ask<Token>('POST /auth/session-tokens', account.token, {})).body;
    const target = `DELETE /auth/session-tokens/${made.id}`;
    const foreign = await ask(target, other.owner.token);
    expect(foreign.body).toEqual({ code: 404, error: 'Session token not found', details: { id: made.id } });
    // Not even by the owner of the organization: the token is the user's.
    expect((await ask(target, shop.owner.token)).status).toBe(404);
    expect((await ask('GET /auth/session-tokens', made.token)).status).toBe(200);
    expect((await ask(target, account.token)).status).toBe(204);
    expect((await ask('GET /auth/session-tokens', made.token)).status).toBe(401);
    expect((await ask(target, account.token)).status).toBe(404);
  });

  it.each([newId(), 'nonsense', '0', "'; drop table users; --"])('404: %s', async (id) => {
    const reply = await ask(`DELETE /auth/session-tokens/${encodeURIComponent(id)}`, shop.owner.token);
    expect(reply.body).toEqual({ code: 404, error: 'Session token not found', details: { id } });
  });

  it.each([
    [{ expires_in_days: 0 }, { expires_in_days: 'must be at least 1' }],
    [{ expires_in_days: 3651 }, { expires_in_days: 'must be at most 3650' }],
    [{ expires_in_days: '90' }, { expires_in_days: 'must be an integer or null' }],
    [{ name: 'x'.repeat(256) }, { name: 'must have at most 255 characters' }],
    [{ name: null }, { name: 'must be a string' }],
  ])('422: %j', async (body, details) => {
    const reply = await ask('POST /auth/session-tokens', shop.owner.token, body);
    expect(reply.body).toEqual({ code: 422, error: 'Validation failed', details });
  });

  it('act for the organization the caller chose', async () => {
    const account = await testAccount(service.sql, shop.id);
    await service.sql`
      insert into memberships (organization_id, user_id, role, created)
      values (${other.id}, ${account.userId}, 'viewer', ${new Date()})`;
    const make = (organizationId: string) =>
      call<Token>(service.baseUrl, 'POST /auth/session-tokens', { token: account.token, organizationId, body: {} });
    const made = await make(other.id);
    expect(made.body.organization_id).toBe(other.id);
    const seen = await ask('GET /auth/credentials', made.body.token);
    expect(seen.body).toMatchObject({ tenant: { id: other.id }, user: { role: 'viewer' } });
    expect((await make(newId())).status).toBe(403);
  });
});

describe('API keys', () => {
  it('are shown once, kept as a hash, and listed for the organization', async () => {
    const { id, owner } = await testOrganization(service.sql);
    const made = await ask<Key>('POST /auth/api-keys', owner.token, { name: 'ERP bridge' });
    expect(made.status).toBe(201);
    expect(made.body.api_key).toMatch(/^dkk_/);
    expect(made.body).toMatchObject({ organization_id: id, name: 'ERP bridge', hint: made.body.api_key.slice(-4) });
    const list = await ask<List<Key>>('GET /auth/api-keys', owner.token);
    expect(list.text).not.toContain(made.body.api_key);
    expect(list.body.total_count).toBe(2);
    const key = made.body.api_key;
    const [kept] = await service.sql`select created_by, k::text as row from api_keys k where id = ${made.body.id}`;
    expect(kept?.created_by).toBe(owner.userId);
    for (const form of [key, Buffer.from(key).toString('hex')]) expect(kept?.row).not.toContain(form);
  });

  it('are made and revoked by owners; members and viewers only look', async () => {
    for (const role of ['member', 'viewer'] as const) {
      const { token } = await testAccount(service.sql, shop.id, role);
      expect((await ask('GET /auth/api-keys', token)).status).toBe(200);
      const refused = await ask('POST /auth/api-keys', token, {});
      expect(refused.body).toEqual({
        code: 403,
        error: 'Forbidden',
        details: { grant: 'create on Settings is required' },
      });
      expect((await ask(`DELETE /auth/api-keys/${newId()}`, token)).status).toBe(403);
    }
    const granted = await testAccount(service.sql, shop.id, 'viewer', { added: ['create:Settings'] });
    expect((await ask('POST /auth/api-keys', granted.token, {})).status).toBe(201);
    const withheld = await testAccount(service.sql, shop.id, 'owner', { withheld: ['create:Settings'] });
    expect((await ask('POST /auth/api-keys', withheld.token, {})).status).toBe(403);
  });

  it("cannot be touched with another organization's token", async () => {
    const made = (await ask<Key>('POST /auth/api-keys', shop.owner.token, {})).body;
    const unknown = newId();
    const asked = await ask(`DELETE /auth/api-keys/${made.id}`, other.owner.token);
    expect(asked.body).toEqual({ code: 404, error: 'API key not found', details: { id: made.id } });
    expect((await ask(`DELETE /auth/api-keys/${unknown}`, other.owner.token)).body).toMatchObject({ code: 404 });
    expect((await ask(`DELETE /auth/api-keys/${made.id}`, shop.owner.token)).status).toBe(204);
    expect((await ask(`DELETE /auth/api-keys/${made.id}`, shop.owner.token)).status).toBe(404);
  });

  it('are not a way out for one who is confined to a branch', async () => {
    const branchId = newId();
    await service.sql`
      insert into branches (organization_id, id, iv_id, search_text, created, updated)
      values (${shop.id}, ${branchId}, ${`B-${branchId.slice(-6)}`}, '', ${new Date()}, ${new Date()})`;
    const confined = await testAccount(service.sql, shop.id, 'owner', { branchId });
    for (const target of ['GET /auth/api-keys', `DELETE /auth/api-keys/${newId()}`]) {
      expect((await ask(target, confined.token)).status).toBe(403);
    }
    const refused = await ask('POST /auth/api-keys', confined.token, {});
    expect(refused.body).toMatchObject({ code: 403, details: { account: 'confined to one branch' } });
  });

  it('do not open routes that want a person', async () => {
    for (const target of ['GET /auth/credentials', 'GET /auth/api-keys', 'GET /telemetry', 'GET /leads']) {
      expect((await call(service.baseUrl, target, { apiKey: shop.apiKey })).status).toBe(401);
    }
  });
});
