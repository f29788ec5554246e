import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Call, type TestAccount, testAccount, testOrganization } from '../../../../test/harness/index.ts';
import { inTransaction, type Tx } from '../../../platform/database/index.ts';
import { hashRecoveryCode } from '../second-factor/recovery-codes.ts';
import { spendRecoveryCode } from '../sql/second-factors.ts';
import { heldTransaction } from '../testing/held-transaction.ts';
import { withSecondFactor } from '../testing/second-factor.ts';
import { invitee, tally, times, twoConnections } from '../testing/two-connections.ts';

const { service, clock, ask, waiters, memberOf } = await twoConnections();

describe('concurrent writes in opposite order', () => {
  it('do not deadlock when owners of two organizations change members and keys of both', async () => {
    const [one, other] = [await testOrganization(service.sql), await testOrganization(service.sql)];
    for (const [shop, guest] of [
      [one, other.owner],
      [other, one.owner],
    ] as const) {
      await service.sql`insert into memberships (organization_id, id, user_id, role, created)
                        values (${shop.id}, ${randomUUID()}, ${guest.userId}, 'owner', now())`;
    }
    const staff = await times(2, () => testAccount(service.sql, null));
    for (const shop of [one, other]) {
      for (const { userId } of staff) {
        await service.sql`insert into memberships (organization_id, id, user_id, role, created)
                          values (${shop.id}, ${randomUUID()}, ${userId}, 'member', now())`;
      }
    }
    const [first, second] = staff as [TestAccount, TestAccount];
    const replies = await times(24, async (index) => {
      const [shop, author] = index % 2 === 0 ? [one, other.owner] : [other, one.owner];
      const target = await memberOf(shop, index % 4 < 2 ? first : second);
      const by = { token: author.token, organizationId: shop.id };
      if (index % 3 === 0) return ask('POST /auth/api-keys', { ...by, body: {} });
      if (index % 3 === 1) return ask('POST /members', { ...by, body: invitee() });
      return ask(`PATCH /members/${target}`, { ...by, body: { role: index % 8 < 4 ? 'viewer' : 'member' } });
    });
    expect(tally(replies)).toEqual({ 200: 8, 201: 16 });
  });

  it('do not deadlock when a recovery code is used while the second factor is removed', async () => {
    const { owner } = await testOrganization(service.sql);
    const { recoveryCodes } = await withSecondFactor(service.baseUrl, owner, clock);
    const bare = (recoveryCodes[0] ?? '').replaceAll('-', '');
    const [locked, spends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const taken = inTransaction(service.sql, async (tx) => {
      await tx`select from second_factors where user_id = ${owner.userId} for update`;
      locked.resolve();
      await spends.promise;
      await tx`delete from second_factors where user_id = ${owner.userId}`;
    });
    await locked.promise;
    const spending = inTransaction(service.sql, (tx) => spendRecoveryCode(tx, owner.userId, hashRecoveryCode(bare)));
    await expect.poll(waiters).toBe(1);
    // The holder of the factor's lock finds the codes unlocked: otherwise the two would deadlock.
    const free = await service.sql`
      select from recovery_codes where user_id = ${owner.userId} for update skip locked`;
    spends.resolve();
    await taken;
    expect(free).toHaveLength(recoveryCodes.length);
    expect(await spending).toBe(false);
  });
});

describe('a member who is removed during the request', () => {
  /** Sends a request that is authenticated, then waits for the row of the account until this change is committed. */
  async function meanwhile(account: TestAccount, change: (tx: Tx) => Promise<unknown>, target: string, options: Call) {
    const held = await heldTransaction(service.sql, async (tx) => {
      await tx`select from users where id = ${account.userId} for update`;
      await change(tx);
    });
    const asked = ask(target, options);
    await expect.poll(waiters).toBe(1);
    await held.commit();
    return asked;
  }

  const remove =
    ({ userId }: TestAccount) =>
    (tx: Tx) =>
      tx`delete from memberships where user_id = ${userId}`;

  const loggedIn = async ({ email, password }: TestAccount): Promise<string> =>
    (await ask('POST /auth/login', { body: { email, password } })).body.access_token;

  it('gets no session token that a later invitation would activate', async () => {
    const shop = await testOrganization(service.sql);
    const member = await testAccount(service.sql, shop.id, 'member');
    const token = await loggedIn(member);
    const body = { name: 'for later' };
    const reply = await meanwhile(member, remove(member), 'POST /auth/session-tokens', { token, body });
    expect([reply.status, reply.body.error]).toEqual([403, 'Organization not accessible']);
    const live = await service.sql`
      select from session_tokens where user_id = ${member.userId} and name = 'for later'`;
    expect(live).toEqual([]);
  });

  it('loses the session token that was created just before', async () => {
    const shop = await testOrganization(service.sql);
    const member = await testAccount(service.sql, shop.id, 'member');
    const token = await loggedIn(member);
    const id = await memberOf(shop, member);
    await service.sql`
      insert into audit_counts (organization_id, resource, action, slot, written, forgotten)
      select ${shop.id}, 'Settings', 'create', slot, 0, 0 from generate_series(0, 15) as slot`;
    // The token is inserted but cannot be committed: the row of the audit count is locked.
    const held = await heldTransaction(
      service.sql,
      (tx) => tx`select from audit_counts where organization_id = ${shop.id} for update`,
    );
    const making = ask('POST /auth/session-tokens', { token, body: {} });
    await expect.poll(waiters).toBe(1);
    let isRemoved = false;
    const removing = ask(`DELETE /members/${id}`, { token: shop.owner.token }).then(() => {
      isRemoved = true;
    });
    await expect.poll(async () => isRemoved || (await waiters()) === 2).toBe(true);
    await held.commit();
    const { status, body } = await making;
    await removing;
    expect(status).toBe(201);
    expect((await ask('GET /auth/session-tokens', { token: body.token })).status).toBe(401);
  });

  const changes: [string, (account: TestAccount) => (tx: Tx) => Promise<unknown>][] = [
    ['removed', remove],
    [
      'demoted',
      ({ userId }) =>
        (tx) =>
          tx`update memberships set role = 'member' where user_id = ${userId}`,
    ],
    [
      'confined',
      ({ userId }) =>
        (tx) =>
          tx`update memberships set branch_id = ${randomUUID()} where user_id = ${userId}`,
    ],
  ];
  it.each(changes)('creates no API key once %s, not even one without grants', async (_what, change) => {
    const shop = await testOrganization(service.sql);
    const owner = await testAccount(service.sql, shop.id, 'owner');
    const token = await loggedIn(owner);
    const reply = await meanwhile(owner, change(owner), 'POST /auth/api-keys', { token, body: { name: 'for later' } });
    expect(reply.status).toBe(403);
    expect((await ask('GET /auth/api-keys', { token: shop.owner.token })).body.total_count).toBe(1);
  });
});
