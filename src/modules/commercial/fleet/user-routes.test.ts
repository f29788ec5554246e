import { describe, expect, test } from 'vitest';
import { call, type ReplyBody, testAccount } from '../../../../test/harness/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { recordAudit } from '../../audit/index.ts';
import { withSecondFactor } from '../../identity/testing/second-factor.ts';
import { openShop } from './testing/fleet.ts';
import { startCommercial } from './testing/start-commercial.ts';

const { service, sql, clock, fleet, operator, merchant, ask, got } = await startCommercial();
const RESET = 'POST /commercial/users/reset-totp';
const reason = 'Telephone lost';

async function enrolled(organizationId: string | null) {
  const member = await testAccount(sql, organizationId, 'member');
  await withSecondFactor(service.baseUrl, member, clock);
  return member;
}
const logIn = async ({ email, password }: { email: string; password: string }) =>
  (await call(service.baseUrl, 'POST /auth/login', { body: { email, password } })).status;
const statusWith = async (token: string) => (await call(service.baseUrl, 'GET /auth/account', { token })).status;

test('GET /commercial/audit lists entries by the time of the action, also those that were stored later', async () => {
  const shop = await openShop(fleet, 'Stored later', 'حُفظ لاحقًا');
  const actor = { kind: 'operator', id: operator.userId, name: operator.email, ip: '', requestId: '' } as const;
  const now = clock.now().getTime();
  for (const [action, hoursAgo] of [
    ['second', 2],
    ['first', 3],
    ['third', 1],
  ] as const) {
    const entry = { action, resource: 'Settings', resourceId: shop.id } as const;
    await inTransaction(sql, (tx) => recordAudit(tx, shop.id, actor, [entry], new Date(now - hoursAgo * 3_600_000)));
  }
  const { data } = await got(`GET /commercial/audit?organization_id=${shop.id}`);
  expect(data.map(({ action }: ReplyBody) => action)).toEqual(['third', 'second', 'first']);
});

describe(RESET, () => {
  test('removes the factor with its recovery codes and ends every session of the account', async () => {
    const shop = await openShop(fleet, 'Lost telephone', 'جوال مفقود');
    const member = await enrolled(shop.id);
    expect(await logIn(member)).toBe(401);
    const reset = await ask(RESET, { email: member.email.toUpperCase(), reason });
    expect([reset.status, reset.body]).toEqual([
      200,
      { user_id: member.userId, email: member.email.toUpperCase(), has_second_factor: false },
    ]);
    expect(await statusWith(member.token)).toBe(401);
    expect(await logIn(member)).toBe(200);
    expect(await sql`select 1 from recovery_codes where user_id = ${member.userId}`).toEqual([]);
    const { data } = await got(`GET /commercial/audit?organization_id=${shop.id}`);
    expect(data).toMatchObject([
      {
        action: 'reset-totp',
        resource: 'Settings',
        resource_id: member.userId,
        changed_fields: ['totp'],
        actor: { kind: 'operator', id: operator.userId },
      },
    ]);
  });

  test('is applied once for an idempotency key', async () => {
    const member = await enrolled(null);
    const key = { 'idempotency-key': newId() };
    const body = { email: member.email, reason };
    const first = await ask(RESET, body, key);
    const again = await ask(RESET, body, key);
    expect([again.status, again.headers.get('idempotency-hit'), again.body]).toEqual([200, 'true', first.body]);
    const { data } = await got('GET /commercial/audit?action=reset-totp');
    const recorded = data.filter((entry: ReplyBody) => entry.resource_id === member.userId);
    expect(recorded).toMatchObject([{ organization_id: '00000000-0000-0000-0000-000000000000' }]);
  });

  test('403 for a merchant, whatever the address', async () => {
    const member = await enrolled(null);
    for (const email of [member.email, merchant.email]) {
      const refused = await call(service.baseUrl, RESET, { token: merchant.token, body: { email, reason } });
      expect(refused.status).toBe(403);
    }
    expect(await statusWith(member.token)).toBe(200);
  });

  test('404 for an unknown address, 409 without a second factor, 422 for an account of the operator', async () => {
    const unknown = await ask(RESET, { email: 'unknown@tests.example', reason });
    expect([unknown.status, unknown.body.error]).toEqual([404, 'User not found']);
    const without = await testAccount(sql, null, 'member');
    const nothing = await ask(RESET, { email: without.email, reason });
    expect([nothing.status, nothing.body.error]).toEqual([409, 'No second factor is enabled']);
    expect(await statusWith(without.token)).toBe(200);
    const own = await ask(RESET, { email: operator.email, reason });
    expect([own.status, own.body.details]).toEqual([422, { email: expect.stringContaining('dukkan user reset-totp') }]);
  });

  test.each<[object, string]>([
    [{ email: 'nobody' }, 'email'],
    [{ email: undefined }, 'email'],
    [{ reason: undefined }, 'reason'],
    [{ reason: '  ' }, 'reason'],
    [{ reason: 'x'.repeat(1001) }, 'reason'],
  ])('422: %j', async (change, field) => {
    const refused = await ask(RESET, { email: 'a@tests.example', reason, ...change });
    expect([refused.status, Object.keys(refused.body.details)]).toEqual([422, [field]]);
  });
});

describe('POST /commercial/users/password-reset', () => {
  const LINK = 'POST /commercial/users/password-reset';
  const forgotten = 'Forgot the password';

  test('creates a link for a member of several organizations, once for an idempotency key', async () => {
    const shop = await openShop(fleet, 'Forgotten password', 'كلمة مرور منسية');
    const member = await testAccount(sql, shop.id, 'member');
    const key = { 'idempotency-key': newId() };
    const body = { email: member.email, reason: forgotten };
    const made = await ask(LINK, body, key);
    expect([made.status, made.body]).toEqual([
      201,
      { reset_url: expect.stringContaining('/reset-password#token=dkp_'), expires_at: expect.any(String) },
    ]);
    expect((await ask(LINK, body, key)).body).toEqual(made.body);
    const [token, password] = [made.body.reset_url.split('#token=')[1], 'another password for tests'];
    const done = await call(service.baseUrl, 'POST /auth/password/reset', { body: { token, password } });
    expect(done.status).toBe(204);
    expect(await logIn({ email: member.email, password })).toBe(200);
    const { data } = await got(`GET /commercial/audit?organization_id=${shop.id}&action=create-password-reset`);
    expect(data).toMatchObject([{ resource_id: member.userId, actor: { kind: 'operator', id: operator.userId } }]);
  });

  test('returns 403 for a merchant, 404 for an unknown address, 422 for an operator or without a reason', async () => {
    const asMerchant = { token: merchant.token, body: { email: merchant.email, reason: forgotten } };
    expect((await call(service.baseUrl, LINK, asMerchant)).status).toBe(403);
    expect((await ask(LINK, { email: 'unknown@tests.example', reason: forgotten })).status).toBe(404);
    const own = await ask(LINK, { email: operator.email, reason: forgotten });
    expect([own.status, own.body.details.email]).toEqual([422, expect.stringContaining('dukkan user reset-password')]);
    expect((await ask(LINK, { email: merchant.email, reason: ' ' })).body.details).toEqual({
      reason: 'must not be empty',
    });
  });
});
