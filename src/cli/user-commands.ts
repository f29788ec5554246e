import { randomBytes } from 'node:crypto';
import { recordAudit } from '../modules/audit/index.ts';
import { findBranchLabels } from '../modules/branches/index.ts';
import {
  addMember,
  createUser,
  findUser,
  isGrant,
  isMember,
  type KnownUser,
  listMemberOutlines,
  listUserOutlines,
  MIN_PASSWORD_CHARACTERS,
  ROLES,
} from '../modules/identity/index.ts';
import { inTransaction, type Queryable, type Sql } from '../platform/database/index.ts';
import { isId } from '../platform/ids.ts';
import { type Answer, defineCommand, type ParsedArguments, UsageError } from './command.ts';
import { commandLineActor } from './command-line-actor.ts';
import { existingOrganization } from './existing-organization.ts';
import { formatTable } from './format-text.ts';
import { LISTING_OPTIONS, type Listing, moreOf, readListing, readPage } from './listing.ts';

const CREATE_OPTIONS = {
  email: { value: 'EMAIL', meaning: 'whom', required: true },
  password: {
    value: 'PASSWORD',
    meaning: `at least ${MIN_PASSWORD_CHARACTERS} characters; a random one is made unless given`,
  },
  org: {
    value: 'ID',
    meaning: 'the organization to join; an address that has an account is invited instead: user invite',
  },
  role: { value: 'ROLE', meaning: `${ROLES.join(', ')}; member unless given` },
  branch: { value: 'ID', meaning: 'confined to this branch' },
  grant: { value: 'GRANT', meaning: 'besides the role, such as read:Analytics', repeated: true },
  withhold: { value: 'GRANT', meaning: 'taken from the role, such as read:Analytics', repeated: true },
  commercial: { meaning: 'an operator of the service, who belongs to no organization' },
} as const;

const createAccount = defineCommand({
  name: 'user create',
  summary: 'make an account, and a member of an organization',
  options: CREATE_OPTIONS,
  example: 'user create --email owner@najd.example --org 0193a1f0-7c00-7000-8000-000000000001 --role owner',
  details: 'The password is shown once, when it was made here.',
  async run(context, { options }) {
    const { email, role } = readAccount(options);
    const platform = await context.platform();
    const organizationId = options.org === undefined ? undefined : await existingOrganization(platform, options.org);

    const now = platform.clock.now();
    const password = options.password ?? randomBytes(12).toString('base64url');
    return inTransaction(platform.sql, async (tx) => {
      const known = await findUser(tx, email);
      if (known !== undefined && organizationId === undefined) throw new UsageError(`${email} exists already`);
      if (known !== undefined && organizationId !== undefined)
        throw await refuseKnown(tx, known, organizationId, options);
      const operatorType = options.commercial ? 'Commercial' : 'Merchant';
      const userId = await createUser(tx, { email, password, operatorType, now });
      if (organizationId !== undefined) {
        await addMember(tx, {
          organizationId,
          userId,
          role,
          branchId: options.branch,
          grantsAdded: options.grant,
          grantsWithheld: options.withhold,
          now,
        });
        const entry = { action: 'create', resource: 'Settings', resourceId: userId };
        await recordAudit(tx, organizationId, commandLineActor(), [entry], now);
      }
      return { value: { user_id: userId, email, password } };
    });
  },
});

/** Who holds the account may not be who holds the address: an account joins by its own acceptance, never by being attached. */
async function refuseKnown(
  sql: Queryable,
  { id, operatorType }: KnownUser,
  organizationId: string,
  { email, role = 'member' }: { email: string; role?: string },
): Promise<UsageError> {
  if (operatorType === 'Commercial') return new UsageError(`${email} is Commercial and joins no organization`);
  if (await isMember(sql, organizationId, id)) return new UsageError(`${email} belongs to ${organizationId} already`);
  const line = `user invite --email ${email} --org ${organizationId} --role ${role}`;
  return new UsageError(`${email} has an account already, which joins by accepting an invitation: ${line}`);
}

function readAccount(options: ParsedArguments<typeof CREATE_OPTIONS, undefined>['options']) {
  const { email } = options;
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError(`--email: "${email}" is not an email address`);
  if (options.password !== undefined && options.password.length < MIN_PASSWORD_CHARACTERS) {
    throw new UsageError(`--password must have at least ${MIN_PASSWORD_CHARACTERS} characters`);
  }
  if (options.commercial && options.org !== undefined) {
    throw new UsageError('--commercial and --org exclude each other: an operator belongs to no organization');
  }
  if (options.branch !== undefined && (options.org === undefined || !isId(options.branch))) {
    throw new UsageError('--branch is the id of a branch of the organization named by --org');
  }
  const role = ROLES.find((name) => name === (options.role ?? 'member'));
  if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`);
  const wrongGrant = [...options.grant, ...options.withhold].find((grant) => !isGrant(grant));
  if (wrongGrant !== undefined) throw new UsageError(`"${wrongGrant}" is not a grant such as read:Analytics`);
  const { org, grant, withhold } = options;
  if (org === undefined && (options.role !== undefined || grant.length + withhold.length > 0)) {
    throw new UsageError('--role, --grant and --withhold are those of a member: name the organization by --org');
  }
  return { email, role };
}

const listUsers = defineCommand({
  name: 'user list',
  summary: 'the accounts, or the members of one organization, the oldest first',
  options: {
    org: { value: 'ID', meaning: 'members of this organization, with role, branch and grants' },
    ...LISTING_OPTIONS,
  },
  example: 'user list --org 0193a1f0-7c00-7000-8000-000000000001',
  async run(context, { options }) {
    const listing = readListing(options);
    const platform = await context.platform();
    if (options.org === undefined) return listAccounts(platform.sql, listing);
    return listMembersOf(platform.sql, await existingOrganization(platform, options.org), listing);
  },
});

async function listAccounts(sql: Sql, listing: Listing): Promise<Answer> {
  const { rows, next } = await readPage(listing, (page) => listUserOutlines(sql, page));
  return {
    value: { users: rows, next },
    text: formatTable(['id', 'email', 'name', 'operator_type', 'is_active', 'is_verified', 'organizations'], rows),
    ...moreOf(next, 'user list'),
  };
}

async function listMembersOf(sql: Sql, organizationId: string, listing: Listing): Promise<Answer> {
  const { rows, next } = await readPage(listing, (page) => listMemberOutlines(sql, organizationId, page));
  const confined = rows.flatMap(({ branch_id }) => (branch_id === null ? [] : [{ organizationId, name: branch_id }]));
  const ivIds = new Map((await findBranchLabels(sql, confined)).map((branch) => [branch.id, branch.iv_id]));
  const users = rows.map(({ branch_id, ...row }) => ({
    ...row,
    branch_id,
    branch_iv_id: branch_id === null ? null : (ivIds.get(branch_id) ?? null),
  }));
  // A branch that is gone leaves its account seeing nothing, which is not the same as seeing all.
  const lines = users.map((row) => ({ ...row, branch: row.branch_iv_id ?? (row.branch_id && '(gone)') }));
  const columns = ['id', 'email', 'name', 'role', 'branch', 'grants_added', 'grants_withheld', 'is_active'] as const;
  return {
    value: { organization_id: organizationId, users, next },
    text: formatTable(columns, lines),
    ...moreOf(next, `user list --org ${organizationId}`),
  };
}

export const USER_COMMANDS = [createAccount, listUsers];
