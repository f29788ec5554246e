-- Every event has been moved (0045).
drop table order_events;

-- Changes that have not been published.
insert into order_changes (organization_id, id, week, order_id, branch_id, type, occurred_us, tail)
select organization_id, id, date_trunc('week', occurred_at at time zone 'UTC')::date, order_id, branch_id, type, occurred_us, tail
from order_outbox;
alter table order_outbox add column week date;
update order_outbox set week = date_trunc('week', occurred_at at time zone 'UTC')::date;
alter table order_outbox alter column week set not null, drop column branch_id, drop column type, drop column occurred_at,
  drop column occurred_us, drop column head, drop column tail;

-- The events with their text. An event's id ends with ten digits of its tenant's: two tenants may have their seventh event in the same
-- microsecond, and a receiver of both goes by the id alone. The text of a change is fetched by its key, one by one (`offset 0`): a plan
-- made while the tables were small would join them otherwise.
create view order_events as
select e.organization_id, e.position, e.tenant_position, e.event_id, e.order_id, e.branch_id, e.type,
       timestamptz 'epoch' + e.occurred_us * interval '1 microsecond' as occurred_at, e.stamped_at, e.change_id as outbox_id,
       coalesce(e.whole, '{"spec_version":"2026-09-29","id":"' || e.event_id || '","type":"' || e.type || '","occurred_at":"'
         || to_char((timestamptz 'epoch' + e.occurred_us * interval '1 microsecond') at time zone 'UTC',
                    'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
         || '","organization_id":"' || e.organization_id || '","cursor":"' || lpad(e.tenant_position::text, 16, '0') || '_'
         || floor(extract(epoch from e.stamped_at))::bigint || e.tail) as body,
       octet_length(coalesce(e.whole, e.tail)) as body_bytes
from (
  select f.organization_id, f.position, f.tenant_position, f.order_id, f.change_id, f.stamped_at, c.branch_id, c.type, c.occurred_us,
         c.tail, c.body as whole,
         case when c.body is null
              then 'evt_' || c.occurred_us || '_' || f.tenant_position
                     || lpad((uuid_hash(f.organization_id)::bigint + 2147483648)::text, 10, '0')
              else c.body::json ->> 'id' end as event_id
  from order_feed f cross join lateral (
    select c.branch_id, c.type, c.occurred_us, c.tail, c.body from order_changes c
    where c.organization_id = f.organization_id and c.id = f.change_id and c.week = f.week offset 0) c
) e;
