import {
  changeMember,
  createPasswordReset,
  findUser,
  INVITATION_DAYS,
  inviteMember,
  inviteUrl,
  isGrant,
  listMembers,
  memberShape,
  PASSWORD_RESET_HOURS,
  passwordResetUrl,
  ROLES,
  removeMember,
  resetTotp,
} from '../modules/identity/index.ts';
import { inTransaction, type Sql } from '../platform/database/index.ts';
import type { Settings } from '../settings.ts';
import { defineCommand, UsageError } from './command.ts';
import { commandLineActor } from './command-line-actor.ts';
import { existingOrganization } from './existing-organization.ts';

const EMAIL = { value: 'EMAIL', meaning: 'whom', required: true } as const;
const ORG = { value: 'ID', meaning: 'the organization', required: true } as const;
const ROLE = { value: 'ROLE', meaning: ROLES.join(', '), required: true } as const;

/** The operator at the command line has the rights of an owner. */
const operator = () => ({ actor: commandLineActor() });

const inviteUser = defineCommand({
  name: 'user invite',
  summary: 'make a link by which someone joins an organization',
  options: {
    email: EMAIL,
    org: ORG,
    role: ROLE,
    branch: { value: 'IV_ID', meaning: 'confined to this branch' },
    grant: { value: 'GRANT', meaning: 'besides the role, such as read:Analytics', repeated: true },
    withhold: { value: 'GRANT', meaning: 'taken from the role, such as read:Analytics', repeated: true },
  },
  example:
    'user invite --email sara@najd.example --org 0193a1f0-7c00-7000-8000-000000000001 --role member --branch RUH-01',
  details: `The link is shown once and works for ${INVITATION_DAYS} days. No e-mail is sent: hand it over to the person whose address it is. It leads to PUBLIC_URL.
resets_account: the address has an account that was made by the link of a merchant and never verified. Accepting sets a new password, ends its logins, tokens and second factor, and turns its memberships in affected_organizations into pending invitations. To keep those, hand over a link of user reset-password first.`,
  async run(context, { options }) {
    const role = readRole(options.role);
    const wrong = [...options.grant, ...options.withhold].find((grant) => !isGrant(grant));
    if (wrong !== undefined) throw new UsageError(`"${wrong}" is not a grant such as read:Analytics`);
    const platform = await context.platform();
    const organizationId = await existingOrganization(platform, options.org);
    const member = {
      email: readEmail(options.email),
      role,
      branchIvId: options.branch ?? null,
      grantsAdded: options.grant,
      grantsWithheld: options.withhold,
    };
    const { row, token, reset } = await inTransaction(platform.sql, (tx) =>
      inviteMember(tx, organizationId, operator(), member, platform.clock.now()),
    );
    return {
      value: {
        ...memberShape(row),
        invite_url: inviteUrl(linkBase(context.settings()), token),
        resets_account: reset.resetsAccount,
        affected_organizations: reset.affectedOrganizations,
      },
    };
  },
});

const resetUserPassword = defineCommand({
  name: 'user reset-password',
  summary: 'make a link by which someone chooses a new password',
  options: { email: EMAIL },
  example: 'user reset-password --email sara@najd.example',
  details: `The link is shown once and works for ${PASSWORD_RESET_HOURS} hours; earlier ones end. The old password works until it is used.`,
  async run(context, { options }) {
    const { sql, clock } = await context.platform();
    const user = await findUser(sql, options.email);
    if (user === undefined) throw new UsageError(`No user ${options.email}`);
    const { token, expiresAt } = await inTransaction(sql, (tx) =>
      createPasswordReset(tx, commandLineActor(), { userId: user.id, organizationId: null }, clock.now()),
    );
    const url = passwordResetUrl(linkBase(context.settings()), token);
    return { value: { user_id: user.id, email: options.email, reset_url: url, expires_at: expiresAt.toISOString() } };
  },
});

const resetUserTotp = defineCommand({
  name: 'user reset-totp',
  summary: 'remove the second factor of an account',
  options: { email: EMAIL },
  example: 'user reset-totp --email sara@najd.example',
  details:
    'Every login and session token of the account ends; its password stays and is enough from then on. Make sure that it is the person who asks.',
  async run(context, { options }) {
    const { sql, clock } = await context.platform();
    const user = await findUser(sql, options.email);
    if (user === undefined) throw new UsageError(`No user ${options.email}`);
    await inTransaction(sql, (tx) => resetTotp(tx, commandLineActor(), user.id, clock.now()));
    return { value: { user_id: user.id, email: options.email, has_second_factor: false } };
  },
});

const changeUserRole = defineCommand({
  name: 'user role',
  summary: "change a member's role in an organization",
  options: { email: EMAIL, org: ORG, role: ROLE },
  example: 'user role --email sara@najd.example --org 0193a1f0-7c00-7000-8000-000000000001 --role owner',
  async run(context, { options }) {
    const role = readRole(options.role);
    const platform = await context.platform();
    const organizationId = await existingOrganization(platform, options.org);
    const now = platform.clock.now();
    const memberId = await getMemberId(platform.sql, organizationId, options.email, now);
    const row = await inTransaction(platform.sql, (tx) =>
      changeMember(tx, organizationId, operator(), memberId, { role }, now),
    );
    return { value: memberShape(row) };
  },
});

const removeUser = defineCommand({
  name: 'user remove',
  summary: 'take a member, or an invitation, out of an organization',
  options: { email: EMAIL, org: ORG },
  example: 'user remove --email sara@najd.example --org 0193a1f0-7c00-7000-8000-000000000001',
  details: 'The account itself stays, and so do its other organizations.',
  async run(context, { options }) {
    const platform = await context.platform();
    const organizationId = await existingOrganization(platform, options.org);
    const now = platform.clock.now();
    const memberId = await getMemberId(platform.sql, organizationId, options.email, now);
    const row = await inTransaction(platform.sql, (tx) => removeMember(tx, organizationId, operator(), memberId, now));
    return { value: { removed: row.id, email: row.email, organization_id: organizationId } };
  },
});

function readRole(text: string) {
  const role = ROLES.find((name) => name === text);
  if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`);
  return role;
}

function readEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new UsageError(`--email: "${text}" is not an email address`);
  return text;
}

async function getMemberId(sql: Sql, organizationId: string, email: string, now: Date): Promise<string> {
  const { rows } = await listMembers(sql, organizationId, { search: email, limit: 100 }, now);
  const member = rows.find((row) => row.email.toLowerCase() === email.toLowerCase());
  if (member === undefined) throw new UsageError(`${email} does not belong to ${organizationId}`);
  return member.id;
}

/** A command has no request to take the address from: PUBLIC_URL, or where this machine serves. */
function linkBase({ identity, platform }: Settings): string {
  const host = platform.host === '0.0.0.0' || platform.host === '::' ? '127.0.0.1' : platform.host;
  return identity.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${platform.port}`;
}

export const TEAM_COMMANDS = [inviteUser, resetUserPassword, resetUserTotp, changeUserRole, removeUser];
