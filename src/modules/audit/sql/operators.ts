import type { Queryable } from '../../../platform/database/index.ts';
import type { AuditRow } from './list.ts';

export type OperatorAuditFilter = { organizationId?: string; action?: string; from?: Date; to?: Date };
export type OperatorAuditRow = AuditRow & { organization_id: string };

/** Over all organizations, newest first by the time of the action: an entry may be stored later. */
export function listEntriesOfOperators(
  sql: Queryable,
  filter: OperatorAuditFilter,
  { skip, take }: { skip: number; take: number },
): Promise<OperatorAuditRow[]> {
  return sql<OperatorAuditRow[]>`
    select organization_id, id, at, actor_kind, actor_id, actor_name, support_grant_id, action, resource, resource_id,
           changed_fields, ip, request_id
    from audit_entries where ${matching(sql, filter)}
    order by at desc, id desc limit ${take} offset ${skip}`;
}

/** Stops at the limit, if any, for callers that only need to know whether there are more. */
export async function countEntriesOfOperators(
  sql: Queryable,
  filter: OperatorAuditFilter,
  limit: number | null,
): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total
    from (select from audit_entries where ${matching(sql, filter)} limit ${limit}::bigint) as found`;
  return row?.total ?? 0;
}

function matching(sql: Queryable, { organizationId, action, from, to }: OperatorAuditFilter) {
  return sql`
    actor_kind = 'operator'
    ${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}::uuid`}
    ${action === undefined ? sql`` : sql`and action = ${action}`}
    ${from === undefined ? sql`` : sql`and at >= ${from}`} ${to === undefined ? sql`` : sql`and at <= ${to}`}`;
}
