-- rolling: on one server, the release before it publishes and follows with the default group
-- Positions in the feed are counted per group of tenants. One server has one group. On a cluster there is a group for each shard, so that a
-- publisher and a follower read and write one shard in one transaction, whose snapshot is complete: no event can appear behind a position
-- that has been read.
create table tenant_groups (
  -- On a cluster, a value whose hash lies in the range: rows with it are stored in the shard of the group's tenants.
  id uuid primary key,
  -- The hashes of organization ids (uuid_hash) that belong to the group, both included.
  from_hash integer not null,
  to_hash integer not null
);
insert into tenant_groups values ('00000000-0000-0000-0000-000000000000', -2147483648, 2147483647);

alter table event_positions drop constraint event_positions_pkey, drop column only_row,
  add column tenant_group uuid not null default '00000000-0000-0000-0000-000000000000' primary key;
alter table event_followers drop constraint event_followers_pkey,
  add column tenant_group uuid not null default '00000000-0000-0000-0000-000000000000', add primary key (tenant_group, name);
alter table dead_letter_events drop constraint dead_letter_events_pkey,
  add column tenant_group uuid not null default '00000000-0000-0000-0000-000000000000', add primary key (follower, tenant_group, position);
alter table order_outbox drop constraint order_outbox_pkey,
  add column tenant_group uuid not null default '00000000-0000-0000-0000-000000000000', add primary key (tenant_group, id);
alter table order_feed add column tenant_group uuid not null default '00000000-0000-0000-0000-000000000000';

-- With the group at the end: followers read by it.
create or replace view order_events as
select e.organization_id, e.position, e.tenant_position, e.event_id, e.order_id, e.branch_id, e.type,
       timestamptz 'epoch' + e.occurred_us * interval '1 microsecond' as occurred_at, e.stamped_at, e.change_id as outbox_id,
       coalesce(e.whole, '{"spec_version":"2026-09-29","id":"' || e.event_id || '","type":"' || e.type || '","occurred_at":"'
         || to_char((timestamptz 'epoch' + e.occurred_us * interval '1 microsecond') at time zone 'UTC',
                    'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
         || '","organization_id":"' || e.organization_id || '","cursor":"' || lpad(e.tenant_position::text, 16, '0') || '_'
         || floor(extract(epoch from e.stamped_at))::bigint || e.tail) as body,
       octet_length(coalesce(e.whole, e.tail)) as body_bytes, e.tenant_group
from (
  select f.organization_id, f.position, f.tenant_position, f.order_id, f.change_id, f.stamped_at, c.branch_id, c.type, c.occurred_us,
         c.tail, c.body as whole,
         case when c.body is null
              then 'evt_' || c.occurred_us || '_' || f.tenant_position
                     || lpad((uuid_hash(f.organization_id)::bigint + 2147483648)::text, 10, '0')
              else c.body::json ->> 'id' end as event_id, f.tenant_group
  from order_feed f cross join lateral (
    select c.branch_id, c.type, c.occurred_us, c.tail, c.body from order_changes c
    where c.organization_id = f.organization_id and c.id = f.change_id and c.week = f.week offset 0) c
) e;
