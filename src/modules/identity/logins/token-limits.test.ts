import { beforeAll, describe, expect, it } from 'vitest';
import { call, type TestService, testAccount, testOrganization, testService } from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { addMember } from '../index.ts';
import { MAX_API_KEYS, MAX_SESSION_TOKENS } from './token-limits.ts';

const clock = movableClock(new Date());
let service: TestService;
beforeAll(async () => {
  service = await testService({}, { clock });
});

const post = (path: string, token: string, more: { organizationId?: string; headers?: Record<string, string> } = {}) =>
  call(service.baseUrl, `POST ${path}`, { token, body: {}, ...more });

describe('how many tokens', () => {
  it('a user may have: 409 past the limit, exactly, also when they come at once', async () => {
    const { owner } = await testOrganization(service.sql);
    const add = (count: number, state: { revoked?: boolean; expired?: boolean }) => service.sql`
      insert into session_tokens (id, user_id, token_hash, hint, created, revoked_at, expires_at)
      select gen_random_uuid(), ${owner.userId}, decode(md5(random()::text || n), 'hex'), '', ${clock.now()},
             ${state.revoked ? clock.now() : null}, ${state.expired ? clock.now() : null}
      from generate_series(1, ${count}) as n`;
    // Two more are allowed beside the caller's own; ended ones do not count.
    await add(MAX_SESSION_TOKENS - 3, {});
    await add(150, { revoked: true });
    await add(150, { expired: true });
    const replies = await Promise.all(Array.from({ length: 6 }, () => post('/auth/session-tokens', owner.token)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.body).toEqual({
      code: 409,
      error: 'Too many session tokens',
      details: { limit: MAX_SESSION_TOKENS },
    });

    const made = replies.find(({ status }) => status === 201)?.body;
    await call(service.baseUrl, `DELETE /auth/session-tokens/${made.id}`, { token: owner.token });
    expect((await post('/auth/session-tokens', owner.token)).status).toBe(201);
  });

  it('an organization may have of API keys, likewise, for any caller', async () => {
    const { id, owner } = await testOrganization(service.sql);
    const colleague = await testAccount(service.sql, id, 'owner');
    const add = (count: number, revokedAt: Date | null) => service.sql`
      insert into api_keys (organization_id, id, key_hash, hint, created, revoked_at)
      select ${id}, gen_random_uuid(), decode(md5(random()::text || n), 'hex'), '', ${clock.now()}, ${revokedAt}
      from generate_series(1, ${count}) as n`;
    await add(MAX_API_KEYS - 3, null);
    await add(150, clock.now());
    const replies = await Promise.all(
      [owner, colleague, owner, colleague, owner].map(({ token }) => post('/auth/api-keys', token)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.body).toEqual({ code: 409, error: 'Too many API keys', details: { limit: MAX_API_KEYS } });
  });
});

describe('an idempotency key', () => {
  it.each([
    ['/auth/session-tokens', 'token'],
    ['/auth/api-keys', 'api_key'],
  ])('for another organization is another key: %s', async (path, secret) => {
    const [one, other] = [await testOrganization(service.sql), await testOrganization(service.sql)];
    const now = clock.now();
    await addMember(service.sql, { organizationId: other.id, userId: one.owner.userId, role: 'owner', now });
    const headers = { 'idempotency-key': newId() };
    const make = (organizationId: string) => post(path, one.owner.token, { organizationId, headers });
    const first = await make(one.id);
    const second = await make(other.id);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect([first.body.organization_id, second.body.organization_id]).toEqual([one.id, other.id]);
    expect(second.body[secret]).not.toBe(first.body[secret]);
    const again = await make(one.id);
    expect([again.headers.get('idempotency-hit'), again.body[secret]]).toEqual(['true', first.body[secret]]);
  });
});
