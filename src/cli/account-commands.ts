import { randomBytes } from 'node:crypto';
import {
  addMember,
  createOrganization,
  createUser,
  findUser,
  isGrant,
  isMember,
  issueApiKey,
  issueSessionToken,
  MIN_PASSWORD_CHARACTERS,
  organizationExists,
  ROLES,
  setSuspended,
} from '../modules/identity/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { isId } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { isTimeZone } from '../platform/time-zone.ts';
import { type Options, required, UsageError } from './arguments.ts';

const MAX_TOKEN_DAYS = 36_500;

export async function createOrg({ sql, clock }: Platform, options: Options): Promise<unknown> {
  const nameEn = required(options['name-en'], 'name-en');
  const timeZone = options['time-zone'];
  if (timeZone !== undefined && !isTimeZone(timeZone)) throw new UsageError(`--time-zone: no zone "${timeZone}"`);
  const id = await createOrganization(sql, {
    nameEn,
    nameAr: options['name-ar'] ?? nameEn,
    timeZone,
    now: clock.now(),
  });
  return { organization_id: id };
}

export async function suspend(platform: Platform, id: string | undefined, suspended: boolean): Promise<unknown> {
  const organizationId = await existingOrganization(platform, id);
  await setSuspended(platform.sql, organizationId, suspended ? platform.clock.now() : null);
  return { organization_id: organizationId, suspended };
}

export async function createAccount(platform: Platform, options: Options): Promise<unknown> {
  const { sql, clock } = platform;
  const { email, role } = readAccount(options);
  const organizationId = options.org === undefined ? undefined : await existingOrganization(platform, options.org);

  const now = clock.now();
  const password = options.password ?? randomBytes(12).toString('base64url');
  return inTransaction(sql, async (tx) => {
    const known = await findUser(tx, email);
    if (known !== undefined && organizationId === undefined) throw new UsageError(`${email} exists already`);
    if (known?.operatorType === 'Commercial') throw new UsageError(`${email} is Commercial and joins no organization`);
    const operatorType = options.commercial ? 'Commercial' : 'Merchant';
    const userId = known?.id ?? (await createUser(tx, { email, password, operatorType, now }));
    if (organizationId !== undefined) {
      if (await isMember(tx, organizationId, userId))
        throw new UsageError(`${email} belongs to ${organizationId} already`);
      await addMember(tx, {
        organizationId,
        userId,
        role,
        branchId: options.branch,
        grantsAdded: options.grant,
        grantsWithheld: options.withhold,
        now,
      });
    }
    return { user_id: userId, email, ...(known === undefined ? { password } : {}) };
  });
}

function readAccount(options: Options) {
  const email = required(options.email, 'email');
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
  const wrongGrant = [...(options.grant ?? []), ...(options.withhold ?? [])].find((grant) => !isGrant(grant));
  if (wrongGrant !== undefined) throw new UsageError(`"${wrongGrant}" is not a grant such as read:Analytics`);
  return { email, role };
}

export async function createToken(platform: Platform, options: Options): Promise<unknown> {
  const { sql, clock } = platform;
  const user = await findUser(sql, required(options.email, 'email'));
  if (user === undefined) throw new UsageError(`No user ${options.email}`);
  const organizationId =
    options.org === undefined ? user.firstOrganizationId : await existingOrganization(platform, options.org);
  if (options.org !== undefined && !(await isMember(sql, options.org, user.id))) {
    throw new UsageError(`${options.email} does not belong to ${options.org}`);
  }
  const { token, row } = await issueSessionToken(sql, {
    userId: user.id,
    organizationId,
    name: options.name ?? 'command line',
    expiresInDays: readDays(options.days),
    now: clock.now(),
  });
  return { id: row.id, token };
}

function readDays(raw: string | undefined): number | null {
  if (raw === undefined) return null;
  if (!/^\d+$/.test(raw) || Number(raw) < 1 || Number(raw) > MAX_TOKEN_DAYS) {
    throw new UsageError(`--days must be a whole number from 1 to ${MAX_TOKEN_DAYS}`);
  }
  return Number(raw);
}

export async function createKey(platform: Platform, options: Options): Promise<unknown> {
  const organizationId = await existingOrganization(platform, required(options.org, 'org'));
  const { row, apiKey } = await issueApiKey(platform.sql, {
    organizationId,
    name: options.name ?? 'command line',
    createdBy: null,
    now: platform.clock.now(),
  });
  return { id: row.id, api_key: apiKey };
}

export async function existingOrganization(platform: Platform, id: string | undefined): Promise<string> {
  if (id === undefined || !isId(id) || !(await organizationExists(platform.sql, id))) {
    throw new UsageError(`No organization ${id ?? '(none given)'}`);
  }
  return id;
}
