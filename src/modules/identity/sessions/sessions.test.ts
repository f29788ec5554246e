import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type TestAccount,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { publishedAnswers } from '../../../../test/harness/published-answers.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';

type Tokens = { access_token: string; refresh_token: string };
type Session = { id: string; device: string; ip: string; created: string; last_seen_at: string; current: boolean };

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Safari/604.1';
const clock = movableClock(new Date('2026-11-18T08:00:00Z'));
let service: TestService;
let organizationId: string;
let check: Awaited<ReturnType<typeof publishedAnswers>>;

beforeAll(async () => {
  service = await testService({ TRUST_PROXY: 'loopback' }, { clock });
  ({ id: organizationId } = await testOrganization(service.sql));
  check = await publishedAnswers(service.baseUrl);
});

const from = (ip: string, userAgent: string) => ({ 'x-forwarded-for': ip, 'user-agent': userAgent });
async function logIn({ email, password }: TestAccount, headers: Record<string, string> = {}): Promise<Tokens> {
  const reply = await call<Tokens>(service.baseUrl, 'POST /auth/login', { body: { email, password }, headers });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}
async function ask(target: string, token: string) {
  const reply = await call(service.baseUrl, target, { token });
  expect(check(target, reply)).toEqual([]);
  return reply;
}
const sessionsOf = async (token: string): Promise<Session[]> => (await ask('GET /auth/sessions', token)).body.data;
const statusOf = async (token: string) => (await ask('GET /auth/account', token)).status;
const refresh = (refresh_token: string, headers: Record<string, string> = {}) =>
  call<Tokens>(service.baseUrl, 'POST /auth/refresh', { body: { refresh_token }, headers });
const person = () => testAccount(service.sql, organizationId, 'viewer');

describe('GET /auth/sessions', () => {
  it('lists live sessions with device, address and last use, and marks the one that asks', async () => {
    const account = await person();
    const phone = await logIn(account, from('203.0.113.7', PHONE));
    const began = clock.now().toISOString();
    clock.advanceMs(60_000);
    const script = await logIn(account, from('2001:db8::1', 'curl/8.5.0'));
    const { body } = await ask('GET /auth/sessions', phone.access_token);
    expect(body).toMatchObject({ count: 2, total_count: 2, page: 1, has_next: false });
    const [last, first] = body.data;
    expect(first).toEqual({
      id: expect.any(String),
      device: 'Safari, iPhone',
      ip: '203.0.113.7',
      created: began,
      last_seen_at: began,
      current: true,
    });
    expect(last).toMatchObject({ device: 'curl', ip: '2001:db8::1', current: false });
    expect((await sessionsOf(script.access_token)).map(({ current }) => current)).toEqual([true, false]);
    // A session token is none of them.
    expect((await sessionsOf(account.token)).some(({ current }) => current)).toBe(false);
  });

  it('shows address, device and time of the last refresh', async () => {
    const account = await person();
    const login = await logIn(account, from('203.0.113.7', PHONE));
    clock.advanceMs(3_600_000);
    const next = await refresh(login.refresh_token, from('203.0.113.99', `${PHONE} ${'x'.repeat(400)}`));
    expect(await sessionsOf(next.body.access_token)).toMatchObject([
      { ip: '203.0.113.99', device: 'Safari, iPhone', last_seen_at: clock.now().toISOString() },
    ]);
    const [row] = await service.sql`
      select length(user_agent) as length from login_sessions where user_id = ${account.userId}`;
    expect(row?.length).toBe(255);
  });

  it('leaves out sessions that ended or expired, and those of other accounts', async () => {
    const account = await person();
    await logIn(await person());
    const ended = await logIn(account);
    await call(service.baseUrl, 'POST /auth/logout', { token: ended.access_token });
    await logIn(account);
    expect(await sessionsOf(account.token)).toHaveLength(1);
    clock.advanceMs(30 * 86_400_000);
    expect(await sessionsOf(account.token)).toEqual([]);
  });

  it('refuses a page that is no number, and a request without a token', async () => {
    expect((await ask('GET /auth/sessions?page=x', (await person()).token)).status).toBe(400);
    for (const target of ['GET /auth/sessions', 'DELETE /auth/sessions', `DELETE /auth/sessions/${newId()}`])
      expect((await call(service.baseUrl, target)).status).toBe(401);
  });
});

describe('DELETE /auth/sessions/{id}', () => {
  it('ends access and refresh token at once and writes the audit', async () => {
    const account = await person();
    const [phone, laptop] = [await logIn(account, from('203.0.113.7', PHONE)), await logIn(account)];
    expect(await statusOf(phone.access_token)).toBe(200);
    const { id = '' } = (await sessionsOf(laptop.access_token)).find(({ device }) => device.includes('iPhone')) ?? {};
    expect((await ask(`DELETE /auth/sessions/${id.toUpperCase()}`, laptop.access_token)).status).toBe(204);
    expect(await statusOf(phone.access_token)).toBe(401);
    expect((await refresh(phone.refresh_token)).status).toBe(401);
    expect(await statusOf(laptop.access_token)).toBe(200);
    expect((await ask(`DELETE /auth/sessions/${id}`, laptop.access_token)).status).toBe(404);
    const entries = await service.sql`
      select action, resource, changed_fields, actor_id from audit_entries
      where organization_id = ${organizationId} and resource_id = ${account.userId}`;
    expect(entries).toEqual([
      { action: 'revoke', resource: 'Settings', changed_fields: ['sessions'], actor_id: account.userId },
    ]);
  });

  it('ends the session that asks and clears its cookie', async () => {
    const { email, password } = await person();
    const login = await call<Tokens>(service.baseUrl, 'POST /auth/login', {
      body: { email, password },
      headers: { 'x-session': 'cookie' },
    });
    const token = login.body.access_token;
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const [own] = await sessionsOf(token);
    const reply = await call(service.baseUrl, `DELETE /auth/sessions/${own?.id}`, { token, headers: { cookie } });
    expect([reply.status, reply.headers.get('set-cookie')]).toEqual([
      204,
      'dukkan_refresh=; Max-Age=0; Path=/api/v1/auth; HttpOnly; SameSite=Strict',
    ]);
    expect(await statusOf(token)).toBe(401);
  });

  it.each(['unknown', 'nonsense', 'foreign'])('returns 404 for an id that is %s', async (kind) => {
    const other = await person();
    await logIn(other);
    const id = { unknown: newId(), nonsense: 'nonsense', foreign: (await sessionsOf(other.token))[0]?.id }[kind];
    const reply = await ask(`DELETE /auth/sessions/${id}`, (await person()).token);
    expect([reply.status, reply.body.error]).toEqual([404, 'Session not found']);
    expect(await sessionsOf(other.token)).toHaveLength(1);
  });
});

describe('DELETE /auth/sessions', () => {
  it('ends all sessions but the one that asks, and none of another account', async () => {
    const [account, other] = [await person(), await person()];
    const [first, second, own] = [await logIn(account), await logIn(account), await logIn(account)];
    await logIn(other);
    expect((await ask('DELETE /auth/sessions', own.access_token)).status).toBe(204);
    for (const { access_token } of [first, second]) expect(await statusOf(access_token)).toBe(401);
    expect(await sessionsOf(own.access_token)).toMatchObject([{ current: true }]);
    expect(await sessionsOf(other.token)).toHaveLength(1);
    // Asked with a session token, no login is the current one.
    expect((await ask('DELETE /auth/sessions', account.token)).status).toBe(204);
    expect(await statusOf(own.access_token)).toBe(401);
    expect((await ask('DELETE /auth/sessions', account.token)).status).toBe(204);
  });
});
