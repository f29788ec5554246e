import type { Queryable, Sql, Tx } from '../../../platform/database/index.ts';
import type { Role } from '../permissions.ts';
import type { Membership, OperatorType, TokenHolder, TokenType } from '../principal.ts';

type MembershipRow = {
  organization_id: string;
  name_en: string;
  name_ar: string;
  is_active: boolean;
  suspended: boolean;
  time_zone: string;
  role: Role;
  branch_id: string | null;
  grants_added: string[];
  grants_withheld: string[];
};

type HolderRow = {
  id: string;
  revoked: boolean;
  created: Date;
  expires_at: Date | null;
  organization_id: string | null;
  user_id: string;
  email: string;
  operator_type: OperatorType;
  memberships: MembershipRow[];
};

// One statement a token: the token, its user, and every organization the user may act for.
const membershipsOfUser = (sql: Sql) => sql`
  coalesce((
    select json_agg(json_build_object(
      'organization_id', o.id, 'name_en', o.name_en, 'name_ar', o.name_ar, 'is_active', o.is_active,
      'suspended', o.suspended_at is not null, 'time_zone', o.time_zone, 'role', m.role, 'branch_id', m.branch_id,
      'grants_added', m.grants_added, 'grants_withheld', m.grants_withheld) order by m.created, o.id)
    from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = u.id), '[]'::json)`;

export async function findLoginHolder(sql: Sql, sessionId: string): Promise<TokenHolder | undefined> {
  const [row] = await sql<HolderRow[]>`
    select s.id, s.revoked_at is not null or not u.is_active as revoked, s.created, s.expires_at, s.organization_id,
           u.id as user_id, u.email, u.operator_type, ${membershipsOfUser(sql)} as memberships
    from login_sessions s join users u on u.id = s.user_id
    where s.id = ${sessionId}`;
  return row && toHolder('jwt', row);
}

export async function findSessionTokenHolder(sql: Sql, tokenHash: Buffer): Promise<TokenHolder | undefined> {
  const [row] = await sql<HolderRow[]>`
    select t.id, t.revoked_at is not null or not u.is_active as revoked, t.created, t.expires_at, t.organization_id,
           u.id as user_id, u.email, u.operator_type, ${membershipsOfUser(sql)} as memberships
    from session_tokens t join users u on u.id = t.user_id
    where t.token_hash = ${tokenHash}`;
  return row && toHolder('session_token', row);
}

/** An API key acts for its organization with a member's reading rights and has no user. */
export async function findApiKeyHolder(sql: Sql, keyHash: Buffer): Promise<TokenHolder | undefined> {
  const [row] = await sql<(MembershipRow & { id: string; revoked: boolean; created: Date })[]>`
    select k.id, k.revoked_at is not null as revoked, k.created, o.id as organization_id, o.name_en, o.name_ar,
           o.is_active, o.suspended_at is not null as suspended, o.time_zone, 'viewer' as role, null as branch_id,
           '{}'::text[] as grants_added, '{}'::text[] as grants_withheld
    from api_keys k join organizations o on o.id = k.organization_id
    where k.key_hash = ${keyHash}`;
  if (row === undefined) return undefined;
  return {
    token: { type: 'api_key', id: row.id, revoked: row.revoked, issuedAt: row.created, expiresAt: null },
    user: undefined,
    defaultOrganizationId: row.organization_id,
    memberships: [toMembership(row)],
  };
}

function toHolder(type: TokenType, row: HolderRow): TokenHolder {
  return {
    token: { type, id: row.id, revoked: row.revoked, issuedAt: row.created, expiresAt: row.expires_at },
    user: { id: row.user_id, email: row.email, operatorType: row.operator_type },
    defaultOrganizationId: row.organization_id,
    memberships: row.memberships.map(toMembership),
  };
}

function toMembership(row: MembershipRow): Membership {
  return {
    organization: {
      id: row.organization_id,
      nameEn: row.name_en,
      nameAr: row.name_ar,
      isActive: row.is_active,
      suspended: row.suspended || !row.is_active,
      timeZone: row.time_zone,
    },
    role: row.role,
    branchId: row.branch_id,
    grantsAdded: row.grants_added,
    grantsWithheld: row.grants_withheld,
  };
}

export async function readIdentityEpoch(sql: Sql): Promise<number> {
  const [row] = await sql<{ value: number }[]>`select value from identity_epoch`;
  return row?.value ?? 0;
}

export type UserRow = {
  id: string;
  email: string;
  password_hash: string;
  operator_type: OperatorType;
  is_active: boolean;
  first_organization_id: string | null;
};

export async function findUserByEmail(sql: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`
    select id, email, password_hash, operator_type, is_active,
           (select m.organization_id from memberships m where m.user_id = users.id
            order by m.created, m.organization_id limit 1) as first_organization_id
    from users where lower(email) = lower(${email})`;
  return row;
}

export async function lockUser(tx: Tx, userId: string): Promise<{ id: string; password_hash: string } | undefined> {
  const [row] = await tx<{ id: string; password_hash: string }[]>`
    select id, password_hash from users where id = ${userId} for update`;
  return row;
}

/**
 * False when the password was changed or the user was shut out since it was compared. Waits for a change that is under
 * way, so that no login with the old password outlives it.
 */
export async function insertLoginSession(
  sql: Queryable,
  session: {
    id: string;
    userId: string;
    passwordHash: string;
    organizationId: string | null;
    refreshHash: Buffer;
    expiresAt: Date;
    now: Date;
  },
): Promise<boolean> {
  const inserted = await sql`
    insert into login_sessions (id, user_id, organization_id, refresh_hash, expires_at, created)
    select ${session.id}::uuid, u.id, ${session.organizationId}::uuid, ${session.refreshHash}::bytea,
           ${session.expiresAt}::timestamptz, ${session.now}::timestamptz
    from users u
    where u.id = ${session.userId} and u.password_hash = ${session.passwordHash} and u.is_active
    for share
    returning 1`;
  return inserted.length > 0;
}

export type RefreshableSession = {
  id: string;
  user_id: string;
  is_current: boolean;
  usable: boolean;
};

export async function lockLoginSession(
  tx: Tx,
  sessionId: string,
  { refreshHash, now }: { refreshHash: Buffer; now: Date },
): Promise<RefreshableSession | undefined> {
  const [row] = await tx<RefreshableSession[]>`
    select s.id, s.user_id, s.refresh_hash = ${refreshHash} as is_current,
           s.revoked_at is null and s.expires_at > ${now} and u.is_active as usable
    from login_sessions s join users u on u.id = s.user_id
    where s.id = ${sessionId}
    for update of s`;
  return row;
}

export async function rotateRefresh(tx: Tx, sessionId: string, newHash: Buffer, expiresAt: Date): Promise<void> {
  await tx`
    update login_sessions
    set refresh_hash = ${newHash}, expires_at = ${expiresAt}
    where id = ${sessionId}`;
}

export async function revokeLoginSession(sql: Queryable, sessionId: string, now: Date): Promise<void> {
  await sql`update login_sessions set revoked_at = ${now} where id = ${sessionId} and revoked_at is null`;
}

export async function replacePassword(tx: Tx, userId: string, passwordHash: string, now: Date): Promise<void> {
  await tx`update users set password_hash = ${passwordHash}, updated = ${now} where id = ${userId}`;
  await tx`update login_sessions set revoked_at = ${now} where user_id = ${userId} and revoked_at is null`;
  await tx`update session_tokens set revoked_at = ${now} where user_id = ${userId} and revoked_at is null`;
}
