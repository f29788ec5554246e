import type { Queryable, Tx } from '../../../platform/database/index.ts';

export type NewSupportSession = {
  id: string;
  grantId: string;
  operatorId: string;
  operatorName: string;
  openedWith: string;
  now: Date;
};

/** The session that this token has open under the grant already, if any. */
export async function findSupportSession(
  sql: Queryable,
  organizationId: string,
  { grantId, openedWith }: Pick<NewSupportSession, 'grantId' | 'openedWith'>,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from support_sessions
    where organization_id = ${organizationId} and grant_id = ${grantId} and opened_with = ${openedWith} and ended_at is null`;
  return row?.id;
}

/** False when another request with the same token has opened it first. */
export async function insertSupportSession(
  tx: Tx,
  organizationId: string,
  session: NewSupportSession,
): Promise<boolean> {
  const inserted = await tx`
    insert into support_sessions (organization_id, id, grant_id, operator_id, operator_name, opened_with, created)
    values (${organizationId}, ${session.id}, ${session.grantId}, ${session.operatorId}, ${session.operatorName},
            ${session.openedWith}, ${session.now})
    on conflict do nothing returning 1`;
  return inserted.length > 0;
}

/** The ids of those that ended now, with the grants that they were opened under. */
export function endSupportSessions(
  tx: Tx,
  organizationId: string,
  openedWith: string,
  now: Date,
): Promise<{ id: string; grant_id: string }[]> {
  return tx<{ id: string; grant_id: string }[]>`
    update support_sessions set ended_at = ${now}
    where organization_id = ${organizationId} and opened_with = ${openedWith} and ended_at is null
    returning id, grant_id`;
}
