import type { Queryable } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { hashPassword } from './passwords/passwords.ts';
import type { Role } from './permissions.ts';
import type { OperatorType } from './principal.ts';
import { findUserByEmail } from './sql/accounts.ts';

/** What the command line and the demo use to set up tenants and people. An account made by the operator counts as verified. */

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
  const row = {
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
  };
  await sql`insert into organizations ${sql(row)}`;
  return id;
}

export async function createUser(
  sql: Queryable,
  user: { email: string; name?: string; password: string; operatorType: OperatorType; now: Date },
): Promise<string> {
  const id = newId();
  await sql`
    insert into users (id, email, name, password_hash, operator_type, verified_at, created, updated)
    values (${id}, ${user.email}, ${user.name ?? ''}, ${await hashPassword(user.password)}, ${user.operatorType},
            ${user.now}, ${user.now}, ${user.now})`;
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
  await sql`
    insert into memberships (organization_id, id, user_id, role, branch_id, grants_added, grants_withheld, created)
    values (${membership.organizationId}, ${newId()}, ${membership.userId}, ${membership.role},
            ${membership.branchId ?? null}, ${membership.grantsAdded ?? []}, ${membership.grantsWithheld ?? []},
            ${membership.now})`;
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
  const isEnded = suspendedAt === null;
  const rows = await sql`
    update organizations
    set suspended_at = ${suspendedAt}, suspended_by = ${isEnded ? '' : cause.by},
        suspension_reason = ${isEnded ? '' : cause.reason}
    where id = ${organizationId} returning 1`;
  return rows.length > 0;
}

export type KnownUser = { id: string; operatorType: OperatorType; firstOrganizationId: string | null };

export async function findUser(sql: Queryable, email: string): Promise<KnownUser | undefined> {
  const user = await findUserByEmail(sql, email);
  return user && { id: user.id, operatorType: user.operator_type, firstOrganizationId: user.first_organization_id };
}

export async function isMember(sql: Queryable, organizationId: string, userId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from memberships where organization_id = ${organizationId} and user_id = ${userId}`;
  return rows.length > 0;
}

export async function organizationExists(sql: Queryable, organizationId: string): Promise<boolean> {
  const rows = await sql`select 1 from organizations where id = ${organizationId}`;
  return rows.length > 0;
}
