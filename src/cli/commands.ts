import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { FastifyBaseLogger } from 'fastify';
import { buildService } from '../app.ts';
import { loadDemo } from '../demo/index.ts';
import {
  addMember,
  createOrganization,
  createUser,
  findUserId,
  isGrant,
  issueApiKey,
  issueSessionToken,
  organizationExists,
  ROLES,
  setSuspended,
} from '../modules/identity/index.ts';
import type { Config } from '../platform/config.ts';
import { isId } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { openPlatform } from './open-platform.ts';

export class UsageError extends Error {}

const OPTIONS = {
  'name-en': { type: 'string' },
  'name-ar': { type: 'string' },
  'time-zone': { type: 'string' },
  name: { type: 'string' },
  email: { type: 'string' },
  password: { type: 'string' },
  org: { type: 'string' },
  role: { type: 'string' },
  branch: { type: 'string' },
  days: { type: 'string' },
  grant: { type: 'string', multiple: true },
  withhold: { type: 'string', multiple: true },
  commercial: { type: 'boolean' },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>['values'];

/** Every command but `serve`: does one thing to the database, prints the outcome as JSON, and ends. */
export async function runCommand(args: string[], config: Config, log: FastifyBaseLogger): Promise<number> {
  const { words, options } = readArguments(args);
  const command = findCommand(words);
  const opened = await openPlatform(config, log);
  try {
    const outcome = await command(opened.platform, options, words);
    if (outcome !== undefined) console.log(typeof outcome === 'string' ? outcome : JSON.stringify(outcome, null, 2));
    return 0;
  } finally {
    await opened.close();
  }
}

function readArguments(args: string[]): { words: string[]; options: Options } {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    return { words: positionals, options: values };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

type Command = (platform: Platform, options: Options, words: string[]) => Promise<unknown>;

const COMMANDS: Record<string, Command> = {
  // Opening the platform has migrated already.
  migrate: async () => 'The database is up to date.',
  seed: async (platform) =>
    (await loadDemo(platform, { onlyWhenEmpty: false })) ? 'The demo is loaded.' : 'The demo was loaded before.',
  'org create': createOrg,
  'org suspend': async (platform, _options, words) => suspend(platform, words[2], true),
  'org resume': async (platform, _options, words) => suspend(platform, words[2], false),
  'user create': createAccount,
  'token create': createToken,
  'api-key create': createKey,
  openapi: async (platform) => {
    const { app } = await buildService(platform);
    await app.ready();
    return app.swagger();
  },
};

function findCommand(words: string[]): Command {
  const command = COMMANDS[words.slice(0, 2).join(' ')] ?? COMMANDS[words[0] ?? ''];
  if (command === undefined) throw new UsageError(`Unknown command: ${words.join(' ')}`);
  return command;
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new UsageError(`--${name} is required`);
  return value;
}

async function existingOrganization(platform: Platform, id: string | undefined): Promise<string> {
  if (id === undefined || !isId(id) || !(await organizationExists(platform.sql, id))) {
    throw new UsageError(`No organization ${id ?? '(none given)'}`);
  }
  return id;
}

async function createOrg({ sql, clock }: Platform, options: Options): Promise<unknown> {
  const nameEn = required(options['name-en'], 'name-en');
  const id = await createOrganization(sql, {
    nameEn,
    nameAr: options['name-ar'] ?? nameEn,
    timeZone: options['time-zone'],
    now: clock.now(),
  });
  return { organization_id: id };
}

async function suspend(platform: Platform, id: string | undefined, suspended: boolean): Promise<unknown> {
  const organizationId = await existingOrganization(platform, id);
  await setSuspended(platform.sql, organizationId, suspended ? platform.clock.now() : null);
  return { organization_id: organizationId, suspended };
}

async function createAccount(platform: Platform, options: Options): Promise<unknown> {
  const { sql, clock } = platform;
  const email = required(options.email, 'email');
  const role = ROLES.find((name) => name === (options.role ?? 'member'));
  if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`);
  const wrongGrant = [...(options.grant ?? []), ...(options.withhold ?? [])].find((grant) => !isGrant(grant));
  if (wrongGrant !== undefined) throw new UsageError(`"${wrongGrant}" is not a grant such as read:Analytics`);
  const organizationId = options.org === undefined ? undefined : await existingOrganization(platform, options.org);

  const now = clock.now();
  const password = options.password ?? randomBytes(12).toString('base64url');
  const known = await findUserId(sql, email);
  const userId =
    known ??
    (await createUser(sql, { email, password, operatorType: options.commercial ? 'Commercial' : 'Merchant', now }));
  if (organizationId !== undefined) {
    await addMember(sql, {
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
}

async function createToken(platform: Platform, options: Options): Promise<unknown> {
  const userId = await findUserId(platform.sql, required(options.email, 'email'));
  if (userId === undefined) throw new UsageError(`No user ${options.email}`);
  const organizationId = options.org === undefined ? null : await existingOrganization(platform, options.org);
  const [first] = await platform.sql<{ organization_id: string }[]>`
    select organization_id from memberships where user_id = ${userId} order by created, organization_id limit 1`;
  const { token, row } = await issueSessionToken(platform.sql, {
    userId,
    organizationId: organizationId ?? first?.organization_id ?? null,
    name: options.name ?? 'command line',
    expiresInDays: options.days === undefined ? null : Number(options.days),
    now: platform.clock.now(),
  });
  return { id: row.id, token };
}

async function createKey(platform: Platform, options: Options): Promise<unknown> {
  const organizationId = await existingOrganization(platform, options.org);
  const { row, apiKey } = await issueApiKey(platform.sql, {
    organizationId,
    name: options.name ?? 'command line',
    createdBy: null,
    now: platform.clock.now(),
  });
  return { id: row.id, api_key: apiKey };
}
