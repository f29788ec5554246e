-- Events are written once. The transaction that changes an order writes the event's text to order_changes and its number to order_outbox.
-- The publisher moves the number, not the text, to order_feed, which holds the positions.
create table order_changes (
  organization_id uuid not null,
  -- One sequence for all tenants, in the order of writing. Negative for events from releases that did not keep it.
  id bigint not null default nextval('order_outbox_id_seq'),
  -- The Monday of the week in which it was written.
  week date not null,
  order_id uuid not null,
  branch_id uuid,
  type text not null,
  occurred_us bigint not null,
  -- The event's text after its cursor. The text before it follows from the other columns and from order_feed.
  tail text,
  -- The whole text, where another release wrote it.
  body text,
  primary key (organization_id, id, week),
  check (num_nonnulls(tail, body) = 1)
) partition by range (week);
-- A row always finds a partition, even if no worker has made that of its week.
create table order_changes_other partition of order_changes default;

create table order_feed (
  organization_id uuid not null,
  -- Among the events of the tenant: what clients see, in cursors and event ids.
  tenant_position bigint not null,
  -- Among the events of all tenants: for followers only.
  position bigint not null,
  order_id uuid not null,
  change_id bigint not null,
  week date not null,
  stamped_at timestamptz not null,
  primary key (organization_id, tenant_position, stamped_at)
) partition by range (stamped_at);
create index order_feed_by_position on order_feed (position);
create index order_feed_of_order on order_feed (organization_id, order_id, tenant_position);

-- Partitions for the events of the last weeks, which the next migration moves.
do $$
declare
  old record;
  monday date;
begin
  for old in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
             where i.inhparent = 'order_events'::regclass order by 1 loop
    monday := to_date(right(old.relname, 8), 'YYYYMMDD');
    execute format('create table %I partition of order_feed for values from (%L) to (%L) with (fillfactor = 100, autovacuum_enabled = false)',
      'order_feed_' || right(old.relname, 8), monday::text || 'T00:00:00Z', (monday + 7)::text || 'T00:00:00Z');
    execute format('create table %I partition of order_changes for values from (%L) to (%L) with (fillfactor = 100, autovacuum_enabled = false)',
      'order_changes_' || right(old.relname, 8), monday, monday + 7);
  end loop;
end $$;
