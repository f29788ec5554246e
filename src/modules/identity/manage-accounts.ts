import type { Queryable } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { hashPassword } from './passwords/passwords.ts';
import type { Role } from './permissions.ts';
import type { OperatorType } from './principal.ts';
import { findUserByEmail } from './sql/accounts.ts';
import { insertMembership, insertOrganization, insertVerifiedUser, updateSuspension } from './sql/provisioning.ts';

export { isMember, organizationExists } from './sql/provisioning.ts';

/** What the command line and the demo use to set up tenants and accounts. An account created by the operator is verified. */

export async function createOrganization(
  sql: Queryable,
  organization: {
    nameEn: string;
    nameAr: string;
    plan?: string;
    timeZone?: string;
    vatNumber?: string;
    address?: string;
    periodEnd?: Date;
    now: Date;
  },
): Promise<string> {
  const id = newId();
  const {
    nameEn,
    nameAr,
    plan = 'standard',
    timeZone = 'Asia/Riyadh',
    vatNumber,
    address,
    periodEnd,
    now,
  } = organization;
  await insertOrganization(sql, {
    id,
    name_en: nameEn,
    name_ar: nameAr,
    plan,
    time_zone: timeZone,
    period_end: periodEnd ?? null,
    created: now,
    updated: now,
    ...(vatNumber === undefined ? {} : { vat_number: vatNumber }),
    ...(address === undefined ? {} : { address }),
  });
  return id;
}

export async function createUser(
  sql: Queryable,
  user: { email: string; name?: string; password: string; operatorType: OperatorType; now: Date },
): Promise<string> {
  const id = newId();
  const { email, name = '', operatorType, now } = user;
  const passwordHash = await hashPassword(user.password);
  await insertVerifiedUser(sql, { id, email, name, passwordHash, operatorType }, now);
  return id;
}

export async function addMember(
  sql: Queryable,
  membership: {
    organizationId: string;
    userId: string;
    role: Role;
    branchId?: string;
    grantsAdded?: string[];
    grantsWithheld?: string[];
    now: Date;
  },
): Promise<void> {
  const { branchId = null, grantsAdded = [], grantsWithheld = [], now, ...rest } = membership;
  await insertMembership(sql, { id: newId(), branchId, grantsAdded, grantsWithheld, ...rest }, now);
}

export type SuspensionCause = { by: 'billing' | 'operator'; reason: string };
const BY_HAND: SuspensionCause = { by: 'operator', reason: '' };

/** Begins a suspension, or ends one whatever its cause. True when the organization exists. */
export async function setSuspended(
  sql: Queryable,
  organizationId: string,
  suspendedAt: Date | null,
  cause: SuspensionCause = BY_HAND,
): Promise<boolean> {
  const { by, reason } = suspendedAt === null ? { by: '', reason: '' } : cause;
  return updateSuspension(sql, organizationId, { at: suspendedAt, by, reason });
}

export type KnownUser = { id: string; operatorType: OperatorType; firstOrganizationId: string | null };

export async function findUser(sql: Queryable, email: string): Promise<KnownUser | undefined> {
  const user = await findUserByEmail(sql, email);
  return user && { id: user.id, operatorType: user.operator_type, firstOrganizationId: user.first_organization_id };
}
