import type { Queryable, Tx } from '../../../platform/database/index.ts';

export type PasswordResetRow = { id: string; user_id: string; expires_at: Date; ended_at: Date | null };

export async function insertPasswordReset(
  tx: Tx,
  reset: { id: string; userId: string; hash: Buffer; expiresAt: Date; now: Date },
): Promise<void> {
  await tx`
    insert into password_resets (id, user_id, token_hash, expires_at, created)
    values (${reset.id}, ${reset.userId}, ${reset.hash}, ${reset.expiresAt}, ${reset.now})`;
}

export async function findPasswordReset(sql: Queryable, hash: Buffer): Promise<PasswordResetRow | undefined> {
  const [row] = await sql<PasswordResetRow[]>`
    select id, user_id, expires_at, ended_at from password_resets where token_hash = ${hash}`;
  return row;
}

/** False when it had ended before: of two who come at once one gets it. */
export async function endPasswordReset(tx: Tx, id: string, now: Date): Promise<boolean> {
  const ended = await tx`
    update password_resets set ended_at = ${now}
    where id = ${id} and ended_at is null and expires_at > ${now} returning 1`;
  return ended.length > 0;
}

export async function endPasswordResets(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx`update password_resets set ended_at = ${now} where user_id = ${userId} and ended_at is null`;
}

/**
 * Whatever it was before. Gives the address of the account, which is held from here on. Only the operator makes these links,
 * and hands them over to the person: using one verifies the account.
 */
export async function setPasswordHash(
  tx: Tx,
  userId: string,
  { passwordHash, now }: { passwordHash: string; now: Date },
): Promise<string> {
  const [row] = await tx<[{ email: string }]>`
    update users
    set password_hash = ${passwordHash}, verified_at = coalesce(verified_at, ${now}), updated = ${now}
    where id = ${userId} returning email`;
  return row.email;
}

/** False when there is no such user. */
export async function lockUser(tx: Tx, userId: string): Promise<boolean> {
  const found = await tx`select 1 from users where id = ${userId} for no key update`;
  return found.length > 0;
}

export async function listOrganizationsOf(sql: Queryable, userId: string): Promise<string[]> {
  const rows = await sql<{ organization_id: string }[]>`
    select organization_id from memberships where user_id = ${userId} order by organization_id`;
  return rows.map((row) => row.organization_id);
}

export async function dropPasswordResets(sql: Queryable, expiredBefore: Date, batch: number): Promise<number> {
  const dropped = await sql`
    delete from password_resets where id = any(array(
      select id from password_resets where expires_at < ${expiredBefore} limit ${batch} for update skip locked))`;
  return dropped.count;
}
