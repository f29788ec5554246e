import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { offsetOf, type Paging, type Sort } from '../../../platform/http/paging.ts';
import type { Role } from '../permissions.ts';

export const SORT_COLUMNS = ['created', 'email', 'name', 'role', 'status', 'last_seen_at'] as const;
export type TeamSort = Sort<(typeof SORT_COLUMNS)[number]>;

/** A member, or an invitation that may still be accepted. */
export type MemberRow = {
  id: string;
  user_id: string | null;
  email: string;
  name: string;
  role: Role;
  branch_id: string | null;
  /** Empty for a branch that is gone: null would say that nothing confines the account. */
  branch_iv_id: string | null;
  grants_added: string[];
  grants_withheld: string[];
  status: 'active' | 'invited';
  last_seen_at: Date | null;
  created: Date;
  /** When role, branch or grants last changed. */
  updated: Date;
};

/** An invitation never reveals whether its address has an account: inviting would otherwise be a way to find out. */
const team = (sql: Queryable, organizationId: string, now: Date) => sql`
  select t.*, case when t.branch_id is not null then coalesce(b.iv_id, '') end as branch_iv_id
  from (
    select m.id, m.user_id, u.email, u.name, m.role, m.branch_id, m.grants_added, m.grants_withheld, 'active' as status,
           s.seen_at as last_seen_at, m.created, coalesce(m.updated, m.created) as updated
    from memberships m
    join users u on u.id = m.user_id
    left join last_seen s on s.organization_id = m.organization_id and s.user_id = m.user_id
    where m.organization_id = ${organizationId}
    union all
    select i.id, null, i.email, '', i.role, i.branch_id, i.grants_added, i.grants_withheld, 'invited', null, i.created,
           coalesce(i.updated, i.created)
    from invitations i
    where i.organization_id = ${organizationId} and i.ended_at is null and i.expires_at > ${now}) t
  left join branches b on b.organization_id = ${organizationId} and b.id = t.branch_id`;

export async function listTeam(
  sql: Queryable,
  organizationId: string,
  { sort, paging, now }: { sort: TeamSort; paging: Paging; now: Date },
): Promise<MemberRow[]> {
  const direction = sort.descending ? sql`desc` : sql`asc`;
  return sql<MemberRow[]>`
    select * from (${team(sql, organizationId, now)}) listed
    order by ${sql(sort.column)} ${direction} nulls last, id ${direction}
    limit ${paging.limit} offset ${offsetOf(paging)}`;
}

export async function countTeam(sql: Queryable, organizationId: string, now: Date): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select (select count(*) from memberships where organization_id = ${organizationId})
         + (select count(*) from invitations
            where organization_id = ${organizationId} and ended_at is null and expires_at > ${now}) as total`;
  return row?.total ?? 0;
}

export async function findTeamRow(
  sql: Queryable,
  organizationId: string,
  id: string,
  now: Date,
): Promise<MemberRow | undefined> {
  const [row] = await sql<MemberRow[]>`
    select * from (${team(sql, organizationId, now)}) listed where id = ${id}`;
  return row;
}

/** Whether a member or a pending invitation has this address. */
export async function findTeamAddress(
  sql: Queryable,
  organizationId: string,
  email: string,
  now: Date,
): Promise<MemberRow['status'] | undefined> {
  const [row] = await sql<{ status: MemberRow['status'] }[]>`
    select status from (${team(sql, organizationId, now)}) listed where lower(email) = lower(${email})
    order by status limit 1`;
  return row?.status;
}

export type StandingRow = Pick<MemberRow, 'role' | 'branch_id' | 'grants_added' | 'grants_withheld'>;

export async function findStanding(
  sql: Queryable,
  organizationId: string,
  userId: string,
): Promise<StandingRow | undefined> {
  const [row] = await sql<StandingRow[]>`
    select role, branch_id, grants_added, grants_withheld from memberships
    where organization_id = ${organizationId} and user_id = ${userId}`;
  return row;
}

/** Owners who can log in, see the whole organization and lack none of these grants, but for this one. */
export async function countOtherOwners(
  sql: Queryable,
  organizationId: string,
  exceptId: string,
  neededGrants: readonly string[],
): Promise<number> {
  const [row] = await sql<{ owners: number }[]>`
    select count(*) as owners from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.id <> ${exceptId} and m.role = 'owner' and m.branch_id is null
      and not m.grants_withheld && ${[...neededGrants]}::text[] and u.is_active`;
  return row?.owners ?? 0;
}

/** False when the user is a member already. */
export async function insertMembership(
  tx: Tx,
  organizationId: string,
  member: StandingRow & { id: string; userId: string; now: Date },
): Promise<boolean> {
  const inserted = await tx`
    insert into memberships (organization_id, id, user_id, role, branch_id, grants_added, grants_withheld, created)
    values (${organizationId}, ${member.id}, ${member.userId}, ${member.role}, ${member.branch_id},
            ${member.grants_added}, ${member.grants_withheld}, ${member.now})
    on conflict (organization_id, user_id) do nothing returning 1`;
  return inserted.length > 0;
}

export type MembershipRow = StandingRow & { organization_id: string; id: string };

/** Of one user in all organizations, in the order in which those are locked. */
export async function listMembershipsOf(sql: Queryable, userId: string): Promise<MembershipRow[]> {
  return sql<MembershipRow[]>`
    select organization_id, id, role, branch_id, grants_added, grants_withheld from memberships
    where user_id = ${userId} order by organization_id`;
}

/** Both kinds have the same columns for it. */
export async function updateStanding(
  tx: Tx,
  organizationId: string,
  { id, status }: Pick<MemberRow, 'id' | 'status'>,
  { role, branch_id, grants_added, grants_withheld }: StandingRow,
  updated: Date,
): Promise<void> {
  const table = status === 'active' ? tx`update memberships` : tx`update invitations`;
  await tx`
    ${table} set role = ${role}, branch_id = ${branch_id}, grants_added = ${grants_added},
      grants_withheld = ${grants_withheld}, updated = ${updated}
    where organization_id = ${organizationId} and id = ${id}`;
}

/** With the tokens that were made for the organization: they must not come back to life with a later invitation. */
export async function deleteMembership(
  tx: Tx,
  organizationId: string,
  { id, userId, now }: { id: string; userId: string; now: Date },
): Promise<void> {
  await tx`delete from memberships where organization_id = ${organizationId} and id = ${id}`;
  await tx`delete from last_seen where organization_id = ${organizationId} and user_id = ${userId}`;
  await tx`
    update session_tokens set revoked_at = ${now}
    where user_id = ${userId} and organization_id = ${organizationId} and revoked_at is null`;
}
