import { isConflictOn, type Tx } from '../../../platform/database/index.ts';
import { conflict, notFound } from '../../../platform/http/problem.ts';
import { sarText } from '../../../platform/http/sar-amount.ts';
import { isId, newId } from '../../../platform/ids.ts';
import { type Author, OPERATOR_SCOPE, recordAudit } from '../../audit/index.ts';
import {
  beginTenancy,
  countPartners,
  countTenants,
  endTenancy,
  findCurrentPartner,
  insertPartner,
  lockPartner,
  type PartnerRow,
  updateRate,
} from './sql/partners.ts';

/** Rates are listed without pages, with all tenants: these two limits bound that response. */
export const MAX_PARTNERS = 500;
export const MAX_TENANTS = 1_000;

export async function createPartner(
  tx: Tx,
  input: { name: string; erp: string; ratePercent: string },
  author: Author,
  now: Date,
): Promise<PartnerRow> {
  if ((await countPartners(tx)) >= MAX_PARTNERS) throw tooManyPartners();
  const { name, erp, ratePercent } = input;
  const partner = { id: newId(), name, erp, rate_percent: ratePercent, paid_sar: '0', created: now, updated: now };
  await insertPartner(tx, partner);
  await record(tx, author, 'create', partner.id, now);
  return partner;
}

/** For future payments; commission that was earned does not change. */
export async function changeRate(
  tx: Tx,
  id: string,
  ratePercent: string,
  author: Author,
  now: Date,
): Promise<PartnerRow> {
  const partner = await getLockedPartner(tx, id);
  if (sarText(Number(partner.rate_percent)) === sarText(Number(ratePercent))) return partner;
  await updateRate(tx, partner.id, ratePercent, now);
  await record(tx, author, 'update', partner.id, now, ['rate_percent']);
  return { ...partner, rate_percent: ratePercent, updated: now };
}

/** An organization has at most one partner: this replaces a former one, which keeps the commission it has earned. */
export async function attachTenant(
  tx: Tx,
  partnerId: string,
  organizationId: string,
  author: Author,
  now: Date,
): Promise<{ formerPartnerId: string | undefined }> {
  const partner = await getLockedPartner(tx, partnerId);
  const current = await findCurrentPartner(tx, organizationId);
  if (current === partner.id) return { formerPartnerId: undefined };
  if ((await countTenants(tx, partner.id)) >= MAX_TENANTS) {
    throw conflict('Too many tenants of this partner', { limit: MAX_TENANTS });
  }
  await endTenancy(tx, organizationId);
  await beginTenancy(tx, organizationId, partner.id, now).catch((error) => {
    if (!isConflictOn(error, 'partner_tenants_current')) throw error;
    throw conflict('The organization has just got another partner', { organization_id: organizationId });
  });
  await record(tx, author, 'update', partner.id, now, ['tenants']);
  return { formerPartnerId: current };
}

export async function getLockedPartner(tx: Tx, id: string): Promise<PartnerRow> {
  const partner = isId(id) ? await lockPartner(tx, id) : undefined;
  if (partner === undefined) throw partnerNotFound(id);
  return partner;
}

export const tooManyPartners = () => conflict('Too many partners', { limit: MAX_PARTNERS });

export function partnerNotFound(id: string) {
  return notFound('Partner not found', { partner_id: id });
}

function record(
  tx: Tx,
  author: Author,
  action: string,
  partnerId: string,
  now: Date,
  changedFields: string[] = [],
): Promise<void> {
  const entry = { action, resource: 'Settings', resourceId: partnerId, changedFields };
  return recordAudit(tx, OPERATOR_SCOPE, author, [entry], now);
}
