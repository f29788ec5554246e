import type { Piece, Queryable } from '../../../platform/database/index.ts';

/**
 * The events of a tenant with their texts: the view `order_events`. On a cluster both tables are named with the tenant, so that the
 * statement is routed to the one shard that has them; the view cannot say so.
 */
export function eventsOf(sql: Queryable, organizationId: string): Piece {
  if (!sql.layout.isDistributed) return sql`order_events`;
  const group = sql.layout.groupOf(organizationId);
  return sql`(
    select e.organization_id, e.position, e.tenant_position, e.event_id, e.order_id, e.branch_id, e.type,
           timestamptz 'epoch' + e.occurred_us * interval '1 microsecond' as occurred_at, e.stamped_at, e.change_id as outbox_id,
           coalesce(e.whole, '{"spec_version":"2026-09-29","id":"' || e.event_id || '","type":"' || e.type || '","occurred_at":"'
             || to_char((timestamptz 'epoch' + e.occurred_us * interval '1 microsecond') at time zone 'UTC',
                        'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
             || '","organization_id":"' || e.organization_id || '","cursor":"' || lpad(e.tenant_position::text, 16, '0') || '_'
             || floor(extract(epoch from e.stamped_at))::bigint || e.tail) as body,
           octet_length(coalesce(e.whole, e.tail)) as body_bytes
    from (
      select f.organization_id, f.position, f.tenant_position, f.order_id, f.change_id, f.stamped_at, c.branch_id, c.type,
             c.occurred_us, c.tail, c.body as whole,
             case when c.body is null
                  then 'evt_' || c.occurred_us || '_' || f.tenant_position
                         || lpad((uuid_hash(f.organization_id)::bigint + 2147483648)::text, 10, '0')
                  else c.body::json ->> 'id' end as event_id
      from order_feed f
      join order_changes c on c.organization_id = f.organization_id and c.id = f.change_id and c.week = f.week
      where f.tenant_group = ${group} and f.organization_id = ${organizationId} and c.organization_id = ${organizationId}
    ) e) order_events`;
}
