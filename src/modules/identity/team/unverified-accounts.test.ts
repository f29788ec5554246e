import { describe, expect, test } from 'vitest';
import { type TestOrganization, testOrganization } from '../../../../test/harness/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import type { Actor } from '../../audit/index.ts';
import { createPasswordReset, inviteMember } from '../index.ts';
import { invitationService } from '../testing/invitation-service.ts';

const PASSWORD = 'chosen by the guest';
const { sql, clock, ask, statusOf, invite } = await invitationService();
const cli: Actor = { kind: 'cli', id: 'root', name: 'dukkan user', ip: '', requestId: '' };

const ACCEPT = 'POST /auth/invitations/accept';
const RESET = 'POST /auth/password/reset';

const usersWith = async (email: string) =>
  sql<{ id: string; name: string }[]>`select id, name from users where lower(email) = lower(${email})`;
const auditOf = (organizationId: string) => sql`
  select actor_kind, action, resource_id, ip from audit_entries
  where organization_id = ${organizationId} order by id`;

describe('an account that was never verified', () => {
  const inviteAsOperator = async (shop: TestOrganization, email: string) => {
    const member = { email, role: 'member', branchIvId: null, grantsAdded: [], grantsWithheld: [] } as const;
    return inTransaction(sql, (tx) => inviteMember(tx, shop.id, { actor: cli }, member, clock.now()));
  };
  const verifiedAt = async (email: string) =>
    (await sql`select verified_at from users where lower(email) = lower(${email})`)[0]?.verified_at;
  /** Made by the link of a merchant. */
  async function unverified() {
    const home = await testOrganization(sql);
    const fields = { role: 'viewer', grants_added: ['export:Reports'], grants_withheld: ['read:Analytics'] };
    const { token, id, email } = await invite(home, fields);
    const { body } = await ask(ACCEPT, { token, name: 'Sara', password: PASSWORD });
    expect(await verifiedAt(email)).toBeNull();
    return { home, memberId: id, email, accessToken: body.access_token };
  }

  test('is reset by the link of the operator; its membership elsewhere is pending again, and that is recorded', async () => {
    const { home, memberId, email, accessToken } = await unverified();
    const shop = await testOrganization(sql);
    const { token, reset } = await inviteAsOperator(shop, email);
    expect(reset).toEqual({ resetsAccount: true, affectedOrganizations: [home.id] });
    const accepted = await ask(ACCEPT, { token, name: 'Sara Al-Harbi', password: 'another password' });
    expect(accepted.status, accepted.text).toBe(200);
    expect(await verifiedAt(email)).toEqual(clock.now());
    expect((await usersWith(email))[0]?.name).toBe('Sara Al-Harbi');
    expect((await ask('GET /branches', undefined, accessToken)).status).toBe(401);
    const { body } = await ask(`GET /members?search=${email}`, undefined, home.owner.token);
    expect(body.data).toMatchObject([
      {
        role: 'viewer',
        grants_added: ['export:Reports'],
        grants_withheld: ['read:Analytics'],
        status: 'invited',
        user_id: null,
        name: '',
      },
    ]);
    expect((await auditOf(home.id)).at(-1)).toMatchObject({
      actor_kind: 'system',
      action: 'reset-account',
      resource_id: memberId,
      ip: '',
    });
    expect((await auditOf(shop.id)).at(-1)).toMatchObject({ actor_kind: 'user', action: 'accept' });
    // From then on it is an account like any other: its password stays.
    const later = await inviteAsOperator(await testOrganization(sql), email);
    expect(later.reset).toEqual({ resetsAccount: false, affectedOrganizations: [] });
    expect(await statusOf(ACCEPT, { token: later.token, name: 'Sara', password: 'a third password' })).toBe(401);
    expect(await statusOf(ACCEPT, { token: later.token, name: 'Sara', password: 'another password' })).toBe(200);
  });

  test('is not reset by the link of another merchant', async () => {
    const { email } = await unverified();
    const { token } = await invite(await testOrganization(sql), { email });
    expect(await statusOf(ACCEPT, { token, name: 'Sara', password: 'another password' })).toBe(401);
    expect(await statusOf(ACCEPT, { token, name: 'Sara', password: PASSWORD })).toBe(200);
    expect(await verifiedAt(email)).toBeNull();
  });

  test('is verified by a link for a new password, which keeps its memberships', async () => {
    const { home, email } = await unverified();
    const [user] = await usersWith(email);
    const { token } = await inTransaction(sql, (tx) =>
      createPasswordReset(tx, cli, { userId: user?.id ?? '', organizationId: null }, clock.now()),
    );
    expect(await statusOf(RESET, { token, password: 'another password' })).toBe(204);
    expect(await verifiedAt(email)).toEqual(clock.now());
    const shop = await testOrganization(sql);
    const invited = await inviteAsOperator(shop, email);
    expect(invited.reset.resetsAccount).toBe(false);
    expect(await statusOf(ACCEPT, { token: invited.token, name: 'Sara', password: 'another password' })).toBe(200);
    const rows = await sql<{ organization_id: string }[]>`
      select organization_id from memberships where user_id = ${user?.id ?? ''}`;
    expect(rows.map(({ organization_id }) => organization_id).toSorted()).toEqual([home.id, shop.id].toSorted());
  });

  test('of two who come at once with links of the operator, one resets it and the other needs its password', async () => {
    const { email } = await unverified();
    const links = [
      await inviteAsOperator(await testOrganization(sql), email),
      await inviteAsOperator(await testOrganization(sql), email),
    ];
    const replies = await Promise.all(
      links.map(({ token }, index) => ask(ACCEPT, { token, name: 'Sara', password: `password ${index} of two` })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = replies.find(({ status }) => status !== 200);
    // 401 where the second came after the first had finished.
    expect([401, 409]).toContain(refused?.status);
    const winner = replies.findIndex(({ status }) => status === 200);
    expect(await statusOf('POST /auth/login', { email, password: `password ${winner} of two` })).toBe(200);
  });

  test('401 where it is shut out, also with the link of the operator', async () => {
    const { email } = await unverified();
    await sql`update users set is_active = false where lower(email) = lower(${email})`;
    const { token } = await inviteAsOperator(await testOrganization(sql), email);
    expect(await statusOf(ACCEPT, { token, name: 'Sara', password: 'another password' })).toBe(401);
  });

  test('none is made by the link of the operator', async () => {
    const email = `Guest-${newId()}@Tests.Example`;
    const { token } = await inviteAsOperator(await testOrganization(sql), email);
    expect(await statusOf(ACCEPT, { token, name: 'Sara', password: PASSWORD })).toBe(200);
    expect(await verifiedAt(email)).toEqual(clock.now());
  });
});
