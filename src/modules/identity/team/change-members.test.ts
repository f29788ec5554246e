import { describe, expect, test } from 'vitest';
import { call, testAccount, testOrganization } from '../../../../test/harness/index.ts';
import { newId } from '../../../platform/ids.ts';
import { lockOrganization } from '../sql/tokens.ts';
import { heldTransaction } from '../testing/held-transaction.ts';
import { testTeam } from '../testing/team.ts';

const { service, sql, secondNode, ask, refused, invite, memberOf, rolesOf, auditOf, branchOf } = await testTeam();
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
