-- Orders from every channel, the events they give rise to, and exact counts for their lists. Objects inside an order are
-- json, not jsonb: they are never searched, and a client gets its own key order back.

-- Connector apps a tenant has installed. An order's source is the id of its install.
create table app_installs (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  app_slug text not null,
  name_en text not null,
  name_ar text not null,
  family text not null,
  kind text not null,
  enabled boolean not null default true,
  status text not null default 'active',
  settings bytea,
  last_sync_at timestamptz,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (organization_id, id)
);

create table orders (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  source text not null,
  organization_app_id text not null,
  app_slug text not null,
  channel_family text not null,
  channel_kind text not null,
  source_reference text,
  source_transaction_id text,
  source_timestamp timestamptz,
  -- A branch's id. No foreign key: an order outlives the branch it was for.
  destination_id uuid,
  destination_reference text,
  store_name text,
  order_status text not null,
  payment_status text not null,
  fulfillment_status text not null,
  fulfillment_method text,
  payment_method text,
  currency text not null,
  total_amount numeric not null,
  discounts_amount numeric not null,
  vat_amount numeric not null,
  delivery_fee numeric not null,
  service_fee numeric not null,
  subtotal numeric not null,
  customer_name text,
  customer_phone text,
  customer_email text,
  receiver_name text,
  receiver_phone text,
  skus text[] not null,
  products json not null,
  shipping_address json,
  order_code text not null,
  order_type text,
  transport_type text,
  comment text,
  promised_for timestamptz,
  is_preorder boolean not null,
  dispatch_routing json,
  shipping_fulfillment json,
  -- The vendor's own payload, only ever shown on request.
  raw json,
  -- Neither delivered nor cancelled: derived from order_status, for the dashboard's index.
  is_open boolean not null,
  search_text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index orders_source_transaction on orders (organization_id, source, source_transaction_id)
  where source_transaction_id is not null;
create index orders_newest on orders (organization_id, created_at desc, id desc);
create index orders_by_status on orders (organization_id, order_status, created_at desc, id desc);
create index orders_of_branch on orders (organization_id, destination_id, created_at desc, id desc)
  where destination_id is not null;
create index orders_promised on orders (organization_id, promised_for) where is_open and promised_for is not null;
-- Its pending list is folded in by whichever insert fills it. How long it may get is a setting of the connection, small as
-- a rule; changing it here takes a lock that stops every reader of the table.
create index orders_search on orders using gin (organization_id, search_text gin_trgm_ops);

-- How many orders stand in each combination of what lists filter by. Two families: the tenant's (destination_id is the
-- zero uuid) over all five values, and each branch's over order_status alone. Moved by the same statement that moves the
-- order; writers spread over the slots so that they do not queue behind one row.
create table order_counts (
  organization_id uuid not null references organizations (id),
  destination_id uuid not null,
  order_status text not null,
  payment_status text not null,
  fulfillment_status text not null,
  source text not null,
  currency text not null,
  slot smallint not null,
  total bigint not null,
  primary key (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, slot)
);

-- Events as their writers leave them: without a place in the feed. `head` ends where the cursor goes, `tail` begins
-- after it. No foreign keys: the queue is claimed on its own.
create table order_outbox (
  id bigint generated always as identity primary key,
  organization_id uuid not null,
  order_id uuid not null,
  branch_id uuid,
  type text not null,
  occurred_at timestamptz not null,
  occurred_us bigint not null,
  head text not null,
  tail text not null
);

-- Events with their place. Body and position never change; whole weeks are dropped once all of it is past retention.
create table order_events (
  organization_id uuid not null,
  position bigint not null,
  event_id text not null,
  order_id uuid not null,
  branch_id uuid,
  type text not null,
  occurred_at timestamptz not null,
  stamped_at timestamptz not null,
  body text not null,
  primary key (organization_id, position, stamped_at)
) partition by range (stamped_at);
create index order_events_of_order on order_events (organization_id, order_id, position);
-- For consumers that follow every tenant at once: deliveries and projections.
create index order_events_by_position on order_events (position);

-- The publisher's counter: the last position given out, and the oldest one still kept.
create table event_positions (
  only_row boolean primary key default true check (only_row),
  last_position bigint not null,
  first_kept_position bigint not null
);
insert into event_positions (last_position, first_kept_position) values (0, 1);

-- How far each follower of all events has come.
create table event_followers (
  name text primary key,
  position bigint not null
);
