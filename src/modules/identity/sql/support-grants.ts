import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../platform/http/paging.ts';
import type { SupportScope } from '../support/policy.ts';
import type { Page } from './tokens.ts';

export type SupportGrantRow = {
  id: string;
  scope: SupportScope;
  reason: string;
  granted_by: string;
  granted_by_name: string;
  created: Date;
  expires_at: Date;
  ended_at: Date | null;
  ended_by_name: string | null;
  /** The operators who opened the organization under it, by the time of the first. */
  operators: { id: string; name: string; opened_at: string }[];
};

/** One entry for each operator: an operator opens a session for each of their logins. */
const MAX_OPERATORS = 20;

const columns = (sql: Queryable) => sql`
  g.id, g.scope, g.reason, g.granted_by, g.granted_by_name, g.created, g.expires_at, g.ended_at, g.ended_by_name,
  coalesce((
    select json_agg(json_build_object('id', s.operator_id, 'name', s.name, 'opened_at', s.opened_at) order by s.opened_at)
    from (
      select operator_id, max(operator_name) as name, min(created) as opened_at from support_sessions
      where organization_id = g.organization_id and grant_id = g.id
      group by operator_id order by opened_at limit ${MAX_OPERATORS}) s), '[]'::json) as operators`;

export async function findOpenGrant(
  sql: Queryable,
  organizationId: string,
  now: Date,
): Promise<SupportGrantRow | undefined> {
  const [row] = await sql<SupportGrantRow[]>`
    select ${columns(sql)} from support_grants g
    where g.organization_id = ${organizationId} and g.ended_at is null and g.expires_at > ${now}`;
  return row;
}

/** The newest first. */
export async function listGrants(
  sql: Queryable,
  organizationId: string,
  paging: Paging,
): Promise<Page<SupportGrantRow>> {
  const rows = await sql<SupportGrantRow[]>`
    select ${columns(sql)} from support_grants g where g.organization_id = ${organizationId}
    order by g.created desc, g.id desc limit ${paging.limit} offset ${offsetOf(paging)}`;
  const [count] = await sql<{ total: number }[]>`
    select count(*) as total from support_grants where organization_id = ${organizationId}`;
  return { rows, total: count?.total ?? 0 };
}

export type OpenGrant = { id: string; scope: SupportScope; expires_at: Date };

/** Held until the end of the transaction: a grant that is being ended is waited for, and cannot end meanwhile. */
export async function holdOpenGrant(tx: Tx, organizationId: string, now: Date): Promise<OpenGrant | undefined> {
  const [row] = await tx<OpenGrant[]>`
    select id, scope, expires_at from support_grants
    where organization_id = ${organizationId} and ended_at is null and expires_at > ${now} for share`;
  return row;
}

/** Before the next grant is made: one is open at a time. */
export async function closeExpiredGrant(tx: Tx, organizationId: string, now: Date): Promise<void> {
  await tx`
    update support_grants set ended_at = expires_at
    where organization_id = ${organizationId} and ended_at is null and expires_at <= ${now}`;
}

export async function insertGrant(
  tx: Tx,
  organizationId: string,
  grant: {
    id: string;
    scope: SupportScope;
    reason: string;
    requestId: string | null;
    grantedBy: string;
    grantedByName: string;
    created: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await tx`
    insert into support_grants (organization_id, id, scope, reason, request_id, granted_by, granted_by_name, created,
      expires_at)
    values (${organizationId}, ${grant.id}, ${grant.scope}, ${grant.reason}, ${grant.requestId}, ${grant.grantedBy},
            ${grant.grantedByName}, ${grant.created}, ${grant.expiresAt})`;
}

/** The one that ended now, if one was open: of two that come at once one ends it. */
export async function endOpenGrant(
  tx: Tx,
  organizationId: string,
  { by, now }: { by: string; now: Date },
): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    update support_grants set ended_at = ${now}, ended_by_name = ${by}
    where organization_id = ${organizationId} and ended_at is null and expires_at > ${now} returning id`;
  return row?.id;
}

/** With the sessions under it. Their audit entries are kept as long as all others. */
export async function dropGrants(sql: Queryable, endedBefore: Date, batch: number): Promise<number> {
  const dropped = await sql`
    delete from support_grants where (organization_id, id) in (
      select organization_id, id from support_grants where expires_at < ${endedBefore}
      limit ${batch} for update skip locked)`;
  return dropped.count;
}
