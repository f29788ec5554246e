import { recordAudit } from '../modules/audit/index.ts';
import { countBranchesOf } from '../modules/branches/index.ts';
import {
  createOrganization,
  findOrganizationOutline,
  listOrganizationOutlines,
  setSuspended,
} from '../modules/identity/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { isId } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { isTimeZone } from '../platform/time-zone.ts';
import { type Answer, defineCommand, UsageError } from './command.ts';
import { commandLineActor } from './command-line-actor.ts';
import { existingOrganization } from './existing-organization.ts';
import { formatTable } from './format-text.ts';
import { LISTING_OPTIONS, moreOf, readListing, readPage } from './listing.ts';

const THE_ORGANIZATION = { name: 'ID', meaning: 'the organization', required: true } as const;

const createOrg = defineCommand({
  name: 'org create',
  summary: 'make an organization',
  options: {
    'name-en': { value: 'NAME', meaning: 'its English name', required: true },
    'name-ar': { value: 'NAME', meaning: 'its Arabic name; the English one unless given' },
    'time-zone': { value: 'ZONE', meaning: 'where its days begin, such as Asia/Dubai; Asia/Riyadh unless given' },
  },
  example: 'org create --name-en "Najd Pharmacies" --name-ar "صيدليات نجد" --time-zone Asia/Riyadh',
  async run(context, { options }) {
    const nameEn = options['name-en'];
    const timeZone = options['time-zone'];
    if (timeZone !== undefined && !isTimeZone(timeZone)) throw new UsageError(`--time-zone: no zone "${timeZone}"`);
    const { sql, clock } = await context.platform();
    const nameAr = options['name-ar'] ?? nameEn;
    const now = clock.now();
    return inTransaction(sql, async (tx) => {
      const id = await createOrganization(tx, { nameEn, nameAr, timeZone, now });
      const entry = { action: 'create', resource: 'Settings', resourceId: id };
      await recordAudit(tx, id, commandLineActor(), [entry], now);
      return { value: { organization_id: id } };
    });
  },
});

const listOrgs = defineCommand({
  name: 'org list',
  summary: 'the organizations, the oldest first',
  options: LISTING_OPTIONS,
  example: 'org list --limit 20',
  async run(context, { options }) {
    const listing = readListing(options);
    const { sql } = await context.platform();
    const { rows, next } = await readPage(listing, (page) => listOrganizationOutlines(sql, page));
    const ids = rows.map((row) => row.id);
    const branches = await countBranchesOf(sql, ids);
    const organizations = rows.map((row) => ({ ...row, branches: branches.get(row.id) ?? 0 }));
    const lines = organizations.map((row) => ({ ...row, suspended: row.suspended_at !== null }));
    return {
      value: { organizations, next },
      text: formatTable(['id', 'name_en', 'name_ar', 'plan', 'suspended', 'members', 'branches'], lines),
      ...moreOf(next, 'org list'),
    };
  },
});

const showOrg = defineCommand({
  name: 'org show',
  summary: 'one organization: names, plan, suspension, how many members and branches',
  argument: THE_ORGANIZATION,
  example: 'org show 0193a1f0-7c00-7000-8000-000000000001',
  async run(context, { argument }) {
    const { sql } = await context.platform();
    const found = isId(argument) ? await findOrganizationOutline(sql, argument) : undefined;
    if (found === undefined) throw new UsageError(`No organization ${argument}`);
    const branches = await countBranchesOf(sql, [found.id]);
    return { value: { ...found, branches: branches.get(found.id) ?? 0 } };
  },
});

const suspendOrg = defineCommand({
  name: 'org suspend',
  summary: 'answer 402 to all that an organization asks',
  argument: THE_ORGANIZATION,
  example: 'org suspend 0193a1f0-7c00-7000-8000-000000000001',
  run: async (context, { argument }) => suspend(await context.platform(), argument, true),
});

const resumeOrg = defineCommand({
  name: 'org resume',
  summary: 'end the suspension of an organization',
  argument: THE_ORGANIZATION,
  example: 'org resume 0193a1f0-7c00-7000-8000-000000000001',
  run: async (context, { argument }) => suspend(await context.platform(), argument, false),
});

async function suspend(platform: Platform, id: string, suspended: boolean): Promise<Answer> {
  const organizationId = await existingOrganization(platform, id);
  const now = platform.clock.now();
  await inTransaction(platform.sql, async (tx) => {
    await setSuspended(tx, organizationId, suspended ? now : null);
    const entry = { action: suspended ? 'suspend' : 'resume', resource: 'Settings', resourceId: organizationId };
    await recordAudit(tx, organizationId, commandLineActor(), [entry], now);
  });
  return { value: { organization_id: organizationId, suspended } };
}

export const ORG_COMMANDS = [createOrg, listOrgs, showOrg, suspendOrg, resumeOrg];
