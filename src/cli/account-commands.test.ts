import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../../test/harness/index.ts';
import { newId } from '../platform/ids.ts';
import { UsageError } from './command.ts';
import { answerOf, runLine } from './testing/run-line.ts';

let service: TestService;
let shop: TestOrganization;
let organizationId: string;
beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
  organizationId = shop.id;
});

const unknownId = newId();
const dukkan = (...args: string[]) => runLine(service.platform, ...args);
const answer = <Value = Record<string, string>>(...args: string[]) => answerOf<Value>(service.platform, ...args);

describe('accounts', () => {
  const statusOf = async (target: string, token: string | undefined, body?: unknown) =>
    (await call(service.baseUrl, target, { token, body })).status;

  it('a member with grants added and withheld', async () => {
    const email = 'member@wadi.example';
    await dukkan(
      ...['user', 'create', '--email', email, '--org', organizationId],
      ...['--grant', 'create:Settings', '--withhold', 'read:Orders'],
    );
    const { token } = await answer('token', 'create', '--email', email);
    expect(await statusOf('POST /auth/api-keys', token, {})).toBe(201);
    expect(await statusOf('GET /orders', token)).toBe(403);
  });

  it('an operator, who joins no organization', async () => {
    const email = 'boss@wadi.example';
    await dukkan('user', 'create', '--email', email, '--commercial');
    const { token } = await answer('token', 'create', '--email', email);
    expect(await statusOf('GET /leads', token)).toBe(200);
    await expect(dukkan('user', 'create', '--email', email, '--org', organizationId)).rejects.toThrow(
      'joins no organization',
    );
  });

  it('no user twice in one organization', async () => {
    const { owner, id } = await testOrganization(service.sql);
    await expect(dukkan('user', 'create', '--email', owner.email, '--org', id)).rejects.toThrow(
      /belongs to .* already/,
    );
  });
});

describe('refusals', () => {
  it.each<[string, string[], string]>([
    ['no name', ['org', 'create'], '--name-en is required'],
    ['no zone', ['org', 'create', '--name-en', 'x', '--time-zone', 'Mars/Base'], '--time-zone: no zone "Mars/Base"'],
    [
      'an offset for a zone',
      ['org', 'create', '--name-en', 'x', '--time-zone', '+03:00'],
      '--time-zone: no zone "+03:00"',
    ],
    ['no email', ['user', 'create'], '--email is required'],
    ['no email at all', ['user', 'create', '--email', 'x'], '--email: "x" is not an email address'],
    [
      'a short password',
      ['user', 'create', '--email', 'a@b.co', '--password', 'short'],
      '--password must have at least 8',
    ],
    [
      'no such role',
      ['user', 'create', '--email', 'a@b.co', '--role', 'king'],
      '--role must be one of owner, member, viewer',
    ],
    [
      'no such grant',
      ['user', 'create', '--email', 'a@b.co', '--grant', 'read:Orders', '--grant', 'eat:Cake'],
      '"eat:Cake" is not a grant',
    ],
    ['no such grant to withhold', ['user', 'create', '--email', 'a@b.co', '--withhold', 'x'], '"x" is not a grant'],
    [
      'an operator in a shop',
      ['user', 'create', '--email', 'a@b.co', '--org', 'ORG', '--commercial'],
      '--commercial and --org',
    ],
    ['a role in no shop', ['user', 'create', '--email', 'a@b.co', '--role', 'owner'], '--role, --grant and --withhold'],
    [
      'a grant in no shop',
      ['user', 'create', '--email', 'a@b.co', '--commercial', '--grant', 'read:Orders'],
      '--role, --grant and --withhold',
    ],
    ['a branch of no shop', ['user', 'create', '--email', 'a@b.co', '--branch', newId()], '--branch is the id'],
    [
      'a branch by name',
      ['user', 'create', '--email', 'a@b.co', '--org', 'ORG', '--branch', 'B-1'],
      '--branch is the id',
    ],
    ['no such shop', ['user', 'create', '--email', 'a@b.co', '--org', unknownId], `No organization ${unknownId}`],
    ['a shop that is no id', ['api-key', 'create', '--org', 'x'], 'No organization x'],
    ['a key for no shop', ['api-key', 'create'], '--org is required'],
    ['a token for an unknown user', ['token', 'create', '--email', 'unknown@b.co'], 'No user unknown@b.co'],
    ['nothing to suspend', ['org', 'suspend'], 'ID is required'],
    ['an unknown shop to suspend', ['org', 'suspend', unknownId], `No organization ${unknownId}`],
    ['an unknown shop to show', ['org', 'show', unknownId], `No organization ${unknownId}`],
    ['members of an unknown shop', ['user', 'list', '--org', unknownId], `No organization ${unknownId}`],
    ['too long a list', ['org', 'list', '--limit', '1001'], '--limit must be a whole number from 1 to 1000'],
    ['a list after no id', ['user', 'list', '--after', 'x'], '--after is the id of the last one seen, not "x"'],
  ])('%s', async (_what, args, message) => {
    const work = dukkan(...args.map((arg) => (arg === 'ORG' ? organizationId : arg)));
    await expect(work).rejects.toThrow(UsageError);
    await expect(work).rejects.toThrow(message);
  });

  it.each(['0', '-1', '1.5', 'soon', '36501'])('a token for %s days', async (days) => {
    const { owner } = await testOrganization(service.sql);
    await expect(dukkan('token', 'create', '--email', owner.email, `--days=${days}`)).rejects.toThrow('--days must be');
  });

  it('a token for a shop the user is not in', async () => {
    const { owner } = await testOrganization(service.sql);
    const work = dukkan('token', 'create', '--email', owner.email, '--org', organizationId);
    await expect(work).rejects.toThrow(`${owner.email} does not belong to ${organizationId}`);
  });

  it('leave nothing behind: no user without the membership it was made for', async () => {
    const email = 'half@made.example';
    await service.sql`alter table memberships rename column role to away`;
    const work = dukkan('user', 'create', '--email', email, '--org', organizationId);
    await expect(work).rejects.toThrow('role');
    await service.sql`alter table memberships rename column away to role`;
    expect(await service.sql`select 1 from users where email = ${email}`).toEqual([]);
  });

  it('a user who exists, naming the invitation by which the account can join', async () => {
    const { owner } = await testOrganization(service.sql);
    const create = (...more: string[]) => dukkan('user', 'create', '--email', owner.email, ...more);
    await expect(create()).rejects.toThrow('exists already');
    const joining = create('--org', organizationId, '--role', 'viewer');
    await expect(joining).rejects.toThrow(UsageError);
    await expect(joining).rejects.toThrow(`user invite --email ${owner.email} --org ${organizationId} --role viewer`);
    const joined =
      await service.sql`select 1 from memberships where organization_id = ${organizationId} and user_id = ${owner.userId}`;
    expect(joined).toEqual([]);
  });
});

describe('org list and org show', () => {
  const ESCAPE = '\u001b[31m';
  let third: { organization_id: string };
  beforeAll(async () => {
    third = await answer('org', 'create', '--name-en', `Najd${ESCAPE}`, '--name-ar', 'نجد');
    await dukkan('org', 'suspend', third.organization_id);
    const now = new Date();
    await service.sql`insert into branches ${service.sql(
      ['RUH', 'JED'].map((iv_id) => ({
        organization_id: third.organization_id,
        id: newId(),
        iv_id,
        created: now,
        updated: now,
      })),
    )}`;
  });
  type Listed = { organizations: { id: string }[]; next: string | null };

  it('shows one with its counts', async () => {
    expect(await answer<unknown>('org', 'show', third.organization_id)).toMatchObject({
      id: third.organization_id,
      name_en: `Najd${ESCAPE}`,
      name_ar: 'نجد',
      plan: 'standard',
      suspended_at: expect.stringMatching(/^\d{4}-/),
      members: 0,
      branches: 2,
    });
    const { out } = await dukkan('org', 'show', third.organization_id);
    expect(out).toMatch(/^name_ar +نجد$/m);
    expect(out).toMatch(/^branches +2$/m);
    // A name cannot paint the operator's terminal.
    expect(out).toMatch(/^name_en +Najd\\u001b\[31m$/m);
  });

  it('lists all, page by page', async () => {
    const whole = await answer<Listed>('org', 'list');
    expect(whole.next).toBeNull();
    expect(whole.organizations).toContainEqual(
      expect.objectContaining({ id: organizationId, members: expect.any(Number), branches: 0, suspended_at: null }),
    );
    expect(whole.organizations).toContainEqual(expect.objectContaining({ id: third.organization_id, branches: 2 }));
    const paged: string[] = [];
    let after: string[] = [];
    for (;;) {
      const { organizations, next } = await answer<Listed>('org', 'list', '--limit', '2', ...after);
      expect(organizations.length).toBeLessThanOrEqual(2);
      paged.push(...organizations.map(({ id }) => id));
      if (next === null) break;
      after = ['--after', next];
    }
    expect(paged).toEqual(whole.organizations.map(({ id }) => id));
  });

  it('is a table for the eye, and says how to go on', async () => {
    const { out, shown } = await dukkan('org', 'list', '--limit', '1');
    expect(out.split('\n')[0]).toMatch(/^id +name_en +name_ar +plan +suspended +members +branches$/);
    expect(out.trimEnd().split('\n')).toHaveLength(2);
    expect(shown).toMatch(/^There are more: dukkan org list --after \S+\n$/);
  });
});

describe('user list', () => {
  it('lists accounts, and the members of one shop with what they may do', async () => {
    const { id, owner } = await testOrganization(service.sql);
    const branchId = newId();
    const now = new Date();
    await service.sql`
      insert into branches (organization_id, id, iv_id, created, updated) values (${id}, ${branchId}, 'RUH', ${now}, ${now})`;
    await dukkan(
      ...['user', 'create', '--email', 'till@list.example', '--org', id, '--role', 'viewer', '--branch', branchId],
      ...['--grant', 'create:Orders'],
    );
    const members = await answer<{ users: unknown[] }>('user', 'list', '--org', id);
    expect(members.users).toContainEqual(expect.objectContaining({ id: owner.userId, role: 'owner', branch_id: null }));
    expect(members.users).toContainEqual(
      expect.objectContaining({
        email: 'till@list.example',
        role: 'viewer',
        branch_iv_id: 'RUH',
        grants_added: ['create:Orders'],
        grants_withheld: [],
      }),
    );
    const { out } = await dukkan('user', 'list', '--org', id);
    expect(out).toMatch(/till@list\.example +- +viewer +RUH +create:Orders +- +yes/);
    const users = await answer<{ users: { id: string }[]; next: string | null }>('user', 'list', '--limit', '1000');
    expect(users.users).toContainEqual(
      expect.objectContaining({
        id: owner.userId,
        email: owner.email,
        operator_type: 'Merchant',
        is_verified: true,
        organizations: 1,
      }),
    );
    expect(JSON.stringify([members, users])).not.toContain('password');
  });
});
