import type { Queryable } from '../../../platform/database/index.ts';
import type { Role } from '../permissions.ts';
import type { OperatorType } from '../principal.ts';

/** Pages for the operator's eyes, by id, which is by the time of making. */
export type OutlinePage = { limit: number; after?: string };

export type OrganizationOutline = {
  id: string;
  name_en: string;
  name_ar: string;
  plan: string;
  period_end: Date | null;
  time_zone: string;
  is_active: boolean;
  suspended_at: Date | null;
  members: number;
  created: Date;
};

const outlineColumns = (sql: Queryable) => sql`
  o.id, o.name_en, o.name_ar, o.plan, o.period_end, o.time_zone, o.is_active, o.suspended_at,
  (select count(*) from memberships m where m.organization_id = o.id) as members, o.created`;

export function listOrganizationOutlines(
  sql: Queryable,
  { limit, after }: OutlinePage,
): Promise<OrganizationOutline[]> {
  return sql<OrganizationOutline[]>`
    select ${outlineColumns(sql)} from organizations o
    where ${after === undefined ? sql`true` : sql`o.id > ${after}`}
    order by o.id limit ${limit}`;
}

export async function findOrganizationOutline(sql: Queryable, id: string): Promise<OrganizationOutline | undefined> {
  const [row] = await sql<OrganizationOutline[]>`select ${outlineColumns(sql)} from organizations o where o.id = ${id}`;
  return row;
}

export type UserOutline = {
  id: string;
  email: string;
  name: string;
  operator_type: OperatorType;
  is_active: boolean;
  /** False: made by the link of a merchant, and no link of the operator was accepted since. */
  is_verified: boolean;
  organizations: number;
  created: Date;
};

export function listUserOutlines(sql: Queryable, { limit, after }: OutlinePage): Promise<UserOutline[]> {
  return sql<UserOutline[]>`
    select u.id, u.email, u.name, u.operator_type, u.is_active, u.verified_at is not null as is_verified,
           (select count(*) from memberships m where m.user_id = u.id) as organizations, u.created
    from users u
    where ${after === undefined ? sql`true` : sql`u.id > ${after}`}
    order by u.id limit ${limit}`;
}

export type MemberOutline = {
  id: string;
  email: string;
  name: string;
  is_active: boolean;
  role: Role;
  branch_id: string | null;
  grants_added: string[];
  grants_withheld: string[];
  created: Date;
};

/** Members of one organization, under the ids of their users. */
export function listMemberOutlines(
  sql: Queryable,
  organizationId: string,
  { limit, after }: OutlinePage,
): Promise<MemberOutline[]> {
  return sql<MemberOutline[]>`
    select u.id, u.email, u.name, u.is_active, m.role, m.branch_id, m.grants_added, m.grants_withheld, m.created
    from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and ${after === undefined ? sql`true` : sql`m.user_id > ${after}`}
    order by m.user_id limit ${limit}`;
}
