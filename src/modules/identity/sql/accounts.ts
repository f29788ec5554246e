import type { Queryable, Tx } from '../../../platform/database/index.ts';
import type { OperatorType } from '../principal.ts';

export type UserRow = {
  id: string;
  email: string;
  password_hash: string;
  operator_type: OperatorType;
  is_active: boolean;
  /** Null: only a merchant's link confirmed the address. */
  verified_at: Date | null;
  first_organization_id: string | null;
};

export async function findUserByEmail(sql: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`
    select id, email, password_hash, operator_type, is_active, verified_at,
           (select m.organization_id from memberships m where m.user_id = users.id
            order by m.created, m.organization_id limit 1) as first_organization_id
    from users where lower(email) = lower(${email})`;
  return row;
}

export async function listOrganizationsOf(sql: Queryable, userId: string): Promise<string[]> {
  const rows = await sql<{ organization_id: string }[]>`
    select organization_id from memberships where user_id = ${userId} order by organization_id`;
  return rows.map((row) => row.organization_id);
}

export async function findPasswordHash(sql: Queryable, userId: string): Promise<string | undefined> {
  const [row] = await sql<{ password_hash: string }[]>`select password_hash from users where id = ${userId}`;
  return row?.password_hash;
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
    refreshNumber: number;
    expiresAt: Date;
    now: Date;
  },
): Promise<boolean> {
  const inserted = await sql`
    insert into login_sessions (id, user_id, organization_id, refresh_number, expires_at, created)
    select ${session.id}::uuid, u.id, ${session.organizationId}::uuid, ${session.refreshNumber}::int,
           ${session.expiresAt}::timestamptz, ${session.now}::timestamptz
    from users u
    where u.id = ${session.userId} and u.password_hash = ${session.passwordHash} and u.is_active
    for share
    returning 1`;
  return inserted.length > 0;
}

/** Which refresh of a login a token stands for. The hash is set for one from before they were numbered. */
export type RefreshNumber = { sessionId: string; number: number; unnumberedHash: Buffer | null };

/** Whose login it is, when this is its current refresh token and the login stands. In one statement: of many that come at once, one advances. */
export async function advanceRefresh(
  sql: Queryable,
  { sessionId, number, unnumberedHash }: RefreshNumber,
  { expiresAt, now }: { expiresAt: Date; now: Date },
): Promise<{ user_id: string } | undefined> {
  const [row] = await sql<{ user_id: string }[]>`
    update login_sessions s
    set refresh_number = s.refresh_number + 1, refreshed_at = ${now}, expires_at = ${expiresAt}
    from users u
    where s.id = ${sessionId} and s.refresh_number = ${number} and ${hashFits(sql, unnumberedHash)}
      and s.revoked_at is null and s.expires_at > ${now} and u.id = s.user_id and u.is_active
    returning s.user_id`;
  return row;
}

export type RefreshState = { user_id: string; refresh_number: number; refreshed_at: Date | null; usable: boolean };

export async function findRefreshState(
  sql: Queryable,
  { sessionId, unnumberedHash }: RefreshNumber,
  now: Date,
): Promise<RefreshState | undefined> {
  const [row] = await sql<RefreshState[]>`
    select s.user_id, s.refresh_number, s.refreshed_at,
           s.revoked_at is null and s.expires_at > ${now} and u.is_active as usable
    from login_sessions s join users u on u.id = s.user_id
    where s.id = ${sessionId} and ${hashFits(sql, unnumberedHash)}`;
  return row;
}

function hashFits(sql: Queryable, unnumberedHash: Buffer | null) {
  return unnumberedHash === null ? sql`true` : sql`s.refresh_hash = ${unnumberedHash}`;
}

export async function revokeLoginSession(sql: Queryable, sessionId: string, now: Date): Promise<void> {
  await sql`update login_sessions set revoked_at = ${now} where id = ${sessionId} and revoked_at is null`;
}

/** False when the password is no longer the one that was compared. The user comes before the tokens, as everywhere. */
export async function replacePassword(
  tx: Tx,
  userId: string,
  { currentHash, nextHash, now }: { currentHash: string; nextHash: string; now: Date },
): Promise<boolean> {
  const replaced = await tx`
    update users set password_hash = ${nextHash}, updated = ${now}
    where id = ${userId} and password_hash = ${currentHash} returning 1`;
  if (replaced.length === 0) return false;
  await endTokens(tx, userId, now);
  return true;
}

/** The caller has written the user's row before: transactions that create tokens wait for it. */
export async function endTokens(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx`update login_sessions set revoked_at = ${now} where user_id = ${userId} and revoked_at is null`;
  await tx`update session_tokens set revoked_at = ${now} where user_id = ${userId} and revoked_at is null`;
}

/** False when the address was taken meanwhile. */
export async function insertUser(
  tx: Tx,
  user: { id: string; email: string; name: string; passwordHash: string; verifiedAt: Date | null; now: Date },
): Promise<boolean> {
  const inserted = await tx`
    insert into users (id, email, name, password_hash, operator_type, verified_at, created, updated)
    values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, 'Merchant', ${user.verifiedAt}, ${user.now},
            ${user.now})
    on conflict do nothing returning 1`;
  return inserted.length > 0;
}

/** False when the account was verified or shut out since it was read. Held from here on, before its tokens and organizations. */
export async function claimUnverifiedUser(
  tx: Tx,
  userId: string,
  { name, passwordHash, now }: { name: string; passwordHash: string; now: Date },
): Promise<boolean> {
  const claimed = await tx`
    update users set name = ${name}, password_hash = ${passwordHash}, verified_at = ${now}, updated = ${now}
    where id = ${userId} and verified_at is null and is_active returning 1`;
  return claimed.length > 0;
}
