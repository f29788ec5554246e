import type { Tx } from '../../../platform/database/index.ts';
import { Problem, unprocessable } from '../../../platform/http/problem.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { type AccountReset, createOrganization, type FleetOrganization, inviteMember } from '../../identity/index.ts';
import { readPlans } from '../billing/index.ts';
import { getFleetOrganization } from './fleet-organization.ts';

export type NewOrganization = { nameEn: string; nameAr: string; ownerEmail: string; plan: string };

/** It starts without members: the owner joins by the link, under the same rules as other members. */
export async function openOrganization(
  tx: Tx,
  actor: Actor,
  organization: NewOrganization,
  now: Date,
): Promise<{ row: FleetOrganization; token: string; reset: AccountReset }> {
  const { nameEn, nameAr, ownerEmail, plan } = organization;
  requireNames(nameEn, nameAr);
  const plans = (await readPlans(tx)).map((priced) => priced.plan);
  if (!plans.includes(plan)) throw unprocessable({ plan: `must be one of ${plans.join(', ')}` });

  const id = await createOrganization(tx, { nameEn, nameAr, plan, now });
  const { token, reset } = await inviteOwner(tx, id, actor, ownerEmail, now);
  const entry = { action: 'create', resource: 'Settings', resourceId: id };
  await recordAudit(tx, id, actor, [entry], now);
  return { row: await getFleetOrganization(tx, id), token, reset };
}

function requireNames(nameEn: string, nameAr: string): void {
  const wrong: Record<string, string> = {};
  if (nameEn.trim() === '') wrong.name_en = 'must not be empty';
  if (nameAr.trim() === '') wrong.name_ar = 'must not be empty';
  if (Object.keys(wrong).length > 0) throw unprocessable(wrong);
}

async function inviteOwner(tx: Tx, organizationId: string, actor: Actor, email: string, now: Date) {
  const owner = { email, role: 'owner' as const, branchIvId: null, grantsAdded: [], grantsWithheld: [] };
  try {
    return await inviteMember(tx, organizationId, { actor }, owner, now);
  } catch (error) {
    // In a team without members only the address can be invalid; in this body the field is named owner_email.
    if (error instanceof Problem && error.status === 422 && typeof error.details === 'object') {
      throw unprocessable({ owner_email: error.details.email });
    }
    throw error;
  }
}
