import { beforeAll, describe, expect, it } from 'vitest';
import { commercialAccount, testAccount, testOrganization, testShop } from '../../test/harness/index.ts';
import { withSecondFactor } from '../modules/identity/testing/second-factor.ts';
import { newId } from '../platform/ids.ts';
import { UsageError } from './command.ts';
import { commandLineActor } from './command-line-actor.ts';
import { answerOf, runLine } from './testing/run-line.ts';

const { service, shop, ask } = await testShop();
const org = ['--org', shop.id];
const unknownId = newId();

const dukkan = (...args: string[]) => runLine(service.platform, ...args);
const answer = <Value = Record<string, string>>(...args: string[]) => answerOf<Value>(service.platform, ...args);

type Entry = { action: string; resource: string; actor: Record<string, string>; changed_fields: string[]; ip: string };
async function entriesOf(resourceId: string | undefined): Promise<Entry[]> {
  const { body } = await ask<{ data: Entry[] }>(`GET /audit?resource_id=${resourceId}`);
  return body.data;
}

/** As everything at the command line is recorded: without an address, under the name that the system has for its user. */
const { id, name } = commandLineActor();
const byCommandLine = (action: string, ...changedFields: string[]) =>
  expect.objectContaining({
    action,
    resource: 'Settings',
    actor: { kind: 'cli', id, name },
    changed_fields: changedFields,
    ip: '',
    request_id: '',
  });

const tokenOf = (link: string | undefined) => link?.split('#token=')[1];

beforeAll(async () => {
  const location = { lat: 24.7, lon: 46.7 };
  await ask('POST /branches', { body: { iv_id: 'RUH-01', name_en: 'Olaya', name_ar: 'العليا', location } });
});

describe('user invite', () => {
  it('makes a link to PUBLIC_URL by which someone joins, with all that was given', async () => {
    const invited = await answer(
      ...['user', 'invite', '--email', 'sara@wadi.example', ...org, '--role', 'member', '--branch', 'RUH-01'],
      ...['--grant', 'export:Reports', '--withhold', 'delete:Orders'],
    );
    expect(invited).toMatchObject({
      email: 'sara@wadi.example',
      role: 'member',
      branch_iv_id: 'RUH-01',
      grants_added: ['export:Reports'],
      grants_withheld: ['delete:Orders'],
      status: 'invited',
      invite_url: expect.stringMatching(/^https:\/\/shop\.example\/invite#token=dki_\S+$/),
      resets_account: false,
      affected_organizations: [],
    });
    expect(await entriesOf(invited.id)).toEqual([byCommandLine('create')]);
    const body = { token: tokenOf(invited.invite_url), name: 'Sara', password: 'correct horse battery' };
    expect((await ask('POST /auth/invitations/accept', { body })).status).toBe(200);
    expect((await ask(`GET /members/${invited.id}`)).body).toMatchObject({ status: 'active', branch_iv_id: 'RUH-01' });
  });

  it('shows it as text, once', async () => {
    const { out } = await dukkan('user', 'invite', '--email', 'huda@wadi.example', ...org, '--role', 'viewer');
    expect(out).toMatch(/^invite_url +https:\/\/shop\.example\/invite#token=dki_\S+$/m);
    expect((await dukkan('user', 'list', ...org)).out).not.toContain('dki_');
  });

  it.each<[string, string[], string]>([
    ['no email', [...org, '--role', 'member'], '--email is required'],
    ['no address', ['--email', 'sara', ...org, '--role', 'member'], '--email: "sara" is not an email address'],
    ['no organization', ['--email', 'a@b.co', '--role', 'member'], '--org is required'],
    [
      'an unknown organization',
      ['--email', 'a@b.co', '--org', unknownId, '--role', 'member'],
      `No organization ${unknownId}`,
    ],
    ['no role', ['--email', 'a@b.co', ...org], '--role is required'],
    ['an unknown role', ['--email', 'a@b.co', ...org, '--role', 'king'], '--role must be one of owner, member, viewer'],
    [
      'an unknown grant',
      ['--email', 'a@b.co', ...org, '--role', 'member', '--grant', 'eat:Cake'],
      '"eat:Cake" is not a grant',
    ],
    [
      'an unknown grant to withhold',
      ['--email', 'a@b.co', ...org, '--role', 'member', '--withhold', 'x'],
      '"x" is not a grant',
    ],
  ])('refuses %s as a line that cannot be carried out', async (_what, args, message) => {
    const work = dukkan('user', 'invite', ...args);
    await expect(work).rejects.toThrow(UsageError);
    await expect(work).rejects.toThrow(message);
  });

  it('refuses what the rules refuse, and leaves nothing behind', async () => {
    const operator = await commercialAccount(service.sql);
    await dukkan('user', 'invite', '--email', 'twice@wadi.example', ...org, '--role', 'member');
    const before = (await ask('GET /audit')).body.total_count;
    const invite = (email: string, ...more: string[]) =>
      dukkan('user', 'invite', '--email', email, ...org, '--role', 'member', ...more);
    await expect(invite(shop.owner.email)).rejects.toMatchObject({ status: 409, message: 'Already a member' });
    await expect(invite('twice@wadi.example')).rejects.toMatchObject({ status: 409, message: 'Already invited' });
    await expect(invite(operator.email)).rejects.toMatchObject({ status: 422 });
    await expect(invite('a@b.co', '--branch', 'NOWHERE')).rejects.toMatchObject({
      details: { branch_iv_id: 'is not a branch of this organization' },
    });
    expect((await ask('GET /audit')).body.total_count).toBe(before);
  });
});

describe('user reset-password', () => {
  it('makes a link for a new password; the old one works until it is used, an earlier link no longer', async () => {
    const { email, userId, password } = await testAccount(service.sql, shop.id, 'member');
    const earlier = await answer('user', 'reset-password', '--email', email);
    const reset = await answer('user', 'reset-password', '--email', email);
    expect(reset).toEqual({
      user_id: userId,
      email,
      reset_url: expect.stringMatching(/^https:\/\/shop\.example\/reset-password#token=dkp_\S+$/),
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await entriesOf(userId)).toEqual([
      byCommandLine('create-password-reset'),
      byCommandLine('create-password-reset'),
    ]);

    const logIn = async (attempt: string) =>
      (await ask('POST /auth/login', { body: { email, password: attempt } })).status;
    const use = async (link: string | undefined) =>
      (await ask('POST /auth/password/reset', { body: { token: tokenOf(link), password: 'a new password' } })).status;
    expect(await logIn(password)).toBe(200);
    expect(await use(earlier.reset_url)).toBe(410);
    expect(await use(reset.reset_url)).toBe(204);
    expect([await logIn(password), await logIn('a new password')]).toEqual([401, 200]);
  });

  it.each<[string, string[], string]>([
    ['no address', [], '--email is required'],
    ['an unknown address', ['--email', 'unknown@wadi.example'], 'No user unknown@wadi.example'],
  ])('is refused for %s', async (_what, args, message) => {
    const work = dukkan('user', 'reset-password', ...args);
    await expect(work).rejects.toThrow(UsageError);
    await expect(work).rejects.toThrow(message);
  });
});

describe('user reset-totp', () => {
  it('removes the second factor and ends the sessions of the account, recorded for each of its organizations', async () => {
    const { email, userId, password, token } = await testAccount(service.sql, shop.id, 'member');
    await withSecondFactor(service.baseUrl, { token, password }, service.platform.clock);
    expect(await answer('user', 'reset-totp', '--email', email.toUpperCase())).toEqual({
      user_id: userId,
      email: email.toUpperCase(),
      has_second_factor: false,
    });
    await expect.poll(async () => (await ask('GET /auth/account', { token })).status).toBe(401);
    expect((await ask('POST /auth/login', { body: { email, password } })).status).toBe(200);
    expect((await entriesOf(userId))[0]).toEqual(byCommandLine('reset-totp', 'totp'));
    await expect(dukkan('user', 'reset-totp', '--email', email)).rejects.toMatchObject({
      status: 409,
      message: 'No second factor is enabled',
    });
  });

  it('also of an operator, recorded for the service as a whole', async () => {
    const { email, userId, password, token } = await commercialAccount(service.sql);
    await withSecondFactor(service.baseUrl, { token, password }, service.platform.clock);
    await dukkan('user', 'reset-totp', '--email', email);
    expect((await ask('POST /auth/login', { body: { email, password } })).status).toBe(200);
    const recorded = await service.sql`
      select organization_id, actor_kind, action from audit_entries where resource_id = ${userId}`;
    expect(recorded).toEqual([
      { organization_id: '00000000-0000-0000-0000-000000000000', actor_kind: 'cli', action: 'reset-totp' },
    ]);
  });

  it.each<[string, string[], string]>([
    ['without an address', [], '--email is required'],
    ['for an unknown address', ['--email', 'unknown@wadi.example'], 'No user unknown@wadi.example'],
  ])('is refused %s', async (_what, args, message) => {
    const work = dukkan('user', 'reset-totp', ...args);
    await expect(work).rejects.toThrow(UsageError);
    await expect(work).rejects.toThrow(message);
  });
});

describe('user role and user remove', () => {
  it('change and remove a member, found by the address in any case', async () => {
    const { email } = await testAccount(service.sql, shop.id, 'viewer');
    const changed = await answer('user', 'role', '--email', email.toUpperCase(), ...org, '--role', 'owner');
    expect(changed).toMatchObject({ email, role: 'owner', status: 'active' });
    expect(await answer('user', 'remove', '--email', email, ...org)).toEqual({
      removed: changed.id,
      email,
      organization_id: shop.id,
    });
    expect(await entriesOf(changed.id)).toEqual([byCommandLine('delete'), byCommandLine('update', 'role')]);
    expect((await ask(`GET /members/${changed.id}`)).status).toBe(404);
    // The account itself stays.
    expect((await dukkan('user', 'reset-password', '--email', email)).code).toBe(0);
  });

  it('withdraw an invitation: its link is 410', async () => {
    const args = ['--email', 'gone@wadi.example', ...org];
    const invited = await answer('user', 'invite', ...args, '--role', 'member');
    expect((await answer('user', 'remove', ...args)).removed).toBe(invited.id);
    const body = { token: tokenOf(invited.invite_url), name: 'Gone', password: 'correct horse battery' };
    expect((await ask('POST /auth/invitations/accept', { body })).status).toBe(410);
  });

  it('leave the last owner, and record nothing of it', async () => {
    const { id: otherShop, owner } = await testOrganization(service.sql);
    const who = ['--email', owner.email, '--org', otherShop];
    const message = 'The last owner can be neither removed nor demoted nor confined';
    await expect(dukkan('user', 'role', ...who, '--role', 'viewer')).rejects.toMatchObject({ status: 409, message });
    await expect(dukkan('user', 'remove', ...who)).rejects.toMatchObject({ status: 409, message });
    expect((await ask('GET /audit', { token: owner.token })).body.total_count).toBe(0);
  });

  it.each<[string, string[], string]>([
    ['user role without a role', ['role', '--email', 'a@b.co', ...org], '--role is required'],
    ['user role with an unknown one', ['role', '--email', 'a@b.co', ...org, '--role', 'king'], '--role must be one of'],
    [
      'user role of a user of another organization',
      ['role', '--email', 'a@b.co', ...org, '--role', 'owner'],
      `a@b.co does not belong to ${shop.id}`,
    ],
    [
      'user role in an unknown organization',
      ['role', '--email', 'a@b.co', '--org', unknownId, '--role', 'owner'],
      `No organization ${unknownId}`,
    ],
    [
      'user remove of a user of another organization',
      ['remove', '--email', 'a@b.co', ...org],
      `a@b.co does not belong to ${shop.id}`,
    ],
    ['user remove without an address', ['remove', ...org], '--email is required'],
    [
      'user remove from an unknown organization',
      ['remove', '--email', 'a@b.co', '--org', unknownId],
      `No organization ${unknownId}`,
    ],
  ])('%s is refused', async (_what, args, message) => {
    const work = dukkan('user', ...args);
    await expect(work).rejects.toThrow(UsageError);
    await expect(work).rejects.toThrow(message);
  });
});

describe('api-key create', () => {
  it('with grants, a branch and an end', async () => {
    const made = await answer(
      ...['api-key', 'create', ...org, '--name', 'till', '--grant', 'read:Orders', '--grant', 'read:Branches'],
      ...['--branch', 'RUH-01', '--expires', '2099-01-31T12:00:00Z'],
    );
    const { body } = await ask<{ data: { id: string }[] }>('GET /auth/api-keys');
    expect(body.data.find((key) => key.id === made.id)).toMatchObject({
      name: 'till',
      grants: ['read:Orders', 'read:Branches'],
      branch_iv_id: 'RUH-01',
      expires_at: '2099-01-31T12:00:00.000Z',
    });
    expect(await entriesOf(made.id)).toEqual([byCommandLine('create', 'name', 'grants', 'branch_iv_id', 'expires_at')]);
    const withKey = async (target: string) =>
      (await ask(target, { token: undefined, headers: { 'x-api-key': made.api_key ?? '' } })).status;
    expect(await withKey('GET /orders')).toBe(200);
    expect(await withKey('GET /products')).toBe(403);
  });

  it.each<[string, string[], string]>([
    ['a day for a time', ['--expires', '2099-01-31'], '--expires: "2099-01-31" is not a time such as'],
    ['no time at all', ['--expires', 'soon'], '--expires: "soon" is not a time such as'],
  ])('refuses %s as a line that cannot be carried out', async (_what, args, message) => {
    const work = dukkan('api-key', 'create', ...org, ...args);
    await expect(work).rejects.toThrow(UsageError);
    await expect(work).rejects.toThrow(message);
  });

  it.each<[string, string[], Record<string, string>]>([
    ['a time that is past', ['--expires', '2020-01-31T12:00:00Z'], { expires_at: 'must be in the future' }],
    ['an unknown grant', ['--grant', 'eat:Cake'], { 'grants.0': 'must be a grant such as read:Orders' }],
    [
      'Settings',
      ['--grant', 'read:Orders', '--grant', 'read:Settings'],
      { 'grants.1': 'is never given to an API key' },
    ],
    ['an unknown branch', ['--branch', 'NOWHERE'], { branch_iv_id: 'is not a branch of this organization' }],
  ])('refuses %s', async (_what, args, details) => {
    const keys = async () => (await ask('GET /auth/api-keys')).body.total_count;
    const before = await keys();
    await expect(dukkan('api-key', 'create', ...org, ...args)).rejects.toMatchObject({ status: 422, details });
    expect(await keys()).toBe(before);
  });
});
