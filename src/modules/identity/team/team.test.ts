import { describe, expect, test } from 'vitest';
import {
  call,
  commercialAccount,
  type ReplyBody,
  testAccount,
  testOrganization,
} from '../../../../test/harness/index.ts';
import { settingReader } from '../../../platform/config.ts';
import { newId } from '../../../platform/ids.ts';
import { readIdentitySettings } from '../settings.ts';
import { invitee, testTeam } from '../testing/team.ts';
import { MAX_TEAM } from './invite-member.ts';
import { linkBaseOf } from './link-base.ts';

const DAY_MS = 86_400_000;
const { clock, service, sql, secondNode, ask, refused, invite, memberOf, auditOf, branchOf } = await testTeam();
const settings = ['create:Settings', 'update:Settings', 'delete:Settings'];

describe('POST /members', () => {
  test('answers with the row and, once, with the link', async () => {
    const shop = await testOrganization(sql);
    await branchOf(shop, 'RUH-1');
    const email = invitee();
    const { status, body } = await ask('POST /members', shop.owner.token, {
      email,
      role: 'member',
      branch_iv_id: 'RUH-1',
      grants_added: ['update:Settings', 'update:Settings'],
      grants_withheld: ['read:Analytics'],
    });
    expect([status, body.success, body.message]).toEqual([201, true, 'Member invited']);
    const { invite_url: link, ...row } = body.data;
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: null,
      email,
      name: '',
      role: 'member',
      branch_iv_id: 'RUH-1',
      grants_added: ['update:Settings'],
      grants_withheld: ['read:Analytics'],
      status: 'invited',
      last_seen_at: null,
      created: clock.now().toISOString(),
      updated: clock.now().toISOString(),
    });
    const [base, token] = link.split('/invite#token=');
    expect([base, token]).toEqual([service.baseUrl, expect.stringMatching(/^dki_[\w-]{43}$/)]);
    const list = await ask('GET /members', shop.owner.token);
    expect(list.body.data).toContainEqual(row);
    expect(list.text).not.toContain(token);
    expect((await ask(`GET /members/${row.id}`, shop.owner.token)).body).toEqual(row);
    const [kept] = await sql`select i::text as row from invitations i where id = ${row.id}`;
    for (const form of [token, Buffer.from(token).toString('hex')]) expect(kept?.row).not.toContain(form);
    expect((await auditOf(shop)).at(-1)).toMatchObject({
      actor_kind: 'user',
      actor_id: shop.owner.userId,
      action: 'create',
      resource: 'Settings',
      resource_id: row.id,
    });
  });

  test('a repeat with the same key gets the same link', async () => {
    const shop = await testOrganization(sql);
    const body = { email: invitee(), role: 'viewer' };
    const key = { 'idempotency-key': newId() };
    const first = await ask('POST /members', shop.owner.token, body, key);
    const again = await ask('POST /members', shop.owner.token, body, key);
    expect([again.status, again.headers.get('idempotency-hit')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    expect((await ask('GET /members', shop.owner.token)).body.total_count).toBe(2);
  });

  test('409 for a member and for a pending address, however it is written; an expired one may be asked again', async () => {
    const shop = await testOrganization(sql);
    const email = invitee();
    expect((await invite(shop, { email })).status).toBe(201);
    expect((await invite(shop, { email: email.toUpperCase() })).body).toMatchObject({
      code: 409,
      error: 'Already invited',
    });
    const mine = shop.owner.email.toUpperCase();
    expect((await invite(shop, { email: mine })).body).toMatchObject({ code: 409, error: 'Already a member' });
    clock.advanceMs(7 * DAY_MS);
    expect((await ask('GET /members', shop.owner.token)).body.total_count).toBe(1);
    expect((await invite(shop, { email })).status).toBe(201);
    expect((await ask('GET /members', shop.owner.token)).body.total_count).toBe(2);
  });

  test('of two at once one is made', async () => {
    const shop = await testOrganization(sql);
    const email = invitee();
    const replies = await Promise.all([invite(shop, { email }), invite(shop, { email })]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  test.each<[string, object, object]>([
    ['no address', { email: undefined }, { email: 'is required' }],
    ['a wrong address', { email: 'sara' }, { email: 'must be a valid email address such as sara@example.com' }],
    ['a wrong role', { role: 'king' }, { role: 'must be one of owner, member, viewer' }],
    ['an unknown branch', { branch_iv_id: 'NO-1' }, { branch_iv_id: 'is not a branch of this organization' }],
    ['an empty branch', { branch_iv_id: '' }, { branch_iv_id: 'must not be empty' }],
    [
      'a wrong grant',
      { grants_added: ['fly:Orders'] },
      { 'grants_added.0': expect.stringMatching(/^must be one of read:Branches, /) },
    ],
    ['a wrong grant to withhold', { grants_withheld: ['read:Orders', 7] }, { 'grants_withheld.1': expect.anything() }],
  ])('422 for %s', async (_what, fields, details) => {
    const shop = await testOrganization(sql);
    const body = { email: invitee(), role: 'member', ...fields };
    expect(await refused('POST /members', shop.owner.token, body)).toEqual([422, details]);
  });

  test('422 for a branch of another organization', async () => {
    const [shop, other] = [await testOrganization(sql), await testOrganization(sql)];
    await branchOf(other, 'THEIRS');
    const theirs = { email: invitee(), role: 'member', branch_iv_id: 'THEIRS' };
    expect((await refused('POST /members', shop.owner.token, theirs))[0]).toBe(422);
  });

  test('answers for the address of an operator as for any other; accepting is refused', async () => {
    const shop = await testOrganization(sql);
    const { email, password } = await commercialAccount(sql);
    const invited = await ask('POST /members', shop.owner.token, { email, role: 'owner' });
    expect([invited.status, invited.body.data.status]).toEqual([201, 'invited']);
    const body = { token: invited.body.data.invite_url.split('#token=')[1], name: 'Operator', password };
    const accepted = await call(service.baseUrl, 'POST /auth/invitations/accept', { body });
    expect([accepted.status, accepted.body.error]).toEqual([409, 'Operators join no organization']);
  });

  test('409 when the team is full', async () => {
    const shop = await testOrganization(sql);
    const soon = new Date(clock.now().getTime() + DAY_MS);
    await sql`
      insert into invitations (organization_id, id, email, role, token_hash, expires_at, created)
      select ${shop.id}, gen_random_uuid(), 'n' || n, 'viewer', sha256(convert_to(${shop.id}::text || n, 'UTF8')), ${soon}, ${soon}
      from generate_series(2, ${MAX_TEAM}::int) n`;
    expect(await refused('POST /members', shop.owner.token, { email: invitee(), role: 'viewer' })).toEqual([
      409,
      { limit: MAX_TEAM },
    ]);
    clock.advanceMs(DAY_MS);
    expect((await invite(shop)).status).toBe(201);
  });

  test('403 without the grant, and for accounts that are confined to a branch', async () => {
    const shop = await testOrganization(sql);
    const body = () => ({ email: invitee(), role: 'viewer' });
    for (const role of ['member', 'viewer'] as const) {
      const { token } = await testAccount(sql, shop.id, role);
      expect(await refused('POST /members', token, body())).toEqual([403, { grant: 'create on Settings is required' }]);
    }
    const confined = await testAccount(sql, shop.id, 'owner', { branchId: newId() });
    for (const target of ['GET /members', 'POST /members']) {
      const sent = target.startsWith('POST') ? body() : undefined;
      expect(await refused(target, confined.token, sent)).toEqual([403, { account: 'confined to one branch' }]);
    }
  });

  test('returns 403 when a non-owner invites an owner, and for grants that the caller does not hold', async () => {
    const shop = await testOrganization(sql);
    const helper = await testAccount(sql, shop.id, 'member', { added: settings, withheld: ['export:Orders'] });
    const asHelper = (fields: object) => ask('POST /members', helper.token, { email: invitee(), ...fields });
    expect((await asHelper({ role: 'owner' })).body).toMatchObject({
      code: 403,
      details: { role: 'only owners make owners' },
    });
    const missing = { code: 403, details: { grant: 'export on Orders is required' } };
    expect((await asHelper({ role: 'viewer', grants_added: ['export:Orders'] })).body).toMatchObject(missing);
    // By the role alone it would be given as well.
    expect((await asHelper({ role: 'member' })).body).toMatchObject(missing);
    expect((await asHelper({ role: 'member', grants_withheld: ['export:Orders'] })).status).toBe(201);
    expect((await asHelper({ role: 'viewer', grants_added: ['create:Settings'] })).status).toBe(201);
    expect((await asHelper({ role: 'viewer', grants_added: ['export:Settings'] })).status).toBe(403);
  });

  test('without PUBLIC_URL the link leads to the address of the service, whatever a proxy forwards', async () => {
    const shop = await testOrganization(sql);
    const headers = { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' };
    const at = async (baseUrl: string) => {
      const body = { email: invitee(), role: 'viewer' };
      const reply = await call(baseUrl, 'POST /members', { token: shop.owner.token, body, headers });
      return reply.body.data.invite_url.split('/invite#')[0];
    };
    expect(await at(service.baseUrl)).toBe(service.baseUrl);
    expect(await at(secondNode.baseUrl)).toBe(secondNode.baseUrl.replace('http:', 'https:'));
  });

  const cameIn = (host: string | undefined, localAddress: string | undefined = '192.0.2.7', protocol = 'http') =>
    ({ protocol, headers: { host }, raw: { socket: { localAddress, localPort: 8080 } } }) as Parameters<
      typeof linkBaseOf
    >[0];

  test.each([
    ...['', 'a b', 'evil.example', 'evil.example:8080', 'evil.example/x', 'user@evil.example', 'evil.example#', 'a,b'],
    ...[
      'x:99999',
      '[::1',
      '192.0.2.8:8080',
      '192.0.2.7:9090',
      '192.0.2.7',
      'localhost.evil.example',
      '127.0.0.1@evil.co',
    ],
    ...['localhost/..//evil.example', 'localhost?x', undefined],
  ])('a Host header "%s" is not followed', (host) => {
    expect(linkBaseOf(cameIn(host), undefined)).toBe('http://192.0.2.7:8080');
    expect(linkBaseOf(cameIn(host), 'https://shop.example')).toBe('https://shop.example');
  });

  test.each<[string, string, string]>([
    ['localhost:9090', '192.0.2.7', 'http://localhost:9090'],
    ['127.0.0.1:8080', '127.0.0.1', 'http://127.0.0.1:8080'],
    ['[::1]:8080', '::1', 'http://[::1]:8080'],
    ['192.0.2.7:8080', '::ffff:192.0.2.7', 'http://192.0.2.7:8080'],
    ['[2001:db8::7]:8080', '2001:db8::7', 'http://[2001:db8::7]:8080'],
    ['evil.example', 'fe80::1%eth0', 'http://[fe80::1]:8080'],
  ])('a Host header "%s" of a connection to %s gives %s', (host, localAddress, base) => {
    expect(linkBaseOf(cameIn(host, localAddress), undefined)).toBe(base);
  });

  test('PUBLIC_URL is an origin, or the start is refused', () => {
    const read = (value: string) => readIdentitySettings(settingReader({ PUBLIC_URL: value }, '/')).publicUrl;
    expect(read('https://shop.example/')).toBe('https://shop.example');
    expect(read('http://10.0.0.1:8080')).toBe('http://10.0.0.1:8080');
    for (const wrong of [
      'shop.example',
      'ftp://shop.example',
      'https://shop.example/x',
      'https://a@shop.example',
      '//x',
    ]) {
      expect(() => read(wrong)).toThrow(/^PUBLIC_URL must be/);
    }
  });
});

describe('GET /members', () => {
  test('lists members and invitations, sorted, searched and paged', async () => {
    const shop = await testOrganization(sql);
    const people: [string, string][] = [
      ['b@tests.example', 'أحمد العتيبي'],
      ['a@tests.example', 'Sara Al-Harbi'],
    ];
    for (const [email, name] of people) {
      const { userId } = await testAccount(sql, shop.id, 'viewer');
      await sql`update users set email = ${`${shop.id}-${email}`}, name = ${name} where id = ${userId}`;
    }
    const guest = `${shop.id}-c@tests.example`;
    await invite(shop, { email: guest });
    await invite(await testOrganization(sql));
    const list = async (query: string): Promise<ReplyBody> => {
      const { status, body } = await ask(`GET /members?${query}`, shop.owner.token);
      expect(status).toBe(200);
      return body;
    };
    const emails = (body: ReplyBody) => body.data.map(({ email }: ReplyBody) => email.replace(`${shop.id}-`, ''));
    expect(await list('')).toMatchObject({ count: 4, total_count: 4, page: 1, limit: 20, has_next: false, meta: {} });
    expect(
      emails(await list('sort=email&search=tests.example'))
        .slice(0, 3)
        .toSorted(),
    ).toEqual(
      emails(await list('sort=email'))
        .slice(0, 3)
        .toSorted(),
    );
    expect(emails(await list('search=SARA'))).toEqual(['a@tests.example']);
    expect(emails(await list(`search=${encodeURIComponent('احمد')}`))).toEqual(['b@tests.example']);
    expect(emails(await list(`search=${shop.id}&sort=-email`))).toEqual([
      'c@tests.example',
      'b@tests.example',
      'a@tests.example',
    ]);
    expect(await list(`search=${shop.id}&sort=email&limit=2&page=2`)).toMatchObject({
      count: 1,
      total_count: 3,
      has_next: false,
      data: [{ email: guest, status: 'invited', user_id: null }],
    });
    const first = await list('sort=-status&limit=3');
    expect([first.has_next, first.data[0].status]).toEqual([true, 'invited']);
    expect((await list('sort=role&limit=1')).data).toMatchObject([{ role: 'member', status: 'invited' }]);
    expect((await list('search=%25')).total_count).toBe(0);
  });

  test.each(['page=0', 'limit=101', 'sort=user_id', `search=${'x'.repeat(256)}`])('400 for ?%s', async (query) => {
    const { owner } = await testOrganization(sql);
    const [status, details] = await refused(`GET /members?${query}`, owner.token);
    expect([status, Object.keys(details as object)]).toEqual([400, [query.split('=')[0]]]);
  });

  test('404 for an id that is none, of another organization, withdrawn or expired', async () => {
    const [shop, other] = [await testOrganization(sql), await testOrganization(sql)];
    const theirs = await memberOf(other, other.owner.userId);
    const withdrawn = (await invite(shop)).body.data.id;
    expect((await ask(`DELETE /members/${withdrawn}`, shop.owner.token)).status).toBe(204);
    const expired = (await invite(shop)).body.data.id;
    clock.advanceMs(7 * DAY_MS);
    for (const id of ['nobody', newId(), theirs, withdrawn, expired]) {
      for (const [method, body] of [['GET'], ['PATCH', { role: 'viewer' }], ['DELETE']] as const) {
        expect(await refused(`${method} /members/${id}`, shop.owner.token, body)).toEqual([404, { id }]);
      }
    }
  });

  test('shows when a member was last seen, to within ten minutes and without invalidating cached identities', async () => {
    const shop = await testOrganization(sql);
    const { token, userId } = await testAccount(sql, shop.id, 'viewer');
    const id = await memberOf(shop, userId);
    const seen = async () => (await ask(`GET /members/${id}`, shop.owner.token)).body.last_seen_at;
    expect(await seen()).toBeNull();
    const epochs = async () => (await sql`select value from identity_epoch`)[0]?.value;
    const before = await epochs();
    const at = clock.now();
    await ask('GET /organization', token);
    await expect.poll(seen).toBe(at.toISOString());
    clock.advanceMs(9 * 60_000);
    await ask('GET /organization', token);
    // From another node, which has not seen them yet: the statement itself leaves the row as it is.
    await call(secondNode.baseUrl, 'GET /organization', { token });
    const marker = await testAccount(sql, shop.id, 'viewer');
    await call(secondNode.baseUrl, 'GET /organization', { token: marker.token });
    const noted = async () => (await sql`select 1 from last_seen where user_id = ${marker.userId}`).length;
    await expect.poll(noted).toBe(1);
    expect(await seen()).toBe(at.toISOString());
    clock.advanceMs(60_000);
    await ask('GET /organization', token);
    await expect.poll(seen).toBe(clock.now().toISOString());
    // The marker's own membership is the one change there was.
    expect(await epochs()).toBe(before + 1);
  });
});
