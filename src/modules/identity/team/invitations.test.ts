import { describe, expect, test } from 'vitest';
import { call, commercialAccount, testAccount, testOrganization } from '../../../../test/harness/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import type { Actor } from '../../audit/index.ts';
import { forgetOldTokens } from '../forget-old-tokens.ts';
import {
  changeMember,
  createPasswordReset,
  inviteMember,
  listMembers,
  listOrganizations,
  removeMember,
} from '../index.ts';
import { TRIES_PER_ADDRESS } from '../passwords/wrong-passwords.ts';
import { invitationService } from '../testing/invitation-service.ts';

const DAY_MS = 86_400_000;
const PASSWORD = 'chosen by the guest';
const { service, sql, clock, ask, statusOf, invite } = await invitationService();
const cli: Actor = { kind: 'cli', id: 'root', name: 'dukkan user', ip: '', requestId: '' };

const ACCEPT = 'POST /auth/invitations/accept';
const RESET = 'POST /auth/password/reset';

const usersWith = async (email: string) =>
  sql<{ id: string; email: string; name: string; password_hash: string }[]>`
    select id, email, name, password_hash from users where lower(email) = lower(${email})`;
const auditOf = (organizationId: string) => sql`
  select actor_kind, actor_id, actor_name, action, resource, resource_id, ip from audit_entries
  where organization_id = ${organizationId} order by id`;

describe('POST /auth/invitations/accept', () => {
  test('makes an account for an address that has none, and logs it in', async () => {
    const shop = await testOrganization(sql);
    const { token, id, email } = await invite(shop, { grants_withheld: ['read:Analytics'] });
    clock.advanceMs(60_000);
    const { status, body } = await ask(ACCEPT, { token, name: 'Sara Al-Harbi', password: PASSWORD });
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^dkr_/),
    });
    const [user] = await usersWith(email);
    expect(user).toMatchObject({ email, name: 'Sara Al-Harbi' });
    const row = (await ask(`GET /members/${id}`, undefined, shop.owner.token)).body;
    expect(row).toMatchObject({
      id,
      user_id: user?.id,
      email,
      name: 'Sara Al-Harbi',
      role: 'member',
      grants_withheld: ['read:Analytics'],
      status: 'active',
      created: clock.now().toISOString(),
    });
    expect((await ask('GET /members', undefined, shop.owner.token)).body.total_count).toBe(2);
    const credentials = (await ask('GET /auth/credentials', undefined, body.access_token)).body;
    expect([credentials.tenant.id, credentials.user.role]).toEqual([shop.id, 'member']);
    expect((await ask('POST /auth/refresh', { refresh_token: body.refresh_token })).status).toBe(200);
    expect(await statusOf('POST /auth/login', { email: email.toLowerCase(), password: PASSWORD })).toBe(200);
    expect((await auditOf(shop.id)).at(-1)).toEqual({
      actor_kind: 'user',
      actor_id: user?.id,
      actor_name: email,
      action: 'accept',
      resource: 'Settings',
      resource_id: id,
      ip: '127.0.0.1',
    });
  });

  test('an address that has an account joins with its own password, which stays, as does its name', async () => {
    const [home, shop] = [await testOrganization(sql), await testOrganization(sql)];
    const account = await testAccount(sql, home.id, 'viewer');
    const { token } = await invite(shop, { email: account.email.toUpperCase(), role: 'owner' });
    const before = await usersWith(account.email);
    const wrong = await ask(ACCEPT, { token, name: 'Sami', password: PASSWORD });
    expect([wrong.status, wrong.body.error]).toEqual([401, 'Invalid email or password']);
    expect((await ask('GET /branches', undefined, account.token)).status).toBe(200);
    const { status, body } = await ask(ACCEPT, { token, name: 'Sami', password: account.password });
    expect(status).toBe(200);
    expect(await usersWith(account.email)).toEqual(before);
    expect((await ask('GET /auth/credentials', undefined, body.access_token)).body.tenant.id).toBe(shop.id);
    // The token it had opens both from now on.
    const opened = await call(service.baseUrl, 'GET /members', { token: account.token, organizationId: shop.id });
    expect(opened.status).toBe(200);
  });

  test('404 for a token that never was, the same for all; 410 once used, withdrawn, replaced or expired', async () => {
    const shop = await testOrganization(sql);
    const accept = async (token: string) => (await ask(ACCEPT, { token, name: 'Sara', password: PASSWORD })).body;
    const unknown = await accept(`dki_${'x'.repeat(43)}`);
    expect(unknown).toEqual({ code: 404, error: 'Invitation not found', details: { token: 'is not known' } });
    for (const other of ['x', 'dki_', shop.owner.token]) expect(await accept(other)).toEqual(unknown);

    const used = await invite(shop);
    expect((await accept(used.token)).token_type).toBe('Bearer');
    const gone = { code: 410, error: 'The invitation is no longer valid', details: { token: 'was used or withdrawn' } };
    expect(await accept(used.token)).toEqual(gone);
    const withdrawn = await invite(shop);
    await ask(`DELETE /members/${withdrawn.id}`, undefined, shop.owner.token);
    expect(await accept(withdrawn.token)).toEqual(gone);
    const expired = await invite(shop);
    clock.advanceMs(7 * DAY_MS);
    expect(await accept(expired.token)).toEqual({
      code: 410,
      error: 'The invitation has expired',
      details: { token: 'has expired' },
    });
    await invite(shop, { email: expired.email });
    expect(await accept(expired.token)).toEqual(gone);
    expect(await usersWith(expired.email)).toEqual([]);
  });

  test('of two at once one gets in, with an account and without', async () => {
    const shop = await testOrganization(sql);
    const account = await testAccount(sql, null, 'viewer');
    const guests = [
      { ...(await invite(shop)), password: PASSWORD },
      { ...(await invite(shop, { email: account.email })), password: account.password },
    ];
    for (const { token, email, password } of guests) {
      const body = { token, name: 'Sara', password };
      const statuses = await Promise.all([statusOf(ACCEPT, body), statusOf(ACCEPT, body), statusOf(ACCEPT, body)]);
      expect(statuses.toSorted()).toEqual([200, 410, 410]);
      expect(await usersWith(email)).toHaveLength(1);
    }
    const rows = await sql`select 1 from memberships where organization_id = ${shop.id}`;
    expect(rows).toHaveLength(3);
  });

  test('two organizations that ask the same newcomer at once make one account', async () => {
    const email = `Guest-${newId()}@Tests.Example`;
    const tokens = await Promise.all(
      [await testOrganization(sql), await testOrganization(sql)].map(
        async (shop) => (await invite(shop, { email })).token,
      ),
    );
    const accept = (token: string) => ask(ACCEPT, { token, name: 'Sara', password: PASSWORD });
    const replies = await Promise.all(tokens.map(accept));
    expect(await usersWith(email)).toHaveLength(1);
    for (const [index, reply] of replies.entries()) {
      if (reply.status === 200) continue;
      expect([reply.status, reply.body.error]).toEqual([409, 'Account was made meanwhile']);
      expect((await accept(tokens[index])).status).toBe(200);
    }
  });

  test('409 for one who has become a member or an operator meanwhile', async () => {
    const shop = await testOrganization(sql);
    const account = await testAccount(sql, null, 'viewer');
    const { token } = await invite(shop, { email: account.email });
    await sql`insert into memberships (organization_id, user_id, role, created)
              values (${shop.id}, ${account.userId}, 'viewer', now())`;
    expect((await ask(ACCEPT, { token, name: 'Sara', password: account.password })).body).toMatchObject({
      code: 409,
      error: 'Already a member',
    });
    const email = `Guest-${newId()}@Tests.Example`;
    const late = await invite(shop, { email });
    const operator = await commercialAccount(sql);
    await sql`update users set email = ${email} where id = ${operator.userId}`;
    expect((await ask(ACCEPT, { token: late.token, name: 'Sara', password: operator.password })).body).toMatchObject({
      code: 409,
      error: 'Operators join no organization',
    });
  });

  test.each<[string, object, object]>([
    ['no name', { name: undefined }, { name: 'is required' }],
    ['a blank name', { name: '  ' }, { name: 'is required' }],
    ['a short password', { password: 'short' }, { password: 'must have at least 8 characters' }],
    ['no password', { password: undefined }, { password: 'is required' }],
    ['no token', { token: undefined }, { token: 'is required' }],
    ['a number for a token', { token: 7 }, { token: 'must be a string' }],
  ])('422 for %s, and the link goes on working', async (_what, fields, details) => {
    const { token } = await invite(await testOrganization(sql));
    const good = { token, name: 'Sara', password: PASSWORD };
    const { status, body } = await ask(ACCEPT, { ...good, ...fields });
    expect([status, body.details]).toEqual([422, details]);
    expect(await statusOf(ACCEPT, good)).toBe(200);
  });

  test('401 for an account that is shut out', async () => {
    const account = await testAccount(sql, null, 'viewer');
    await sql`update users set is_active = false where id = ${account.userId}`;
    const { token } = await invite(await testOrganization(sql), { email: account.email });
    expect(await statusOf(ACCEPT, { token, name: 'Sara', password: account.password })).toBe(401);
  });

  test('429 for guessing the password of an account', async () => {
    const account = await testAccount(sql, null, 'viewer');
    const { token } = await invite(await testOrganization(sql), { email: account.email });
    for (let tried = 0; tried < TRIES_PER_ADDRESS; tried += 1) {
      expect(await statusOf(ACCEPT, { token, name: 'Sara', password: `guess number ${tried}` })).toBe(401);
    }
    expect(await statusOf(ACCEPT, { token, name: 'Sara', password: account.password })).toBe(429);
    // The same count as the login's.
    expect(await statusOf('POST /auth/login', { email: account.email, password: account.password })).toBe(429);
  });
});

describe('POST /auth/password/reset', () => {
  const link = (userId: string) =>
    inTransaction(sql, (tx) => createPasswordReset(tx, cli, { userId, organizationId: null }, clock.now()));

  test('sets the password once; earlier tokens and links end', async () => {
    const shop = await testOrganization(sql);
    const { userId, email, token: held } = shop.owner;
    const login = (await ask('POST /auth/login', { email, password: shop.owner.password })).body;
    const { token, expiresAt } = await link(userId);
    expect([token, expiresAt]).toEqual([
      expect.stringMatching(/^dkp_[\w-]{43}$/),
      new Date(clock.now().getTime() + DAY_MS),
    ]);
    const [kept] = await sql`select r::text as row from password_resets r where user_id = ${userId}`;
    for (const form of [token, Buffer.from(token).toString('hex')]) expect(kept?.row).not.toContain(form);
    const done = await ask(RESET, { token, password: PASSWORD });
    expect([done.status, done.text]).toEqual([204, '']);
    for (const bearer of [held, login.access_token]) {
      expect((await ask('GET /branches', undefined, bearer)).status).toBe(401);
    }
    expect(await statusOf('POST /auth/refresh', { refresh_token: login.refresh_token })).toBe(401);
    expect(await statusOf('POST /auth/login', { email, password: shop.owner.password })).toBe(401);
    expect(await statusOf('POST /auth/login', { email, password: PASSWORD })).toBe(200);
    expect(await statusOf(RESET, { token, password: 'another password' })).toBe(410);
    expect(await auditOf(shop.id)).toMatchObject([
      {
        actor_kind: 'cli',
        actor_id: 'root',
        action: 'create-password-reset',
        resource: 'Settings',
        resource_id: userId,
      },
      { actor_kind: 'user', actor_id: userId, action: 'reset-password', resource_id: userId, ip: '127.0.0.1' },
    ]);
  });

  test('404 for a token that never was, 410 for one that was replaced or has expired, 422 for a short password', async () => {
    const { userId } = await testAccount(sql, null, 'viewer');
    const reset = async (token: string, password = PASSWORD) => (await ask(RESET, { token, password })).body;
    expect(await reset('x')).toEqual({
      code: 404,
      error: 'Password reset not found',
      details: { token: 'is not known' },
    });
    const older = await link(userId);
    const newer = await link(userId);
    expect(await reset(older.token)).toMatchObject({ code: 410, error: 'The password reset is no longer valid' });
    expect(await reset(newer.token, 'short')).toMatchObject({ code: 422, details: { password: expect.anything() } });
    clock.advanceMs(DAY_MS);
    expect(await reset(newer.token)).toMatchObject({ code: 410, error: 'The password reset has expired' });
    await expect(link(newId())).rejects.toThrow('User not found');
  });

  test('of two at once one sets the password', async () => {
    const { userId, email } = await testAccount(sql, null, 'viewer');
    const { token } = await link(userId);
    const passwords = ['the first password', 'the second password'];
    const statuses = await Promise.all(passwords.map((password) => statusOf(RESET, { token, password })));
    expect(statuses.toSorted()).toEqual([204, 410]);
    const winner = passwords[statuses.indexOf(204)];
    expect(await statusOf('POST /auth/login', { email, password: winner })).toBe(200);
  });
});

describe('rules for the command line', () => {
  test('invite, change, remove and list without a standing of their own, named in the audit', async () => {
    const shop = await testOrganization(sql);
    const email = `Guest-${newId()}@Tests.Example`;
    const run = <T>(work: (tx: Parameters<Parameters<typeof inTransaction<T>>[1]>[0]) => Promise<T>) =>
      inTransaction(sql, work);
    const by = { actor: cli };
    const now = clock.now();
    const member = { email, role: 'owner', branchIvId: null, grantsAdded: [], grantsWithheld: [] } as const;
    const { row, token } = await run((tx) => inviteMember(tx, shop.id, by, member, now));
    expect(await statusOf(ACCEPT, { token, name: 'Sara', password: PASSWORD })).toBe(200);
    const { rows } = await listMembers(sql, shop.id, { search: email }, now);
    expect(rows).toMatchObject([{ id: row.id, role: 'owner', status: 'active' }]);
    await run((tx) => changeMember(tx, shop.id, by, row.id, { role: 'viewer' }, now));
    await run((tx) => removeMember(tx, shop.id, by, row.id, now));
    const actions = (await auditOf(shop.id)).filter(({ actor_kind }) => actor_kind === 'cli');
    expect(actions.map(({ action }) => action)).toEqual(['create', 'update', 'delete']);
    const [owner] = (await listMembers(sql, shop.id, {}, now)).rows;
    await expect(run((tx) => removeMember(tx, shop.id, by, owner?.id ?? '', now))).rejects.toThrow('last owner');
    const listed = await listOrganizations(sql, { page: 1, limit: 100 });
    expect([listed.total, listed.rows.some(({ id }) => id === shop.id)]).toEqual([listed.rows.length, true]);
  });

  test('links that ended are forgotten after 90 days, and then never were', async () => {
    const shop = await testOrganization(sql);
    const { token } = await invite(shop);
    const { token: resetToken } = await inTransaction(sql, (tx) =>
      createPasswordReset(tx, cli, { userId: shop.owner.userId, organizationId: null }, clock.now()),
    );
    clock.advanceMs(96 * DAY_MS);
    await forgetOldTokens({ sql, clock }, new AbortController().signal);
    expect(await statusOf(ACCEPT, { token, name: 'Sara', password: PASSWORD })).toBe(410);
    expect(await statusOf(RESET, { token: resetToken, password: PASSWORD })).toBe(404);
    clock.advanceMs(2 * DAY_MS);
    await forgetOldTokens({ sql, clock }, new AbortController().signal);
    expect(await statusOf(ACCEPT, { token, name: 'Sara', password: PASSWORD })).toBe(404);
  });
});
