import { findUser, isMember, issueApiKey, issueSessionToken } from '../modules/identity/index.ts';
import { defineCommand, UsageError } from './command.ts';
import { existingOrganization } from './existing-organization.ts';
import { readWholeNumber } from './read-number.ts';

const MAX_TOKEN_DAYS = 36_500;
const DEFAULT_NAME = 'command line';
const NAME = { value: 'NAME', meaning: `what it is called in lists; "${DEFAULT_NAME}" unless given` } as const;

const createToken = defineCommand({
  name: 'token create',
  summary: 'make a session token, which acts for its user',
  options: {
    email: { value: 'EMAIL', meaning: 'whose', required: true },
    org: { value: 'ID', meaning: "the organization it opens first; the user's first one unless given" },
    name: NAME,
    days: { value: 'N', meaning: `how long it lasts, 1 to ${MAX_TOKEN_DAYS}; until it is revoked unless given` },
  },
  example: 'token create --email owner@najd.example --name till --days 90',
  details: 'The token is shown once.',
  async run(surroundings, { options }) {
    const { email, org } = options;
    const days = options.days === undefined ? null : readWholeNumber(options.days, 'days', 1, MAX_TOKEN_DAYS);
    const platform = await surroundings.platform();
    const { sql, clock } = platform;
    const user = await findUser(sql, email);
    if (user === undefined) throw new UsageError(`No user ${email}`);
    const organizationId = org === undefined ? user.firstOrganizationId : await existingOrganization(platform, org);
    if (org !== undefined && !(await isMember(sql, org, user.id))) {
      throw new UsageError(`${email} does not belong to ${org}`);
    }
    const { token, row } = await issueSessionToken(sql, {
      userId: user.id,
      organizationId,
      name: options.name ?? DEFAULT_NAME,
      expiresInDays: days,
      now: clock.now(),
    });
    return { value: { id: row.id, token } };
  },
});

const createKey = defineCommand({
  name: 'api-key create',
  summary: 'make an API key, which acts for its organization',
  options: { org: { value: 'ID', meaning: 'whose', required: true }, name: NAME },
  example: 'api-key create --org 0193a1f0-7c00-7000-8000-000000000001 --name bridge',
  details: 'The key is shown once.',
  async run(surroundings, { options }) {
    const platform = await surroundings.platform();
    const { row, apiKey } = await issueApiKey(platform.sql, {
      organizationId: await existingOrganization(platform, options.org),
      name: options.name ?? DEFAULT_NAME,
      createdBy: null,
      now: platform.clock.now(),
    });
    return { value: { id: row.id, api_key: apiKey } };
  },
});

export const TOKEN_COMMANDS = [createToken, createKey];
