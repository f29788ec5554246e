import type { Queryable, Tx } from '../../../platform/database/index.ts';

export type PasswordResetRow = {
  id: string;
  user_id: string;
  /** That made it for its member; null for a link of the operator. */
  organization_id: string | null;
  expires_at: Date;
  ended_at: Date | null;
};

export async function insertPasswordReset(
  tx: Tx,
  reset: { id: string; userId: string; organizationId: string | null; hash: Buffer; expiresAt: Date; now: Date },
): Promise<void> {
  await tx`
    insert into password_resets (id, user_id, organization_id, token_hash, expires_at, created)
    values (${reset.id}, ${reset.userId}, ${reset.organizationId}, ${reset.hash}, ${reset.expiresAt}, ${reset.now})`;
}

export async function findPasswordReset(sql: Queryable, hash: Buffer): Promise<PasswordResetRow | undefined> {
  const [row] = await sql<PasswordResetRow[]>`
    select id, user_id, organization_id, expires_at, ended_at from password_resets where token_hash = ${hash}`;
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

/** Links that an organization made: they end when the member's rights change. */
export async function endOwnPasswordResets(tx: Tx, organizationId: string, userId: string, now: Date): Promise<void> {
  await tx`
    update password_resets set ended_at = ${now}
    where user_id = ${userId} and organization_id = ${organizationId} and ended_at is null`;
}

/**
 * Whatever it was before. Gives the address of the account, which is held from here on. The operator hands links over to the
 * person: using one verifies the account. A link of a merchant was shown to the merchant, so the account is no longer
 * verified, as if it had come into being by an invitation of that merchant.
 */
export async function setPasswordHash(
  tx: Tx,
  userId: string,
  { passwordHash, byOperator, now }: { passwordHash: string; byOperator: boolean; now: Date },
): Promise<string> {
  const [row] = await tx<[{ email: string }]>`
    update users
    set password_hash = ${passwordHash}, updated = ${now},
        verified_at = case when ${byOperator} then coalesce(verified_at, ${now}) end
    where id = ${userId} returning email`;
  return row.email;
}

/** False when there is no such user. */
export async function lockUser(tx: Tx, userId: string): Promise<boolean> {
  const found = await tx`select 1 from users where id = ${userId} for no key update`;
  return found.length > 0;
}

/** In one order, so that two that lock the same users never wait for each other. */
export async function lockUsers(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`select 1 from users where id = any(${[...ids]}::uuid[]) order by id for no key update`;
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
