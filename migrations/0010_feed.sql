-- A place in the feed that tells a tenant nothing of the others, followers that one bad event cannot stop, and webhook
-- subscriptions that begin where they were made and go at once.

-- `position` counts the events of all tenants and is for followers alone. What clients hold (cursors, event ids) is made of
-- the tenant's own count. Events stamped before have none: theirs is the position, as their bodies say, and every tenant
-- goes on counting from the last position given out. So all cursors handed out so far keep their meaning, and stay in order.
-- outbox_id is the number its writer got: whoever wants to know what was written after a moment goes by it.
alter table order_events add column tenant_position bigint, add column outbox_id bigint;
create index order_events_of_tenant on order_events (organization_id, (coalesce(tenant_position, position)));
-- For rows to come only: a publisher of the release before, still running during the upgrade, must not stamp any more.
alter table order_events add constraint order_events_have_tenant_position check (tenant_position is not null) not valid;

create table event_tenant_positions (
  organization_id uuid primary key,
  last_position bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
insert into event_tenant_positions (organization_id, last_position)
select o.id, e.last_position from organizations o cross join event_positions e where e.last_position > 0;

-- Events that a follower could not take in, whatever it tried. It goes on without them; they can be asked for again.
create table parked_events (
  follower text not null,
  position bigint not null,
  organization_id uuid not null,
  event_id text not null,
  error text not null,
  parked_at timestamptz not null,
  retry_asked boolean not null default false,
  primary key (follower, position)
);
create index parked_events_asked on parked_events (follower, position) where retry_asked;

-- The last number given to an outbox row when the subscription was made: it hears of what was written after. Absent where
-- it was made before this was kept; those go by the time of their making.
alter table webhook_subscriptions add column after_outbox_id bigint;

-- Subscriptions that are gone, and whose log is still to be removed, a little at a time.
create table webhook_removals (
  organization_id uuid not null,
  subscription_id uuid not null,
  primary key (organization_id, subscription_id)
);
