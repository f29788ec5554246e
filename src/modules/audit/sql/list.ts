import type { Queryable } from '../../../platform/database/index.ts';
import type { Actor } from '../entry.ts';

export type AuditRow = {
  id: string;
  at: Date;
  actor_kind: Actor['kind'];
  actor_id: string;
  actor_name: string;
  support_grant_id: string | null;
  action: string;
  resource: string;
  resource_id: string;
  changed_fields: string[];
  ip: string;
  request_id: string;
};

export type AuditFilter = {
  actorId?: string;
  action?: string;
  resource?: string;
  resourceId?: string;
  from?: Date;
  to?: Date;
};

/** A pair of resource and action, its number of entries, and how often that number changed. */
export type StoredCount = { resource: string; action: string; total: number; changes: number };

export function readCounts(sql: Queryable, organizationId: string): Promise<StoredCount[]> {
  return sql<StoredCount[]>`
    select resource, action, sum(written - forgotten) as total, sum(written + forgotten) as changes
    from audit_counts where organization_id = ${organizationId}
    group by resource, action`;
}

/** `words`: the existing pairs of resource and action that match the filter. */
export type Matching = { organizationId: string; filter: AuditFilter; words: readonly StoredCount[] };

export type Window = { skip: number; take: number; fromEnd: boolean };

/** Keys from one index; the rows of the page are fetched afterwards. Newest first, read from either end. */
export function listEntries(sql: Queryable, matching: Matching, { skip, take, fromEnd }: Window): Promise<AuditRow[]> {
  const order = fromEnd ? sql`at, id` : sql`at desc, id desc`;
  const reach = sql`order by ${order} limit ${skip + take}`;
  // By lateral lookup and not by a join: the planner does not know the limit and might scan the whole table.
  return sql<AuditRow[]>`
    select e.* from (
      select at, id from (${keysOf(sql, matching, reach)}) as found order by ${order} limit ${take} offset ${skip}) as page
    cross join lateral (
      select id, at, actor_kind, actor_id, actor_name, support_grant_id, action, resource, resource_id, changed_fields, ip,
             request_id
      from audit_entries where organization_id = ${matching.organizationId} and at = page.at and id = page.id
      limit 1) as e
    order by e.at desc, e.id desc`;
}

/** Stops at the limit, if any, for callers that only need to know whether there are more. */
export async function countEntries(sql: Queryable, matching: Matching, limit: number | null): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from (${keysOf(sql, matching, sql`limit ${limit}::bigint`)}) as found`;
  return row?.total ?? 0;
}

/**
 * Each filter has an index in which its matches are adjacent, newest first. By resource and action alone there is one
 * index range per pair.
 */
function keysOf(sql: Queryable, { organizationId, filter, words }: Matching, reach: ReturnType<typeof times>) {
  const { actorId, resourceId, resource, action } = filter;
  const equal = (column: string, value: string | undefined) =>
    value === undefined ? sql`` : sql`and ${sql(column)} = ${value}`;
  if (actorId === undefined && resourceId === undefined && (resource ?? action) !== undefined) {
    return sql`
      select stretch.at, stretch.id
      from unnest(${words.map((pair) => pair.resource)}::text[], ${words.map((pair) => pair.action)}::text[])
        as pair (resource, action)
      cross join lateral (
        select at, id from audit_entries e
        where organization_id = ${organizationId} and e.resource = pair.resource and e.action = pair.action
          ${times(sql, filter)} ${reach}) as stretch`;
  }
  return sql`
    select at, id from audit_entries
    where organization_id = ${organizationId} ${equal('resource_id', resourceId)} ${equal('actor_id', actorId)}
      ${equal('resource', resource)} ${equal('action', action)} ${times(sql, filter)} ${reach}`;
}

function times(sql: Queryable, { from, to }: AuditFilter) {
  return sql`
    ${from === undefined ? sql`` : sql`and at >= ${from}`} ${to === undefined ? sql`` : sql`and at <= ${to}`}`;
}
