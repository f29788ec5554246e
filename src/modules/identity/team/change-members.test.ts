import { describe, expect, test } from 'vitest';
import { call, testAccount, testOrganization } from '../../../../test/harness/index.ts';
import { newId } from '../../../platform/ids.ts';
import { addMember } from '../index.ts';
import { lockOrganization } from '../sql/tokens.ts';
import { heldTransaction } from '../testing/held-transaction.ts';
import { testTeam } from '../testing/team.ts';

const { service, sql, clock, secondNode, ask, refused, invite, memberOf, rolesOf, auditOf, branchOf } =
  await testTeam();
const settings = ['create:Settings', 'update:Settings', 'delete:Settings'];

describe('PATCH /members/{id}', () => {
  test('changes role, branch and grants, at once and on every node', async () => {
    const shop = await testOrganization(sql);
    await branchOf(shop, 'RUH-1');
    const account = await testAccount(sql, shop.id, 'member');
    const id = await memberOf(shop, account.userId);
    const nodes = [service.baseUrl, secondNode.baseUrl];
    const mayInvite = (baseUrl: string) =>
      call(baseUrl, 'POST /members', { token: account.token, body: {} }).then(({ status }) => status);
    for (const node of nodes) expect(await mayInvite(node)).toBe(403);
    const { status, body } = await ask(`PATCH /members/${id}`, shop.owner.token, {
      role: 'viewer',
      grants_added: ['create:Settings', 'export:Orders'],
      grants_withheld: ['read:Analytics'],
    });
    expect([status, body.message]).toEqual([200, 'Member updated']);
    expect(body.data).toMatchObject({
      id,
      role: 'viewer',
      branch_iv_id: null,
      grants_added: ['create:Settings', 'export:Orders'],
      grants_withheld: ['read:Analytics'],
      status: 'active',
    });
    expect(await mayInvite(service.baseUrl)).toBe(422);
    await expect.poll(() => mayInvite(secondNode.baseUrl)).toBe(422);

    const confine = (branch_iv_id: string | null) => ask(`PATCH /members/${id}`, shop.owner.token, { branch_iv_id });
    expect((await confine('RUH-1')).body.data).toMatchObject({ branch_iv_id: 'RUH-1', role: 'viewer' });
    expect(await mayInvite(service.baseUrl)).toBe(403);
    await call(service.baseUrl, 'DELETE /branches/RUH-1', { token: shop.owner.token });
    expect((await ask(`GET /members/${id}`, shop.owner.token)).body.branch_iv_id).toBe('');
    expect((await confine(null)).body.data.branch_iv_id).toBeNull();
    expect(await mayInvite(service.baseUrl)).toBe(422);
    const changes = (await auditOf(shop)).filter(({ action }) => action === 'update');
    expect(changes.map(({ changed_fields }) => changed_fields)).toEqual([
      ['role', 'grants_added', 'grants_withheld'],
      ['branch_iv_id'],
      ['branch_iv_id'],
    ]);
  });

  test('what changes nothing is no change', async () => {
    const shop = await testOrganization(sql);
    const { body } = await invite(shop, { grants_added: ['read:Settings', 'update:Settings'] });
    const before = (await auditOf(shop)).length;
    const { invite_url: _link, ...row } = body.data;
    for (const change of [{}, { role: 'member' }, { grants_added: ['update:Settings', 'read:Settings'] }]) {
      const reply = await ask(`PATCH /members/${row.id}`, shop.owner.token, change);
      expect([reply.status, reply.body.data]).toEqual([200, row]);
    }
    expect(await auditOf(shop)).toHaveLength(before);
  });

  test('changes an invitation as well', async () => {
    const shop = await testOrganization(sql);
    const { id } = (await invite(shop)).body.data;
    const { body } = await ask(`PATCH /members/${id}`, shop.owner.token, { role: 'owner' });
    expect(body.data).toMatchObject({ id, role: 'owner', status: 'invited' });
  });

  test('422 for an unknown branch and a wrong grant', async () => {
    const shop = await testOrganization(sql);
    const { id } = (await invite(shop)).body.data;
    expect(await refused(`PATCH /members/${id}`, shop.owner.token, { branch_iv_id: 'NO-1' })).toEqual([
      422,
      { branch_iv_id: 'is not a branch of this organization' },
    ]);
    const [status, details] = await refused(`PATCH /members/${id}`, shop.owner.token, { grants_added: ['x'] });
    expect([status, Object.keys(details as object)]).toEqual([422, ['grants_added.0']]);
  });

  test('returns 403 when a non-owner changes an owner, and for grants that the caller does not hold', async () => {
    const shop = await testOrganization(sql);
    const helper = await testAccount(sql, shop.id, 'member', { added: settings, withheld: ['export:Orders'] });
    const viewer = await testAccount(sql, shop.id, 'viewer');
    const [ownerId, ownId, viewerId] = await Promise.all(
      [shop.owner, helper, viewer].map(({ userId }) => memberOf(shop, userId)),
    );
    const patch = async (id: string | undefined, change: object) => {
      const { status, body } = await ask(`PATCH /members/${id}`, helper.token, change);
      return [status, body.details];
    };
    const ofOwners = [403, { role: 'only owners change or remove owners' }];
    expect(await patch(ownerId, { role: 'viewer' })).toEqual(ofOwners);
    expect(await refused(`DELETE /members/${ownerId}`, helper.token)).toEqual(ofOwners);
    expect(await patch(ownId, { role: 'owner' })).toEqual([403, { role: 'only owners make owners' }]);
    const missing = [403, { grant: 'export on Orders is required' }];
    expect(await patch(ownId, { grants_withheld: [] })).toEqual(missing);
    expect(await patch(viewerId, { role: 'member' })).toEqual(missing);
    expect(await patch(viewerId, { grants_added: ['export:Orders'] })).toEqual(missing);
    expect((await patch(viewerId, { grants_added: ['update:Orders'] }))[0]).toBe(200);
    // Grants that the member has already are not granted again by another change.
    await ask(`PATCH /members/${viewerId}`, shop.owner.token, { grants_added: ['export:Orders'] });
    expect((await patch(viewerId, { grants_withheld: ['read:Apps'] }))[0]).toBe(200);
  });
});

describe('the last owner', () => {
  const waiting = async () =>
    await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

  test('409 when removed, demoted, confined, or kept from the settings', async () => {
    const shop = await testOrganization(sql);
    await branchOf(shop, 'RUH-1');
    // None of these could put things right: confined, kept from the settings, not here yet.
    await testAccount(sql, shop.id, 'owner', { branchId: newId() });
    await testAccount(sql, shop.id, 'owner', { withheld: ['update:Settings'] });
    const { userId } = await testAccount(sql, shop.id, 'owner');
    await sql`update users set is_active = false where id = ${userId}`;
    await invite(shop, { role: 'owner' });
    const id = await memberOf(shop, shop.owner.userId);
    const changes = [{ role: 'member' }, { branch_iv_id: 'RUH-1' }, { grants_withheld: ['create:Settings'] }];
    for (const change of changes) {
      expect(await refused(`PATCH /members/${id}`, shop.owner.token, change)).toEqual([409, { id }]);
    }
    expect(await refused(`DELETE /members/${id}`, shop.owner.token)).toEqual([409, { id }]);
    const harmless = { grants_withheld: ['export:Orders'] };
    expect((await ask(`PATCH /members/${id}`, shop.owner.token, harmless)).status).toBe(200);
    await testAccount(sql, shop.id, 'owner');
    expect((await ask(`PATCH /members/${id}`, shop.owner.token, { role: 'member' })).status).toBe(200);
  });

  test('of two owners who demote or remove each other at once one stays', async () => {
    for (const method of ['PATCH', 'DELETE']) {
      const shop = await testOrganization(sql);
      const rival = await testAccount(sql, shop.id, 'owner');
      const [one, other] = await Promise.all([shop.owner, rival].map(({ userId }) => memberOf(shop, userId)));
      const body = method === 'PATCH' ? { role: 'viewer' } : undefined;
      // Both are past the gate before either goes on: it would refuse the one whom it finds demoted already.
      const held = await heldTransaction(sql, (tx) => lockOrganization(tx, shop.id));
      const asked = Promise.all([
        ask(`${method} /members/${other}`, shop.owner.token, body),
        ask(`${method} /members/${one}`, rival.token, body),
      ]);
      await expect.poll(waiting).toHaveLength(2);
      await held.commit();
      const replies = await asked;
      expect(replies.map(({ status }) => status).toSorted()).toEqual([method === 'PATCH' ? 200 : 204, 409]);
      expect((await rolesOf(shop)).filter((role) => role === 'owner')).toEqual(['owner']);
    }
  });

  test('of two owners who step down at once one stays', async () => {
    const shop = await testOrganization(sql);
    const rival = await testAccount(sql, shop.id, 'owner');
    const stepDown = async ({ userId, token }: { userId: string; token: string }) =>
      ask(`PATCH /members/${await memberOf(shop, userId)}`, token, { role: 'member' });
    const replies = await Promise.all([stepDown(shop.owner), stepDown(rival)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await rolesOf(shop)).toEqual(['member', 'owner']);
  });
});

describe('DELETE /members/{id}', () => {
  test('removes a member at once: tokens for the organization end, the account and its other places stay', async () => {
    const [shop, other] = [await testOrganization(sql), await testOrganization(sql)];
    const { token, userId } = await testAccount(sql, shop.id, 'member');
    await sql`insert into memberships (organization_id, user_id, role, created)
              values (${other.id}, ${userId}, 'viewer', now())`;
    const here = await ask('POST /auth/session-tokens', token, {});
    const there = await call(service.baseUrl, 'POST /auth/session-tokens', {
      token,
      body: {},
      organizationId: other.id,
    });
    const login = await ask('POST /auth/login', '', await credentialsOf(userId));
    const opens = async (bearer: string, organizationId: string, baseUrl = service.baseUrl) =>
      (await call(baseUrl, 'GET /branches', { token: bearer, organizationId })).status;
    expect(await opens(token, shop.id, secondNode.baseUrl)).toBe(200);
    const id = await memberOf(shop, userId);
    const gone = await ask(`DELETE /members/${id}`, shop.owner.token);
    expect([gone.status, gone.text]).toEqual([204, '']);

    for (const bearer of [token, here.body.token]) expect(await opens(bearer, shop.id)).toBe(401);
    await expect.poll(() => opens(token, shop.id, secondNode.baseUrl)).toBe(401);
    expect(await opens(there.body.token, shop.id)).toBe(403);
    expect(await opens(there.body.token, other.id)).toBe(200);
    expect(await opens(login.body.access_token, shop.id)).toBe(403);
    expect(await opens(login.body.access_token, other.id)).toBe(200);
    expect((await auditOf(shop)).at(-1)).toMatchObject({ action: 'delete', resource_id: id });
    expect((await ask('GET /members', shop.owner.token)).body.total_count).toBe(1);
  });

  async function credentialsOf(userId: string) {
    const [row] = await sql<{ email: string }[]>`select email from users where id = ${userId}`;
    return { email: row?.email, password: 'a password for tests' };
  }
});

describe('POST /members/{id}/password-reset', () => {
  const NEXT = 'a new password for tests';
  const link = (shop: { owner: { token: string } }, id: string, token = shop.owner.token) =>
    ask(`POST /members/${id}/password-reset`, token);
  const reset = async (url: string) =>
    (await ask('POST /auth/password/reset', '', { token: url.split('#token=')[1], password: NEXT })).status;
  const logIn = async ({ email }: { email: string }, password: string) =>
    (await ask('POST /auth/login', '', { email, password })).status;

  test('creates a link that sets the password once, and records it', async () => {
    const shop = await testOrganization(sql);
    const account = await testAccount(sql, shop.id, 'member');
    const { status, body } = await link(shop, await memberOf(shop, account.userId));
    expect([status, body]).toEqual([
      201,
      {
        reset_url: expect.stringMatching(/\/reset-password#token=dkp_[\w-]{43}$/),
        expires_at: new Date(clock.now().getTime() + 86_400_000).toISOString(),
      },
    ]);
    expect(await logIn(account, account.password)).toBe(200);
    expect(await reset(body.reset_url)).toBe(204);
    expect([await logIn(account, account.password), await logIn(account, NEXT)]).toEqual([401, 200]);
    expect(await reset(body.reset_url)).toBe(410);
    expect((await auditOf(shop)).map(({ action, actor_id, resource_id }) => [action, actor_id, resource_id])).toEqual([
      ['create-password-reset', shop.owner.userId, account.userId],
      ['reset-password', account.userId, account.userId],
    ]);
    // The merchant saw the link: only the operator confirms that an address is the person's.
    const [user] = await sql`select verified_at from users where id = ${account.userId}`;
    expect(user?.verified_at).toBeNull();
  });

  test('returns 409 for the own account, a pending invitation and a member of another organization', async () => {
    const [shop, other] = [await testOrganization(sql), await testOrganization(sql)];
    const reasonFor = async (id: string) => {
      const { status, headers } = await link(shop, id);
      return [status, headers.get('x-error-reason')];
    };
    const shared = await testAccount(sql, shop.id, 'viewer');
    await addMember(sql, { organizationId: other.id, userId: shared.userId, role: 'viewer', now: clock.now() });
    expect(await reasonFor(await memberOf(shop, shop.owner.userId))).toEqual([409, 'own-account']);
    expect(await reasonFor((await invite(shop)).body.data.id)).toEqual([409, 'invitation-pending']);
    expect(await reasonFor(await memberOf(shop, shared.userId))).toEqual([409, 'member-of-another-organization']);
    expect(await reasonFor(await memberOf(other, other.owner.userId))).toEqual([404, 'member-not-found']);
    expect(await reasonFor('nonsense')).toEqual([404, 'member-not-found']);
    expect(await sql`select 1 from password_resets where user_id = ${shared.userId}`).toEqual([]);
  });

  test('returns 403 for a caller without the grant, and for one with fewer rights than the member', async () => {
    const shop = await testOrganization(sql);
    const manager = await testAccount(sql, shop.id, 'viewer');
    const managerId = await memberOf(shop, manager.userId);
    const [member, viewer] = [await testAccount(sql, shop.id, 'member'), await testAccount(sql, shop.id, 'viewer')];
    const statusFor = async (userId: string) => (await link(shop, await memberOf(shop, userId), manager.token)).status;
    expect(await statusFor(viewer.userId)).toBe(403);
    await ask(`PATCH /members/${managerId}`, shop.owner.token, { grants_added: ['update:Settings'] });
    expect(await statusFor(viewer.userId)).toBe(201);
    expect(await statusFor(member.userId)).toBe(403);
    expect(await statusFor(shop.owner.userId)).toBe(403);
  });

  test('ends the link when the member joins another organization, leaves, or gets other rights', async () => {
    const [shop, other] = [await testOrganization(sql), await testOrganization(sql)];
    const prepare = async () => {
      const account = await testAccount(sql, shop.id, 'viewer');
      const id = await memberOf(shop, account.userId);
      return { account, id, url: (await link(shop, id)).body.reset_url };
    };
    const [joined, left, promoted] = [await prepare(), await prepare(), await prepare()];
    const membership = { organizationId: other.id, userId: joined.account.userId, role: 'viewer' } as const;
    await addMember(sql, { ...membership, now: clock.now() });
    await ask(`DELETE /members/${left.id}`, shop.owner.token);
    await ask(`PATCH /members/${promoted.id}`, shop.owner.token, { role: 'member' });
    for (const { url, account } of [joined, left, promoted]) {
      expect(await reset(url)).toBe(410);
      expect(await logIn(account, account.password)).toBe(200);
    }
  });
});

describe('If-Match', () => {
  test('of a member changes the version that was read, and returns 412 with the current one for another', async () => {
    const shop = await testOrganization(sql);
    const account = await testAccount(sql, shop.id, 'member');
    const target = `/members/${await memberOf(shop, account.userId)}`;
    const etag = String((await ask(`GET ${target}`, shop.owner.token)).headers.get('etag'));
    const change = (role: string, ifMatch: string) =>
      ask(`PATCH ${target}`, shop.owner.token, { role }, { 'if-match': ifMatch });
    const first = await change('viewer', etag);
    expect([first.status, first.headers.get('etag')]).toEqual([200, `"${first.body.data.updated}"`]);
    const stale = await change('owner', etag);
    expect([stale.status, stale.body.details]).toEqual([412, { current: first.body.data }]);
    expect((await change('member', String(first.headers.get('etag')))).status).toBe(200);
    const { id, updated } = (await invite(shop)).body.data;
    const invited = await ask(
      `PATCH /members/${id}`,
      shop.owner.token,
      { role: 'viewer' },
      { 'if-match': `"${updated}"` },
    );
    expect(invited.body.data.updated).not.toBe(updated);
  });

  test('of the organization likewise', async () => {
    const shop = await testOrganization(sql);
    const etag = String((await ask('GET /organization', shop.owner.token)).headers.get('etag'));
    const rename = (name_en: string) => ask('PATCH /organization', shop.owner.token, { name_en }, { 'if-match': etag });
    const first = await rename('First');
    expect([first.status, first.headers.get('etag')]).toEqual([200, `"${first.body.data.updated}"`]);
    const stale = await rename('Second');
    expect([stale.status, stale.body.details]).toEqual([412, { current: first.body.data }]);
  });
});
