import {
  attachTenant,
  changeRate,
  createPartner,
  findIban,
  listRates,
  type RatedPartner,
  savePayee,
  totalsOf,
} from '../modules/commercial/partners/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { findDecimal } from '../platform/money.ts';
import { defineCommand, UsageError } from './command.ts';
import { commandLineActor } from './command-line-actor.ts';
import { existingOrganization } from './existing-organization.ts';
import { formatTable } from './format-text.ts';
import { LISTING_OPTIONS, moreOf, readListing, readPage } from './listing.ts';

const THE_PARTNER = { name: 'ID', meaning: 'the partner', required: true } as const;
const EXAMPLE_PARTNER = '0193a1f0-7c00-7000-8000-0000000009a1';
const MAX_NAME_CHARACTERS = 200;
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;

const createOne = defineCommand({
  name: 'partner create',
  summary: 'make a partner, who earns a share of what its tenants pay',
  options: {
    name: { value: 'NAME', meaning: 'what the partner is called', required: true },
    erp: { value: 'NAME', meaning: 'the system that it sells, such as Odoo', required: true },
    rate: { value: 'PERCENT', meaning: 'its share of every payment, such as 12.5', required: true },
  },
  example: 'partner create --name "Rawabi Systems" --erp Odoo --rate 12.5',
  async run(surroundings, { options }) {
    const input = {
      name: readName('name', options.name),
      erp: readName('erp', options.erp),
      ratePercent: readPercent('rate', options.rate),
    };
    const { sql, clock } = await surroundings.platform();
    const partner = await inTransaction(sql, (tx) => createPartner(tx, input, commandLineActor(), clock.now()));
    return {
      value: {
        partner_id: partner.id,
        name: partner.name,
        erp: partner.erp,
        rate_percent: Number(partner.rate_percent),
      },
    };
  },
});

const changeTheRate = defineCommand({
  name: 'partner rate',
  summary: "change a partner's share of payments to come",
  argument: THE_PARTNER,
  options: { percent: { value: 'PERCENT', meaning: 'from 0 to 100, such as 15', required: true } },
  example: `partner rate ${EXAMPLE_PARTNER} --percent 15`,
  details: 'What was earned at the rate of before stays as it is.',
  async run(surroundings, { argument, options }) {
    const percent = readPercent('percent', options.percent);
    const { sql, clock } = await surroundings.platform();
    const partner = await inTransaction(sql, (tx) =>
      changeRate(tx, argument, percent, commandLineActor(), clock.now()),
    );
    return { value: { partner_id: partner.id, rate_percent: Number(partner.rate_percent) } };
  },
});

const addTenant = defineCommand({
  name: 'partner tenant',
  summary: 'make an organization the tenant of a partner',
  argument: THE_PARTNER,
  options: { organization: { value: 'ID', meaning: 'the organization', required: true } },
  example: `partner tenant ${EXAMPLE_PARTNER} --organization 0193a1f0-7c00-7000-8000-000000000001`,
  details: 'An organization has one partner at most. One that had another keeps what it has earned that one.',
  async run(surroundings, { argument, options }) {
    const platform = await surroundings.platform();
    const organizationId = await existingOrganization(platform, options.organization);
    const { formerPartnerId } = await inTransaction(platform.sql, (tx) =>
      attachTenant(tx, argument, organizationId, commandLineActor(), platform.clock.now()),
    );
    return {
      value: { partner_id: argument, organization_id: organizationId, former_partner_id: formerPartnerId ?? null },
    };
  },
});

const addPayee = defineCommand({
  name: 'partner payee',
  summary: 'say where a partner has its money sent to',
  argument: THE_PARTNER,
  options: {
    name: { value: 'NAME', meaning: 'whose account it is', required: true },
    email: { value: 'EMAIL', meaning: 'by which the payee is known', required: true },
    iban: { value: 'IBAN', meaning: 'the account', required: true },
  },
  example: `partner payee ${EXAMPLE_PARTNER} --name "Fahad Al-Otaibi" --email fahad@rawabi.example --iban SA0380000000608010167519`,
  details:
    'One of the same email address gets the new name and account. The account is kept encrypted and shown masked.',
  async run(surroundings, { argument, options }) {
    const { email, iban } = options;
    const name = readName('name', options.name);
    if (email.length > 320 || !EMAIL.test(email)) throw new UsageError(`--email: "${email}" is not an email address`);
    // Without the value: what was mistyped is still most of somebody's account.
    if (findIban(iban) === undefined) throw new UsageError('--iban is no valid IBAN');
    const { sql, clock, box } = await surroundings.platform();
    const input = { partnerId: argument, name, email, iban };
    const payee = await inTransaction(sql, (tx) => savePayee(tx, box, input, commandLineActor(), clock.now()));
    return { value: payee };
  },
});

const listPartners = defineCommand({
  name: 'partner list',
  summary: 'the partners, the oldest first, and what is due to them',
  options: LISTING_OPTIONS,
  example: 'partner list --limit 20',
  async run(surroundings, { options }) {
    const listing = readListing(options);
    const { sql } = await surroundings.platform();
    const { rows, next } = await readPage(listing, (page) => listRates(sql, page));
    const partners = rows.map(outlineOf);
    const names = ['id', 'name', 'erp', 'rate_percent', 'tenants', 'commission_sar', 'paid_sar', 'due_sar'] as const;
    return { value: { partners, next }, text: formatTable(names, partners), ...moreOf(next, 'partner list') };
  },
});

function outlineOf(partner: RatedPartner) {
  const { commissionSar, paidSar, dueSar } = totalsOf(partner);
  return {
    id: partner.id,
    name: partner.name,
    erp: partner.erp,
    rate_percent: Number(partner.rate_percent),
    tenants: partner.tenants.length,
    commission_sar: Number(commissionSar),
    paid_sar: Number(paidSar),
    due_sar: Number(dueSar),
  };
}

function readName(option: string, text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME_CHARACTERS) {
    throw new UsageError(`--${option} must have 1 to ${MAX_NAME_CHARACTERS} characters`);
  }
  return name;
}

function readPercent(option: string, text: string): string {
  const percent = findDecimal(text);
  if (percent === undefined || percent.scale > 2 || Number(text) < 0 || Number(text) > 100) {
    throw new UsageError(`--${option} must be a number from 0 to 100 with at most two decimal places`);
  }
  return text;
}

export const PARTNER_COMMANDS = [createOne, changeTheRate, addTenant, addPayee, listPartners];
