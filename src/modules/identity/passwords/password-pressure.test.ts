import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type TestAccount,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';
import { heldTransaction } from '../testing/held-transaction.ts';
import { hashPassword, setPasswordCost } from './passwords.ts';
import { TRIES_PER_ADDRESS, WINDOW_MS } from './wrong-passwords.ts';

const clock = movableClock(new Date());
let service: TestService;
let shop: TestOrganization;

beforeAll(async () => {
  setPasswordCost();
  service = await testService({ LOGIN_RATE_LIMIT_PER_MINUTE: '0' }, { clock });
  shop = await testOrganization(service.sql);
});

const NEXT = 'a new password for tests';
const change = (account: TestAccount, current = account.password) =>
  call(service.baseUrl, 'POST /auth/password', {
    token: account.token,
    body: { current_password: current, new_password: NEXT },
  });
const logIn = (account: { email: string }, password: string) =>
  call(service.baseUrl, 'POST /auth/login', { body: { email: account.email, password } });
const statusOf = async (token: string) => (await call(service.baseUrl, 'GET /auth/session-tokens', { token })).status;

const someoneWaits = () =>
  expect
    .poll(
      () => service.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    .toHaveLength(1);

describe('checking a password', () => {
  it('waits for no row and holds no transaction', async () => {
    const viewer = await testAccount(service.sql, shop.id, 'viewer');
    const held = await heldTransaction(
      service.sql,
      (tx) => tx`select from users where id = ${viewer.userId} for update`,
    );
    // While the user is held by another, the answer comes all the same.
    expect((await change(viewer, 'wrong')).status).toBe(422);
    await held.commit();
  });

  it('is refused when the password has changed since it was compared', async () => {
    const account = await testAccount(service.sql, shop.id);
    const otherHash = await hashPassword('set by another request');
    const held = await heldTransaction(
      service.sql,
      (tx) => tx`update users set password_hash = ${otherHash} where id = ${account.userId}`,
    );
    // Compared with what is committed, and then waits for the transaction.
    const changing = change(account);
    await someoneWaits();
    await held.commit();
    const reply = await changing;
    expect([reply.status, reply.body.error]).toEqual([409, 'Password was changed meanwhile']);
    expect((await logIn(account, 'set by another request')).status).toBe(200);
  });

  it('429 with Retry-After after ten wrong ones, at the login and at the change, until the time is over', async () => {
    const account = await testAccount(service.sql, shop.id);
    const tries = await Promise.all(
      Array.from({ length: TRIES_PER_ADDRESS + 4 }, (_, index) =>
        index % 2 === 0 ? change(account, `wrong ${index}`) : logIn(account, `wrong ${index}`),
      ),
    );
    const statuses = tries.map(({ status }) => status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(4);
    expect(statuses.filter((status) => ![401, 422, 429].includes(status))).toEqual([]);
    let last = tries[0];
    while (last?.status !== 429 || Number(last.headers.get('retry-after')) < 100) last = await logIn(account, 'wrong');
    expect(last.body).toMatchObject({ code: 429, error: 'Too many requests', details: { limit: TRIES_PER_ADDRESS } });
    expect((await change(account)).status).toBe(429);
    // It is the account that is slowed down, not its colleagues at the same address.
    expect((await logIn(shop.owner, shop.owner.password)).status).toBe(200);
    clock.advanceMs(WINDOW_MS);
    expect((await logIn(account, account.password)).status).toBe(200);
  });

  it('queues some of many logins from one address and answers 429 to the rest', async () => {
    const crowd = await Promise.all(
      Array.from({ length: 60 }, (_, index) => logIn({ email: `crowd-${index}@tests.example` }, 'wrong')),
    );
    const refused = crowd.filter(({ status }) => status === 429);
    expect(crowd.filter(({ status }) => status === 401).length + refused.length).toBe(60);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get('retry-after')).toBe('2');
  });

  it('does not reveal whether an account exists', async () => {
    const asked = async (email: string) => {
      const statuses: number[] = [];
      for (let time = 0; time <= TRIES_PER_ADDRESS; time += 1) statuses.push((await logIn({ email }, 'wrong')).status);
      return statuses;
    };
    const { email } = await testAccount(service.sql, shop.id);
    expect(await asked('unknown@tests.example')).toEqual(await asked(email));
  });
});

describe('a password change and a revocation at the same moment', () => {
  it('do not wait for each other in a circle', async () => {
    const account = await testAccount(service.sql, shop.id);
    const { body: made } = await call(service.baseUrl, 'POST /auth/session-tokens', { token: account.token, body: {} });
    const login = await logIn(account, account.password);
    expect(login.status).toBe(200);
    // Stops the change half way: it has the user, and not yet the tokens.
    const held = await heldTransaction(
      service.sql,
      (tx) => tx`select from login_sessions where user_id = ${account.userId} for update`,
    );
    const changing = change(account);
    await someoneWaits();
    const revoked = await call(service.baseUrl, `DELETE /auth/session-tokens/${made.id}`, { token: account.token });
    expect(revoked.status).toBe(204);
    await held.commit();
    expect((await changing).status).toBe(204);
    expect(await statusOf(account.token)).toBe(401);
    expect(await statusOf(made.token)).toBe(401);
  });
});
