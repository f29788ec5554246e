import { recordAudit } from '../modules/audit/index.ts';
import { createApiKey, findUser, isMember, issueSessionToken } from '../modules/identity/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { isInstant } from '../platform/http/instant.ts';
import { defineCommand, UsageError } from './command.ts';
import { commandLineActor } from './command-line-actor.ts';
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
  async run(context, { options }) {
    const { email, org } = options;
    const days = options.days === undefined ? null : readWholeNumber(options.days, 'days', 1, MAX_TOKEN_DAYS);
    const platform = await context.platform();
    const { sql, clock } = platform;
    const user = await findUser(sql, email);
    if (user === undefined) throw new UsageError(`No user ${email}`);
    const organizationId = org === undefined ? user.firstOrganizationId : await existingOrganization(platform, org);
    if (org !== undefined && !(await isMember(sql, org, user.id))) {
      throw new UsageError(`${email} does not belong to ${org}`);
    }
    const now = clock.now();
    return inTransaction(sql, async (tx) => {
      const name = options.name ?? DEFAULT_NAME;
      const { token, row } = await issueSessionToken(tx, {
        userId: user.id,
        organizationId,
        name,
        expiresInDays: days,
        now,
      });
      if (organizationId !== null) {
        const entry = { action: 'create', resource: 'Settings', resourceId: row.id, changedFields: ['name'] };
        await recordAudit(tx, organizationId, commandLineActor(), [entry], now);
      }
      return { value: { id: row.id, token } };
    });
  },
});

const createKey = defineCommand({
  name: 'api-key create',
  summary: 'make an API key, which acts for its organization',
  options: {
    org: { value: 'ID', meaning: 'whose', required: true },
    name: NAME,
    grant: {
      value: 'GRANT',
      meaning: 'what it opens, such as read:Orders; GET /apps alone unless given',
      repeated: true,
    },
    branch: { value: 'IV_ID', meaning: 'confined to this branch' },
    expires: { value: 'TIME', meaning: 'when it ends, such as 2027-01-31T12:00:00Z; when it is revoked unless given' },
  },
  example: 'api-key create --org 0193a1f0-7c00-7000-8000-000000000001 --name bridge --grant read:Orders',
  details: 'The key is shown once.',
  async run(context, { options }) {
    const { expires } = options;
    if (expires !== undefined && !isInstant(expires)) {
      throw new UsageError(`--expires: "${expires}" is not a time such as 2027-01-31T12:00:00Z`);
    }
    const platform = await context.platform();
    const organizationId = await existingOrganization(platform, options.org);
    const asker = { organizationId, userId: null, actor: commandLineActor() };
    const asked = {
      name: options.name ?? DEFAULT_NAME,
      grants: options.grant,
      branch_iv_id: options.branch,
      expires_at: expires,
    };
    const { row, apiKey } = await inTransaction(platform.sql, (tx) =>
      createApiKey(tx, asker, asked, platform.clock.now()),
    );
    return { value: { id: row.id, api_key: apiKey } };
  },
});

export const TOKEN_COMMANDS = [createToken, createKey];
