import { beforeAll, describe, expect, it } from 'vitest';
import { call, type TestService, testOrganization, testService } from '../../test/harness/index.ts';
import { newId } from '../platform/ids.ts';
import { createAccount, createKey, createOrg, createToken, suspend } from './account-commands.ts';
import { type Options, readArguments, UsageError } from './arguments.ts';

let service: TestService;
let organizationId: string;
beforeAll(async () => {
  service = await testService();
  organizationId = (await testOrganization(service.sql)).id;
});

type Command = (platform: TestService['platform'], options: Options) => Promise<unknown>;
const nobody = newId();

describe('accounts', () => {
  const made = async (work: Promise<unknown>) => (await work) as Record<string, string>;
  const statusOf = async (target: string, token: string | undefined, body?: unknown) =>
    (await call(service.baseUrl, target, { token, body })).status;

  it('a member with grants added and withheld', async () => {
    const email = 'member@wadi.example';
    await createAccount(service.platform, {
      email,
      org: organizationId,
      grant: ['create:Settings'],
      withhold: ['read:Orders'],
    });
    const { token } = await made(createToken(service.platform, { email }));
    expect(await statusOf('POST /auth/api-keys', token, {})).toBe(201);
    expect(await statusOf('GET /orders', token)).toBe(403);
  });

  it('an operator, who joins no organization', async () => {
    const email = 'boss@wadi.example';
    await createAccount(service.platform, { email, commercial: true });
    const { token } = await made(createToken(service.platform, { email }));
    expect(await statusOf('GET /leads', token)).toBe(200);
    await expect(createAccount(service.platform, { email, org: organizationId })).rejects.toThrow(
      'joins no organization',
    );
  });

  it('nobody twice in one organization', async () => {
    const { owner, id } = await testOrganization(service.sql);
    await expect(createAccount(service.platform, { email: owner.email, org: id })).rejects.toThrow(
      /belongs to .* already/,
    );
  });
});

describe('refusals', () => {
  it.each<[string, Command, () => Options, string]>([
    ['no name', createOrg, () => ({}), '--name-en is required'],
    ['no zone', createOrg, () => ({ 'name-en': 'x', 'time-zone': 'Mars/Base' }), '--time-zone: no zone "Mars/Base"'],
    [
      'an offset for a zone',
      createOrg,
      () => ({ 'name-en': 'x', 'time-zone': '+03:00' }),
      '--time-zone: no zone "+03:00"',
    ],
    ['no email', createAccount, () => ({}), '--email is required'],
    ['no email at all', createAccount, () => ({ email: 'x' }), '--email: "x" is not an email address'],
    [
      'a short password',
      createAccount,
      () => ({ email: 'a@b.co', password: 'short' }),
      '--password must have at least 8',
    ],
    [
      'no such role',
      createAccount,
      () => ({ email: 'a@b.co', role: 'king' }),
      '--role must be one of owner, member, viewer',
    ],
    ['no such grant', createAccount, () => ({ email: 'a@b.co', grant: ['eat:Cake'] }), '"eat:Cake" is not a grant'],
    ['no such grant to withhold', createAccount, () => ({ email: 'a@b.co', withhold: ['x'] }), '"x" is not a grant'],
    [
      'an operator in a shop',
      createAccount,
      () => ({ email: 'a@b.co', org: organizationId, commercial: true }),
      '--commercial and --org',
    ],
    ['a branch of no shop', createAccount, () => ({ email: 'a@b.co', branch: newId() }), '--branch is the id'],
    [
      'a branch by name',
      createAccount,
      () => ({ email: 'a@b.co', org: organizationId, branch: 'B-1' }),
      '--branch is the id',
    ],
    ['no such shop', createAccount, () => ({ email: 'a@b.co', org: nobody }), `No organization ${nobody}`],
    ['a shop that is no id', createKey, () => ({ org: 'x' }), 'No organization x'],
    ['a key for no shop', createKey, () => ({}), '--org is required'],
    ['a token for nobody', createToken, () => ({ email: 'nobody@b.co' }), 'No user nobody@b.co'],
  ])('%s', async (_what, command, options, message) => {
    const work = command(service.platform, options());
    await expect(work).rejects.toThrow(UsageError);
    await expect(work).rejects.toThrow(message);
  });

  it.each(['0', '-1', '1.5', 'soon', '36501'])('a token for %s days', async (days) => {
    const { owner } = await testOrganization(service.sql);
    await expect(createToken(service.platform, { email: owner.email, days })).rejects.toThrow('--days must be');
  });

  it('a token for a shop the user is not in', async () => {
    const { owner } = await testOrganization(service.sql);
    const work = createToken(service.platform, { email: owner.email, org: organizationId });
    await expect(work).rejects.toThrow(`${owner.email} does not belong to ${organizationId}`);
  });

  it('an unknown shop to suspend', async () => {
    await expect(suspend(service.platform, undefined, true)).rejects.toThrow('No organization (none given)');
  });

  it('leave nothing behind: no user without the membership it was made for', async () => {
    const email = 'half@made.example';
    await service.sql`alter table memberships rename column role to away`;
    const work = createAccount(service.platform, { email, org: organizationId });
    await expect(work).rejects.toThrow('role');
    await service.sql`alter table memberships rename column away to role`;
    expect(await service.sql`select 1 from users where email = ${email}`).toEqual([]);
  });

  it('a user who exists, unless there is a shop to join', async () => {
    const { owner } = await testOrganization(service.sql);
    await expect(createAccount(service.platform, { email: owner.email })).rejects.toThrow('exists already');
    const joined = await createAccount(service.platform, { email: owner.email, org: organizationId, role: 'viewer' });
    expect(joined).toEqual({ user_id: owner.userId, email: owner.email });
  });

  it('an option that does not exist', () => {
    expect(() => readArguments(['org', 'create', '--colour', 'red'])).toThrow(UsageError);
  });
});
