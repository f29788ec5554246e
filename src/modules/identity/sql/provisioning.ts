import type { Queryable } from '../../../platform/database/index.ts';
import type { Role } from '../permissions.ts';
import type { OperatorType } from '../principal.ts';

/** What the command line and the demo write to set up tenants and accounts. */

export type NewOrganizationRow = {
  id: string;
  name_en: string;
  name_ar: string;
  plan: string;
  time_zone: string;
  period_end: Date | null;
  vat_number?: string;
  address?: string;
  created: Date;
  updated: Date;
};

export async function insertOrganization(sql: Queryable, row: NewOrganizationRow): Promise<void> {
  await sql`insert into organizations ${sql(row)}`;
}

export type NewUserRow = { id: string; email: string; name: string; passwordHash: string; operatorType: OperatorType };

/** Verified: the operator creates it. */
export async function insertVerifiedUser(sql: Queryable, user: NewUserRow, now: Date): Promise<void> {
  await sql`
    insert into users (id, email, name, password_hash, operator_type, verified_at, created, updated)
    values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.operatorType}, ${now}, ${now}, ${now})`;
}

export type NewMembership = {
  id: string;
  organizationId: string;
  userId: string;
  role: Role;
  branchId: string | null;
  grantsAdded: string[];
  grantsWithheld: string[];
};

export async function insertMembership(sql: Queryable, membership: NewMembership, now: Date): Promise<void> {
  const { id, organizationId, userId, role, branchId, grantsAdded, grantsWithheld } = membership;
  await sql`
    insert into memberships (organization_id, id, user_id, role, branch_id, grants_added, grants_withheld, created)
    values (${organizationId}, ${id}, ${userId}, ${role}, ${branchId}, ${grantsAdded}, ${grantsWithheld}, ${now})`;
}

/** True when the organization exists. */
export async function updateSuspension(
  sql: Queryable,
  organizationId: string,
  suspension: { at: Date | null; by: string; reason: string },
): Promise<boolean> {
  const rows = await sql`
    update organizations
    set suspended_at = ${suspension.at}, suspended_by = ${suspension.by}, suspension_reason = ${suspension.reason}
    where id = ${organizationId} returning 1`;
  return rows.length > 0;
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
