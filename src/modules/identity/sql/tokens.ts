import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../platform/http/paging.ts';

export type SessionTokenRow = {
  id: string;
  name: string;
  organization_id: string | null;
  hint: string;
  revoked: boolean;
  expires_at: Date | null;
  created: Date;
};

export type Page<Row> = { rows: Row[]; total: number };

/**
 * Holds the user against a password change and others who make tokens for it, and says whether the token still stands. The gate answers from memory that
 * may be a second old; a token made on its word could outlive the change that ended the one it was made with.
 */
export async function lockTokenOwner(
  tx: Tx,
  { type, id, userId }: { type: 'jwt' | 'session_token'; id: string; userId: string },
): Promise<boolean> {
  const users = await tx`select 1 from users where id = ${userId} and is_active for no key update`;
  const tokens = await tx`
    select 1 from ${tx(type === 'jwt' ? 'login_sessions' : 'session_tokens')}
    where id = ${id} and user_id = ${userId} and revoked_at is null`;
  return users.length > 0 && tokens.length > 0;
}

export async function countLiveSessionTokens(sql: Queryable, userId: string, now: Date): Promise<number> {
  const [row] = await sql<{ live: number }[]>`
    select count(*) as live from session_tokens
    where user_id = ${userId} and revoked_at is null and (expires_at is null or expires_at > ${now})`;
  return row?.live ?? 0;
}

export async function lockOrganization(tx: Tx, organizationId: string): Promise<void> {
  await tx`select 1 from organizations where id = ${organizationId} for no key update`;
}

export async function insertSessionToken(
  sql: Queryable,
  token: {
    id: string;
    userId: string;
    organizationId: string | null;
    name: string;
    hash: Buffer;
    hint: string;
    expiresAt: Date | null;
    now: Date;
  },
): Promise<SessionTokenRow> {
  const [row] = await sql<[SessionTokenRow]>`
    insert into session_tokens (id, user_id, organization_id, name, token_hash, hint, expires_at, created)
    values (${token.id}, ${token.userId}, ${token.organizationId}, ${token.name}, ${token.hash}, ${token.hint},
            ${token.expiresAt}, ${token.now})
    returning id, name, organization_id, hint, false as revoked, expires_at, created`;
  return row;
}

export async function listSessionTokens(
  sql: Queryable,
  userId: string,
  paging: Paging,
): Promise<Page<SessionTokenRow>> {
  const rows = await sql<SessionTokenRow[]>`
    select id, name, organization_id, hint, revoked_at is not null as revoked, expires_at, created
    from session_tokens where user_id = ${userId}
    order by created desc, id desc limit ${paging.limit} offset ${offsetOf(paging)}`;
  const [count] = await sql<{ total: number }[]>`
    select count(*) as total from session_tokens where user_id = ${userId}`;
  return { rows, total: count?.total ?? 0 };
}

/** The token that is now revoked; nothing when there was none to revoke. */
export async function revokeSessionToken(
  sql: Queryable,
  userId: string,
  id: string,
  now: Date,
): Promise<{ organization_id: string | null } | undefined> {
  const [row] = await sql<{ organization_id: string | null }[]>`
    update session_tokens set revoked_at = ${now}
    where user_id = ${userId} and id = ${id} and revoked_at is null returning organization_id`;
  return row;
}

/** Rows that another transaction holds are left for the next time: here nothing waits while it holds rows of others. */
export async function dropLoginSessions(sql: Queryable, expiredBefore: Date, batch: number): Promise<number> {
  const dropped = await sql`
    delete from login_sessions where id = any(array(
      select id from login_sessions where expires_at < ${expiredBefore}
      order by expires_at limit ${batch} for update skip locked))`;
  return dropped.count;
}

export async function dropSessionTokens(sql: Queryable, endedBefore: Date, batch: number): Promise<number> {
  const dropped = await sql`
    delete from session_tokens where id = any(array(
      select id from session_tokens where expires_at < ${endedBefore} or revoked_at < ${endedBefore}
      limit ${batch} for update skip locked))`;
  return dropped.count;
}
