import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  BOUNDED_MS,
  type Call,
  call,
  exchange,
  openSocket,
  type Reply,
  type ReplyBody,
  type TestAccount,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';
import { inTransaction, type Tx } from '../../../platform/database/index.ts';
import { createPasswordReset } from '../index.ts';
import { hashRecoveryCode } from '../second-factor/recovery-codes.ts';
import { spendRecoveryCode } from '../sql/second-factors.ts';
import { heldTransaction } from '../testing/held-transaction.ts';
import { codeOf, withSecondFactor } from '../testing/second-factor.ts';

const MANY = 50;
const UNREAD = 20;
const CLI = { kind: 'cli', id: 'cli', name: 'cli', ip: '', requestId: '' } as const;
const clock = movableClock(new Date());
let service: TestService;

// Two connections in total: a request that held one and waited for a second would hang here.
beforeAll(async () => {
  service = await testService({ DATABASE_POOL_SIZE: '2', LOGIN_RATE_LIMIT_PER_MINUTE: '0' }, { clock });
});

const ask = (target: string, options: Call = {}) => call(service.baseUrl, target, options);
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** How often each status came. */
function tally(replies: readonly Reply<ReplyBody>[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const waiters = async () => {
  const rows = await service.sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length;
};

const memberOf = async ({ id }: TestOrganization, { userId }: TestAccount): Promise<string> => {
  const [row] = await service.sql<{ id: string }[]>`
    select id from memberships where organization_id = ${id} and user_id = ${userId}`;
  return row?.id ?? '';
};

const auditedAs = async ({ id }: TestOrganization, action: string) => {
  const rows = await service.sql`select from audit_entries where organization_id = ${id} and action = ${action}`;
  return rows.length;
};

const invitee = () => ({ email: `${randomUUID()}@tests.example`, role: 'member' });

describe('fifty impatient callers', () => {
  it('of one tenant and of others: each write of settings happens once, and none is lost', async () => {
    const shops = await times(5, () => testOrganization(service.sql));
    const of = (index: number) => shops[index % shops.length] as TestOrganization;
    const token = (index: number) => of(index).owner.token;
    const invited = await times(MANY, (index) => ask('POST /members', { token: token(index), body: invitee() }));
    const made = await times(MANY, (index) =>
      ask('POST /auth/api-keys', { token: token(index), body: { grants: ['read:Orders'] } }),
    );
    const named = await times(MANY, (index) =>
      index % 2 === 0
        ? ask('PATCH /organization', { token: token(index), body: { address: `Street ${index}` } })
        : ask(index % 3 === 0 ? 'GET /audit' : 'GET /members?search=tests', { token: token(index) }),
    );
    expect([invited, made, named].map(tally)).toEqual([{ 201: MANY }, { 201: MANY }, { 200: MANY }]);
    const withdrawn = await times(MANY, (index) =>
      ask(`DELETE /members/${invited[index]?.body.data.id}`, { token: token(index) }),
    );
    // Each by two at once: the second finds it ended.
    const revoked = await times(MANY, (index) =>
      ask(`DELETE /auth/api-keys/${made[Math.floor(index / 2)]?.body.id}`, { token: token(Math.floor(index / 2)) }),
    );
    expect([withdrawn, revoked].map(tally)).toEqual([{ 204: MANY }, { 204: MANY / 2, 404: MANY / 2 }]);
    for (const shop of shops) {
      expect(await auditedAs(shop, 'create')).toBe(2 * (MANY / shops.length));
      expect(await auditedAs(shop, 'revoke')).toBe(MANY / 2 / shops.length);
      const { body } = await ask('GET /members', { token: shop.owner.token });
      expect(body.total_count).toBe(1);
    }
  });

  it('with one Idempotency-Key send one invitation, and are all given its link', async () => {
    const { owner } = await testOrganization(service.sql);
    const options = { token: owner.token, headers: { 'idempotency-key': randomUUID() }, body: invitee() };
    const replies = await times(MANY, () => ask('POST /members', options));
    expect(tally(replies)).toEqual({ 201: MANY });
    expect(new Set(replies.map(({ body }) => body.data.invite_url)).size).toBe(1);
    expect((await ask('GET /members', { token: owner.token })).body.total_count).toBe(2);
  });

  it('with one link: one accepts, one sets the password, the others get 410', async () => {
    const shop = await testOrganization(service.sql);
    const { email } = await testAccount(service.sql, null);
    const invited = await ask('POST /members', { token: shop.owner.token, body: { ...invitee(), email } });
    const token = invited.body.data.invite_url.split('#token=')[1];
    const joining = await times(20, () =>
      ask('POST /auth/invitations/accept', { body: { token, name: 'Sara', password: 'a password for tests' } }),
    );
    const user = await testAccount(service.sql, shop.id, 'viewer');
    const reset = await inTransaction(service.sql, (tx) => createPasswordReset(tx, CLI, user.userId, clock.now()));
    const resetting = await times(20, (index) =>
      ask('POST /auth/password/reset', { body: { token: reset.token, password: `chosen by caller ${index}` } }),
    );
    for (const [replies, once] of [
      [joining, 200],
      [resetting, 204],
    ] as const) {
      const { [once]: done, 410: late = 0, 429: turnedAway = 0 } = tally(replies);
      expect([done, late + turnedAway]).toEqual([1, replies.length - 1]);
    }
    expect(await auditedAs(shop, 'accept')).toBe(1);
    expect(await auditedAs(shop, 'reset-password')).toBe(1);
    const chosen = resetting.findIndex(({ status }) => status === 204);
    const login = { email: user.email, password: `chosen by caller ${chosen}` };
    expect((await ask('POST /auth/login', { body: login })).status).toBe(200);
  });

  it('of the second factor: one enrolment is confirmed, one refresh is made, one removal', async () => {
    const shop = await testOrganization(service.sql);
    const { token, email, password } = shop.owner;
    // No more than ten passwords of an account are checked at once.
    const enrolled = await times(10, () => ask('POST /auth/totp/enrol', { token, body: { password } }));
    expect(tally(enrolled)).toEqual({ 200: 10 });
    const { secret } = (await ask('POST /auth/totp/enrol', { token, body: { password } })).body;
    const code = codeOf(secret, clock);
    const confirmed = await times(20, () => ask('POST /auth/totp/confirm', { token, body: { code } }));
    expect(tally(confirmed)).toEqual({ 200: 1, 409: 19 });
    const [recovery, forRemoval] = confirmed.find(({ status }) => status === 200)?.body.recovery_codes ?? [];

    const logins = await times(20, () =>
      ask('POST /auth/login', { body: { email, password, code: recovery }, headers: { 'x-session': 'cookie' } }),
    );
    const entered = logins.filter(({ status }) => status === 200);
    expect(entered).toHaveLength(1);
    const cookie = entered[0]?.headers.get('set-cookie')?.split(';')[0] ?? '';
    const refreshed = await times(MANY, () =>
      ask('POST /auth/refresh', { headers: { 'x-session': 'cookie', cookie } }),
    );
    expect(tally(refreshed)).toEqual({ 200: MANY });
    expect(new Set(refreshed.map(({ headers }) => headers.get('set-cookie'))).size).toBe(1);

    const disabled = await times(20, () =>
      ask('POST /auth/totp/disable', { token, body: { password, code: forRemoval } }),
    );
    const { 204: done, ...rest } = tally(disabled);
    expect([done, Object.keys(rest).filter((status) => !['409', '422', '429'].includes(status))]).toEqual([1, []]);
    expect([await auditedAs(shop, 'confirm'), await auditedAs(shop, 'disable')]).toEqual([1, 1]);
  });

  it('clients that never read their answers or send thirty megabytes delay no other client', async () => {
    const [shop, bystander] = [await testOrganization(service.sql), await testOrganization(service.sql)];
    const { token } = shop.owner;
    const sockets = await times(UNREAD, async () => {
      const socket = await openSocket(service.baseUrl);
      socket.on('error', () => undefined).pause();
      const body = JSON.stringify(invitee());
      socket.write(
        `POST /api/v1/members HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      return socket;
    });
    const large = Buffer.alloc(30 * 1024 * 1024, ' ');
    const atLimit = (limitBytes: number, body: object) => JSON.stringify(body).padEnd(limitBytes);
    const headers = { 'content-type': 'application/json' };
    for (const target of ['PATCH /api/v1/organization', 'POST /api/v1/members']) {
      const head =
        `${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${large.length}\r\n\r\n`;
      const { status } = await exchange(service.baseUrl, Buffer.concat([Buffer.from(head), large]), BOUNDED_MS);
      expect([target, status]).toEqual([target, 413]);
    }
    for (const target of ['POST /auth/invitations/accept', 'POST /auth/password/reset', 'POST /auth/login']) {
      const raw = atLimit(16 * 1024, { token: 'dki_none', email: 'unknown@tests.example', password: 'long enough' });
      expect((await ask(target, { headers, raw })).status).not.toBe(413);
      expect((await ask(target, { headers, raw: `${raw} ` })).status).toBe(413);
    }
    const address = { address: 'x'.repeat(1_000) };
    const whole = { token, headers, raw: atLimit(1024 * 1024, address) };
    expect((await ask('PATCH /organization', whole)).status).toBe(200);
    expect((await ask('GET /audit', { token: bystander.owner.token })).status).toBe(200);
    await expect.poll(() => auditedAs(shop, 'create')).toBe(UNREAD);
    for (const socket of sockets) socket.destroy();
  });
});

describe('two in opposite order', () => {
  it('owners of two shops who demote, invite and make keys across each other all come through', async () => {
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

  it('a recovery code is spent while the second factor is taken away: neither waits for the other in a circle', async () => {
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

describe('one who is removed at the same moment', () => {
  /** A request that was authenticated and waits for the account's row when this change is committed. */
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

  it('takes away no session token that a later invitation would bring to life', async () => {
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

  it('a session token that is made first ends with the membership', async () => {
    const shop = await testOrganization(service.sql);
    const member = await testAccount(service.sql, shop.id, 'member');
    const token = await loggedIn(member);
    const id = await memberOf(shop, member);
    await service.sql`
      insert into audit_counts (organization_id, resource, action, slot, written, forgotten)
      select ${shop.id}, 'Settings', 'create', slot, 0, 0 from generate_series(0, 15) as slot`;
    // It is made by now, and cannot be committed: the count of entries is held.
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
  it.each(changes)('makes no API key once %s, not even one without grants', async (_what, change) => {
    const shop = await testOrganization(service.sql);
    const owner = await testAccount(service.sql, shop.id, 'owner');
    const token = await loggedIn(owner);
    const reply = await meanwhile(owner, change(owner), 'POST /auth/api-keys', { token, body: { name: 'for later' } });
    expect(reply.status).toBe(403);
    expect((await ask('GET /auth/api-keys', { token: shop.owner.token })).body.total_count).toBe(1);
  });
});

describe('the audit', () => {
  it('names a session token that ends by logging out', async () => {
    const shop = await testOrganization(service.sql);
    const { body } = await ask('POST /auth/session-tokens', { token: shop.owner.token, body: {} });
    expect((await ask('POST /auth/logout', { token: body.token })).status).toBe(204);
    const { body: listed } = await ask('GET /audit?action=revoke', { token: shop.owner.token });
    expect(listed.data).toMatchObject([{ resource_id: body.id, changed_fields: ['revoked'] }]);
  });
});

describe('an empty code', () => {
  it('is 422 where an invitation is accepted, as at the login: it costs none of the ten tries', async () => {
    const token = `dki_${randomUUID()}`;
    for (const [target, rest] of [
      ['POST /auth/invitations/accept', { token, name: 'Sara' }],
      ['POST /auth/login', { email: 'unknown@tests.example' }],
    ] as const) {
      const { status, body } = await ask(target, { body: { ...rest, password: 'long enough', code: '' } });
      expect([status, Object.keys(body.details)]).toEqual([422, ['code']]);
    }
  });
});
