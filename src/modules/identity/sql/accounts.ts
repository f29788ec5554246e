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

/**
 * Case does not matter, as JavaScript sees it: tries of a password are counted by the address in that form. PostgreSQL lowers İ to a plain i,
 * so each i of an address would otherwise give another spelling that logs in and has tries of its own.
 */
export async function findUserByEmail(sql: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`
    select id, email, password_hash, operator_type, is_active, verified_at,
           (select m.organization_id from memberships m where m.user_id = users.id
            order by m.created, m.organization_id limit 1) as first_organization_id
    from users where lower(email) = lower(${email})`;
  return row?.email.toLowerCase() === email.toLowerCase() ? row : undefined;
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
