import { describe, expect, it } from 'vitest';
import { call, commercialAccount, testAccount, testOrganization } from '../../../../test/harness/index.ts';
import { newId } from '../../../platform/ids.ts';
import { addMember } from '../index.ts';
import { secondFactorService } from '../testing/second-factor-service.ts';

const { service, shop, at, post, logIn, confirmed, nextCode } = await secondFactorService();

describe('where it is required', () => {
  const POLL_OPTIONS = { interval: 20 };
  const missing = { code: 403, error: 'Second factor required', details: { totp: 'enrol' } };
  const ask = (target: string, options: Parameters<typeof call>[2] = {}) =>
    call(service.baseUrl, target, { token: at.person.token, ...options });

  it('by an organization: 403 on all of it until there is one; /auth stays open, keys are not concerned', async () => {
    const strict = await testOrganization(service.sql);
    at.person = await testAccount(service.sql, strict.id, 'owner');
    expect((await ask('GET /orders')).status).toBe(200);
    const made = await ask('POST /auth/api-keys', { body: { grants: ['read:Orders'] } });
    await service.sql`update organizations set require_totp = true where id = ${strict.id}`;
    await expect.poll(async () => (await ask('GET /orders')).body, POLL_OPTIONS).toEqual(missing);
    // A key would be a way around it.
    for (const target of [`GET /jobs/${newId()}`, 'POST /auth/api-keys', 'GET /auth/api-keys']) {
      expect((await ask(target, target.startsWith('POST') ? { body: {} } : {})).body).toEqual(missing);
    }
    expect((await ask('GET /auth/credentials')).body.service_operational).toBe(true);
    expect((await ask('GET /auth/session-tokens')).status).toBe(200);
    expect((await logIn()).status).toBe(200);
    const byKey = await call(service.baseUrl, 'GET /orders', { apiKey: made.body.api_key });
    expect(byKey.status).toBe(200);

    // In another organization of the same account nothing has changed.
    const now = new Date(Date.now() + 1000);
    await addMember(service.sql, { organizationId: shop.id, userId: at.person.userId, role: 'viewer', now });
    await expect
      .poll(async () => (await ask('GET /orders', { organizationId: shop.id })).status, POLL_OPTIONS)
      .toBe(200);

    const { secret } = await confirmed();
    expect((await ask('GET /orders')).status).toBe(200);
    const body = { password: at.person.password, code: nextCode(secret) };
    expect((await post('/auth/totp/disable', body)).status).toBe(204);
    expect((await ask('GET /orders')).body).toEqual(missing);
  });

  it('by COMMERCIAL_REQUIRE_TOTP: of the operator', async () => {
    at.person = await commercialAccount(service.sql);
    expect((await ask('GET /leads')).body).toEqual({ data: null, message: 'Second factor required', status: 403 });
    await confirmed();
    expect((await ask('GET /leads')).status).toBe(200);
  });
});

describe('the audit', () => {
  const entriesOf = (organizationId: string) => service.sql`
    select action, resource, resource_id, changed_fields, actor_kind, actor_id, actor_name from audit_entries
    where organization_id = ${organizationId} and actor_id = ${at.person.userId} order by id`;

  it('names each change in every organization of the user, and never a secret', async () => {
    const [one, other] = [await testOrganization(service.sql), await testOrganization(service.sql)];
    at.person = await testAccount(service.sql, one.id, 'member');
    await service.sql`update users set name = 'Noura' where id = ${at.person.userId}`;
    const now = new Date();
    await addMember(service.sql, { organizationId: other.id, userId: at.person.userId, role: 'viewer', now });
    const { secret } = await confirmed();
    const disabled = await post('/auth/totp/disable', { password: at.person.password, code: nextCode(secret) });
    expect(disabled.status).toBe(204);
    const passwords = { current_password: at.person.password, new_password: 'another password for tests' };
    expect((await post('/auth/password', passwords)).status).toBe(204);
    const entry = (action: string, field: string) => ({
      action,
      resource: 'Settings',
      resource_id: at.person.userId,
      changed_fields: [field],
      actor_kind: 'user',
      actor_id: at.person.userId,
      actor_name: 'Noura',
    });
    for (const { id } of [one, other]) {
      expect(await entriesOf(id)).toEqual([
        entry('enrol', 'totp'),
        entry('confirm', 'totp'),
        entry('disable', 'totp'),
        entry('update', 'password'),
      ]);
    }
    const [all] = await service.sql`select string_agg(e::text, '') as text from audit_entries e`;
    expect(all?.text).not.toContain(secret);
  });

  it('has nothing of what was refused', async () => {
    await post('/auth/totp/confirm', { code: '123456' });
    await post('/auth/password', { current_password: 'wrong', new_password: 'another password for tests' });
    expect(await entriesOf(shop.id)).toEqual([]);
  });
});
