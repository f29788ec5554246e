import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../platform/http/paging.ts';
import type { Client } from '../sessions/client.ts';
import type { Page } from './tokens.ts';

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
    client: Client;
    expiresAt: Date;
    now: Date;
  },
): Promise<boolean> {
  const inserted = await sql`
    insert into login_sessions (id, user_id, organization_id, refresh_number, user_agent, ip, expires_at, created)
    select ${session.id}::uuid, u.id, ${session.organizationId}::uuid, ${session.refreshNumber}::int,
           ${session.client.userAgent}, ${session.client.ip}, ${session.expiresAt}::timestamptz,
           ${session.now}::timestamptz
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
  { client, expiresAt, now }: { client: Client; expiresAt: Date; now: Date },
): Promise<{ user_id: string } | undefined> {
  const [row] = await sql<{ user_id: string }[]>`
    update login_sessions s
    set refresh_number = s.refresh_number + 1, refreshed_at = ${now}, expires_at = ${expiresAt},
        user_agent = ${client.userAgent}, ip = ${client.ip}
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

/** For the demo: logins whose refresh tokens were handed to no one. */
export async function seedLoginSessions(
  tx: Tx,
  userId: string,
  sessions: readonly { id: string; client: Client; expiresAt: Date; created: Date; refreshedAt: Date }[],
): Promise<void> {
  for (const { id, client, expiresAt, created, refreshedAt } of sessions) {
    await tx`
      insert into login_sessions (id, user_id, refresh_number, user_agent, ip, expires_at, created, refreshed_at)
      values (${id}, ${userId}, 2, ${client.userAgent}, ${client.ip}, ${expiresAt}, ${created}, ${refreshedAt})`;
  }
}

export type LoginSessionRow = { id: string; user_agent: string; ip: string; created: Date; last_seen_at: Date };

/** Those that can still be used, the one used last first. */
export async function listLoginSessions(
  sql: Queryable,
  userId: string,
  paging: Paging,
  now: Date,
): Promise<Page<LoginSessionRow>> {
  const live = sql`from login_sessions where user_id = ${userId} and revoked_at is null and expires_at > ${now}`;
  const rows = await sql<LoginSessionRow[]>`
    select id, user_agent, ip, created, coalesce(refreshed_at, created) as last_seen_at ${live}
    order by last_seen_at desc, id desc limit ${paging.limit} offset ${offsetOf(paging)}`;
  const [count] = await sql<{ total: number }[]>`select count(*) as total ${live}`;
  return { rows, total: count?.total ?? 0 };
}

/** The ids of those that ended now: `which` names one, or all but one. */
export async function endLoginSessions(
  tx: Tx,
  userId: string,
  which: { id: string } | { except: string | null },
  now: Date,
): Promise<string[]> {
  const chosen = 'id' in which ? tx`id = ${which.id}` : tx`id is distinct from ${which.except}::uuid`;
  const ended = await tx<{ id: string }[]>`
    update login_sessions set revoked_at = ${now}
    where user_id = ${userId} and revoked_at is null and expires_at > ${now} and ${chosen} returning id`;
  return ended.map(({ id }) => id);
}
