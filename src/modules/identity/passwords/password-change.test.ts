import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  call,
  patienceMs,
  type TestAccount,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { setSuspended } from '../index.ts';

let here: TestService;
let there: TestService;
let shop: TestOrganization;

/** Two nodes on one database. */
beforeAll(async () => {
  here = await testService();
  there = await testService({}, { database: { url: here.databaseUrl, sql: here.sql } });
  shop = await testOrganization(here.sql);
});

const NEXT = 'a new password for tests';
const status = async (node: TestService, token: string) =>
  (await call(node.baseUrl, 'GET /auth/session-tokens', { token })).status;
const logIn = (node: TestService, { email, password }: { email: string; password: string }) =>
  call<{ access_token: string; refresh_token: string }>(node.baseUrl, 'POST /auth/login', {
    body: { email, password },
  });
const change = (account: TestAccount, token: string, next = NEXT, current = account.password) =>
  call(here.baseUrl, 'POST /auth/password', { token, body: { current_password: current, new_password: next } });
/** Within the second that a node may go on from memory; a little more for a machine that is busy. */
const POLL_OPTIONS = { interval: 20 };

describe('changing the password', () => {
  it('ends every token of the user at once, here and on the other node', async () => {
    const account = await testAccount(here.sql, shop.id);
    const { body: login } = await logIn(there, account);
    const tokens = [account.token, login.access_token];
    for (const node of [here, there]) for (const token of tokens) expect(await status(node, token)).toBe(200);

    const reply = await change(account, account.token);
    expect([reply.status, reply.text]).toEqual([204, '']);
    for (const token of tokens) expect(await status(here, token)).toBe(401);
    for (const token of tokens) await expect.poll(() => status(there, token), POLL_OPTIONS).toBe(401);

    expect(
      (await call(there.baseUrl, 'POST /auth/refresh', { body: { refresh_token: login.refresh_token } })).status,
    ).toBe(401);
    for (const node of [here, there]) {
      const { body } = await call(node.baseUrl, 'GET /auth/credentials', { token: account.token });
      expect(body).toMatchObject({ token: { revoked: true }, service_operational: false });
    }
    expect((await logIn(there, account)).status).toBe(401);
    expect((await logIn(there, { ...account, password: NEXT })).status).toBe(200);
  });

  it('leaves colleagues alone', async () => {
    const account = await testAccount(here.sql, shop.id);
    await change(account, account.token);
    expect(await status(here, shop.owner.token)).toBe(200);
    expect(await status(there, shop.owner.token)).toBe(200);
  });

  it('422: a wrong current password changes nothing', async () => {
    const account = await testAccount(here.sql, shop.id);
    const reply = await change(account, account.token, NEXT, 'wrong');
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ details: { current_password: 'is wrong' } });
    expect(await status(here, account.token)).toBe(200);
  });

  it('422: a short one', async () => {
    const reply = await change(shop.owner, shop.owner.token, 'short');
    expect(reply.body).toMatchObject({ code: 422, details: { new_password: 'must have at least 8 characters' } });
  });

  it('401 without a token', async () => {
    const body = { current_password: 'x', new_password: NEXT };
    expect((await call(here.baseUrl, 'POST /auth/password', { body })).status).toBe(401);
  });

  it('leaves no token behind that was made while it happened', async () => {
    const account = await testAccount(here.sql, shop.id);
    const { body: login } = await logIn(here, account);
    const made: string[] = [];
    let done = false;
    // A token's holder creates more tokens on the other node as long as it may; other users log in meanwhile.
    const minting = Array.from({ length: 4 }, async () => {
      while (!done) {
        const reply = await call<{ token: string }>(there.baseUrl, 'POST /auth/session-tokens', {
          token: login.access_token,
          body: {},
        });
        if (reply.status === 201) made.push(reply.body.token);
      }
    });
    const loggingIn = Array.from({ length: 2 }, async () => {
      while (!done) {
        const reply = await logIn(there, account);
        if (reply.status === 200) made.push(reply.body.access_token);
      }
    });
    await expect.poll(() => made.length).toBeGreaterThan(5);
    expect((await change(account, account.token)).status).toBe(204);
    await expect.poll(() => status(there, login.access_token), POLL_OPTIONS).toBe(401);
    done = true;
    await Promise.all([...minting, ...loggingIn]);

    const [alive] = await here.sql`
      select (select count(*) from session_tokens where user_id = ${account.userId} and revoked_at is null) as tokens,
             (select count(*) from login_sessions where user_id = ${account.userId} and revoked_at is null) as logins`;
    expect(alive).toEqual({ tokens: 0, logins: 0 });
    for (const token of made.slice(-3)) expect(await status(there, token)).toBe(401);
  });
});

describe('what changes on one node is seen on the other within the second', () => {
  const tenantStatus = async (token: string) => (await call(there.baseUrl, 'GET /jobs/none', { token })).status;

  it('a revoked session token', async () => {
    const account = await testAccount(here.sql, shop.id);
    const spare = await testAccount(here.sql, shop.id);
    expect(await status(there, account.token)).toBe(200);
    expect((await call(here.baseUrl, 'POST /auth/logout', { token: account.token })).status).toBe(204);
    await expect.poll(() => status(there, account.token), POLL_OPTIONS).toBe(401);
    expect(await status(there, spare.token)).toBe(200);
  });

  it('a revoked token, and no other identity is read again', async () => {
    const others = [await testAccount(here.sql, shop.id), shop.owner];
    const nodes = [here, there];
    const asked = async (node: TestService, token: string) =>
      (await call(node.baseUrl, 'GET /jobs/none', { token })).status;
    async function revokeOne(): Promise<void> {
      const ended = await testAccount(here.sql, shop.id);
      for (const node of nodes) for (const { token } of [ended, ...others]) expect(await asked(node, token)).toBe(404);
      await here.sql`alter table users rename to users_away`;
      try {
        // An identity that is not cached cannot be read now and gets 500.
        expect((await call(here.baseUrl, 'POST /auth/logout', { token: ended.token })).status).toBe(204);
        expect(await asked(here, ended.token)).toBe(500);
        await expect.poll(() => asked(there, ended.token), POLL_OPTIONS).toBe(500);
        for (const node of nodes) for (const { token } of others) expect(await asked(node, token)).toBe(404);
      } finally {
        await here.sql`alter table users_away rename to users`;
      }
      for (const node of nodes) expect(await asked(node, ended.token)).toBe(401);
    }
    // Again with another token where the machine is starved: a node that has not seen the log of changes for a second reads everything again.
    await vi.waitFor(revokeOne, { timeout: patienceMs(), interval: 50 });
  });

  it('a user who is shut out, and let in again', async () => {
    const account = await testAccount(here.sql, shop.id);
    expect(await status(there, account.token)).toBe(200);
    await here.sql`update users set is_active = false where id = ${account.userId}`;
    await expect.poll(() => status(there, account.token), POLL_OPTIONS).toBe(401);
    await here.sql`update users set is_active = true where id = ${account.userId}`;
    await expect.poll(() => status(there, account.token), POLL_OPTIONS).toBe(200);
  });

  it('a role that is taken away', async () => {
    const account = await testAccount(here.sql, shop.id, 'owner');
    const keys = async () =>
      (await call(there.baseUrl, 'POST /auth/api-keys', { token: account.token, body: {} })).status;
    expect(await keys()).toBe(201);
    await here.sql`update memberships set role = 'viewer' where user_id = ${account.userId}`;
    await expect.poll(keys, POLL_OPTIONS).toBe(403);
    await here.sql`delete from memberships where user_id = ${account.userId}`;
    await expect.poll(() => tenantStatus(account.token), POLL_OPTIONS).toBe(403);
  });

  it('a membership that is added', async () => {
    const account = await testAccount(here.sql, null);
    expect(await tenantStatus(account.token)).toBe(403);
    await here.sql`
      insert into memberships (organization_id, user_id, role, created)
      values (${shop.id}, ${account.userId}, 'viewer', ${new Date()})`;
    const asked = () => call(there.baseUrl, 'GET /jobs/none', { token: account.token, organizationId: shop.id });
    await expect.poll(async () => (await asked()).status, POLL_OPTIONS).toBe(404);
  });

  it('a suspension, and its end', async () => {
    const { id, owner } = await testOrganization(here.sql);
    expect(await tenantStatus(owner.token)).toBe(404);
    await setSuspended(here.sql, id, new Date());
    await expect.poll(() => tenantStatus(owner.token), POLL_OPTIONS).toBe(402);
    await setSuspended(here.sql, id, null);
    await expect.poll(() => tenantStatus(owner.token), POLL_OPTIONS).toBe(404);
  });
});

describe('the hot path', () => {
  it('asks no database who a token stands for', async () => {
    const account = await testAccount(here.sql, shop.id);
    expect(await status(here, account.token)).toBe(200);
    const before = (await call<HitRate>(here.baseUrl, 'GET /health/system', { token: account.token })).body;
    for (let asked = 0; asked < 30; asked += 1)
      await call(here.baseUrl, 'GET /health/system', { token: account.token });
    const after = (await call<HitRate>(here.baseUrl, 'GET /health/system', { token: account.token })).body;
    const rate = (body: HitRate) => body.system_health.registry_metrics.cache_hit_rate;
    expect(rate(after)).toBeGreaterThan(rate(before));
  });
});

type HitRate = { system_health: { registry_metrics: { cache_hit_rate: number } } };
