import { randomBytes } from 'node:crypto';
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
import { hashToken } from '../opaque-tokens.ts';
import { GRACE_MS } from './refresh-login.ts';

type Tokens = { access_token: string; token_type: string; expires_in: number; refresh_token: string };

const clock = movableClock(new Date());
let service: TestService;
let shop: TestOrganization;

beforeAll(async () => {
  service = await testService({}, { clock });
  shop = await testOrganization(service.sql);
});

const post = <Body = Tokens>(path: string, body: unknown, token?: string) =>
  call<Body>(service.baseUrl, `POST ${path}`, { body, token });
const logIn = async (account: { email: string; password: string } = shop.owner) =>
  (await post('/auth/login', { email: account.email, password: account.password })).body;
const refresh = (refreshToken: string) => post('/auth/refresh', { refresh_token: refreshToken });
const credentials = (token: string) => call(service.baseUrl, 'GET /auth/credentials', { token });
const statusOf = async (token: string) => (await call(service.baseUrl, 'GET /auth/session-tokens', { token })).status;

describe('logging in', () => {
  it('gives an access token for an hour and a refresh token', async () => {
    const reply = await post('/auth/login', { email: shop.owner.email, password: shop.owner.password });
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body)).toEqual(['access_token', 'token_type', 'expires_in', 'refresh_token']);
    expect(reply.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(reply.body.access_token.split('.')).toHaveLength(3);
    const { body } = await credentials(reply.body.access_token);
    expect(body).toMatchObject({ tenant: { id: shop.id }, user: { id: shop.owner.userId }, token: { type: 'jwt' } });
  });

  it('does not mind the case of the address', async () => {
    expect(await statusOf((await logIn({ ...shop.owner, email: shop.owner.email.toUpperCase() })).access_token)).toBe(
      200,
    );
  });

  it('takes no other letter for one of the address: each such spelling would have tries of its own', async () => {
    const { userId, password } = await testAccount(service.sql, shop.id);
    const email = 'sami.kifi@tests.example';
    await service.sql`update users set email = ${email} where id = ${userId}`;
    // PostgreSQL lowers the first two of these to the address.
    for (const spelling of ['samİ.kifi@tests.example', 'SAMİ.KİFİ@TESTS.EXAMPLE', 'samı.kifi@tests.example']) {
      expect((await post('/auth/login', { email: spelling, password })).status, spelling).toBe(401);
    }
    expect((await post('/auth/login', { email: 'SAMI.KIFI@TESTS.EXAMPLE', password })).status).toBe(200);
  });

  it('401: a wrong password, an unknown address and a shut-out user all sound the same', async () => {
    const gone = await testAccount(service.sql, shop.id);
    await service.sql`update users set is_active = false where id = ${gone.userId}`;
    const refusals = await Promise.all([
      post('/auth/login', { email: shop.owner.email, password: 'wrong' }),
      post('/auth/login', { email: 'unknown@tests.example', password: shop.owner.password }),
      post('/auth/login', { email: gone.email, password: gone.password }),
    ]);
    for (const { status, body } of refusals) {
      expect(status).toBe(401);
      expect(body).toEqual({ code: 401, error: 'Invalid email or password', details: {} });
    }
  });

  it('422: names the fields that are missing', async () => {
    expect((await post('/auth/login', {})).body).toEqual({
      code: 422,
      error: 'Validation failed',
      details: { email: 'is required', password: 'is required' },
    });
  });

  it('acts for the organization joined first', async () => {
    const second = await testOrganization(service.sql);
    const account = await testAccount(service.sql, shop.id, 'viewer');
    await service.sql`
      insert into memberships (organization_id, user_id, role, created)
      values (${second.id}, ${account.userId}, 'owner', ${new Date(Date.now() + 60_000)})`;
    const { body } = await credentials((await logIn(account)).access_token);
    expect(body).toMatchObject({ tenant: { id: shop.id }, user: { role: 'viewer' } });
  });
});

describe('an access token', () => {
  it('ends after its hour, also where it was remembered', async () => {
    const { access_token } = await logIn();
    expect(await statusOf(access_token)).toBe(200);
    clock.advanceMs(3_599_000);
    expect(await statusOf(access_token)).toBe(200);
    clock.advanceMs(2_000);
    const late = await call(service.baseUrl, 'GET /auth/session-tokens', { token: access_token });
    expect(late.status).toBe(401);
    expect(late.headers.get('www-authenticate')).toBe('Bearer');
    expect((await credentials(access_token)).status).toBe(401);
  });
});

describe('refreshing', () => {
  it('gives new tokens of the same login, and the old access token lives on', async () => {
    const first = await logIn();
    const { status, body: second } = await refresh(first.refresh_token);
    expect(status).toBe(200);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await statusOf(second.access_token)).toBe(200);
    expect(await statusOf(first.access_token)).toBe(200);
  });

  it('works after the access token has ended, for thirty days from the last time', async () => {
    let tokens = await logIn();
    for (let round = 0; round < 3; round += 1) {
      clock.advanceMs(29 * 86_400_000);
      const reply = await refresh(tokens.refresh_token);
      expect(reply.status).toBe(200);
      tokens = reply.body;
    }
    clock.advanceMs(30 * 86_400_000);
    expect((await refresh(tokens.refresh_token)).status).toBe(401);
  });

  it('ends the login for both when a used token comes back', async () => {
    const stolen = await logIn();
    const thief = (await refresh(stolen.refresh_token)).body;
    clock.advanceMs(GRACE_MS + 1);
    const refused = await refresh(stolen.refresh_token);
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject({ error: 'Valid API key required', details: 'The refresh token is not valid' });
    expect((await refresh(thief.refresh_token)).status).toBe(401);
    expect(await statusOf(thief.access_token)).toBe(401);
    expect((await credentials(thief.access_token)).body).toMatchObject({ token: { revoked: true } });
  });

  it('knows a used token again however many times the thief has gone on', async () => {
    const stolen = await logIn();
    let thief = (await refresh(stolen.refresh_token)).body;
    for (let round = 0; round < 3; round += 1) thief = (await refresh(thief.refresh_token)).body;
    expect((await refresh(stolen.refresh_token)).status).toBe(401);
    expect((await refresh(thief.refresh_token)).status).toBe(401);
  });

  it('gives all of many simultaneous uses the same next token, and none of them ends the login', async () => {
    const { refresh_token } = await logIn();
    const replies = await Promise.all(Array.from({ length: 8 }, () => refresh(refresh_token)));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const next = new Set(replies.map(({ body }) => body.refresh_token));
    expect(next.size).toBe(1);
    expect(next.has(refresh_token)).toBe(false);
    for (const { body } of replies) expect(await statusOf(body.access_token)).toBe(200);
    expect((await refresh([...next][0] ?? '')).status).toBe(200);
  });

  it('takes the one before for thirty seconds more, and no other', async () => {
    const first = await logIn();
    const second = (await refresh(first.refresh_token)).body;
    clock.advanceMs(GRACE_MS);
    const again = await refresh(first.refresh_token);
    expect([again.status, again.body.refresh_token]).toEqual([200, second.refresh_token]);
    // What was given again has not gone on: the second is still the current one.
    const third = (await refresh(second.refresh_token)).body;
    expect((await refresh(second.refresh_token)).body.refresh_token).toBe(third.refresh_token);
    expect((await refresh(first.refresh_token)).status).toBe(401);
    expect((await refresh(third.refresh_token)).status).toBe(401);
  });

  it('is not ended by a made-up token, though the id of the login can be read in an access token', async () => {
    const { access_token, refresh_token } = await logIn();
    const claims = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString());
    const random = randomBytes(32).toString('base64url');
    const [, , signature] = refresh_token.split('.');
    for (const forged of [
      `dkr_${claims.sid}.${random}`,
      `dkr_${claims.sid}.1.${random}`,
      `dkr_${claims.sid}.2.${signature}`,
      `dkr_${claims.sid}.`,
    ]) {
      expect((await refresh(forged)).status, forged).toBe(401);
    }
    expect(await statusOf(access_token)).toBe(200);
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  it('goes on with a token from before they were numbered, and knows it again too', async () => {
    const former = async () => {
      const { access_token } = await logIn();
      const { sid } = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString());
      const token = `dkr_${sid}.${randomBytes(32).toString('base64url')}`;
      await service.sql`
        update login_sessions set refresh_number = 0, refresh_hash = ${hashToken(token)} where id = ${sid}`;
      return { token, access_token };
    };
    const login = await former();
    const next = (await refresh(login.token)).body;
    expect((await refresh(login.token)).body.refresh_token).toBe(next.refresh_token);
    expect((await refresh(next.refresh_token)).status).toBe(200);
    expect((await refresh(login.token)).status).toBe(401);
    expect(await statusOf(login.access_token)).toBe(401);

    const other = await former();
    const wrong = `${other.token.slice(0, -1)}${other.token.endsWith('A') ? 'B' : 'A'}`;
    expect((await refresh(wrong)).status).toBe(401);
    expect((await refresh(other.token)).status).toBe(200);
  });

  it('leaves other logins of the user alone', async () => {
    const [one, other] = [await logIn(), await logIn()];
    await refresh(one.refresh_token);
    clock.advanceMs(GRACE_MS + 1);
    expect((await refresh(one.refresh_token)).status).toBe(401);
    expect((await refresh(other.refresh_token)).status).toBe(200);
  });

  it.each(['nonsense', 'dkr_', `dkr_${newId()}.x`, 'dks_x'])('401: %s', async (token) => {
    expect((await refresh(token)).status).toBe(401);
  });
});

describe('logging out', () => {
  it('ends the login: its access token and its refresh token', async () => {
    const tokens = await logIn();
    const reply = await call(service.baseUrl, 'POST /auth/logout', { token: tokens.access_token });
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(await statusOf(tokens.access_token)).toBe(401);
    expect((await refresh(tokens.refresh_token)).status).toBe(401);
  });

  it('ends a session token just so, and no other', async () => {
    const account = await testAccount(service.sql, shop.id);
    const login = await logIn(account);
    await call(service.baseUrl, 'POST /auth/logout', { token: account.token });
    expect(await statusOf(account.token)).toBe(401);
    expect(await statusOf(login.access_token)).toBe(200);
  });
});

describe('401', () => {
  it.each([
    ['no token', undefined],
    ['a word', 'nonsense'],
    ['a session token that was never issued', `dks_${'a'.repeat(43)}`],
    ['an API key where a token belongs', `dkk_${'a'.repeat(43)}`],
    ['a very long one', 'x'.repeat(5000)],
  ])('%s', async (_what, token) => {
    const reply = await call(service.baseUrl, 'GET /auth/credentials', { token });
    expect(reply.status).toBe(401);
    expect(reply.body).toMatchObject({ code: 401, error: 'Valid API key required' });
  });

  it.each(['Basic b3duZXI6eA==', 'Bearer', 'Bearer ', 'bearer a b', 'Token x', ''])(
    'the header %j',
    async (authorization) => {
      expect((await call(service.baseUrl, 'GET /auth/credentials', { headers: { authorization } })).status).toBe(401);
    },
  );
});
