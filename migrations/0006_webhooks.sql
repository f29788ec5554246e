-- Signed pushes of order events: who wants them, what was sent, and what is still to be sent.

create table webhook_subscriptions (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  url text not null,
  description text not null default '',
  -- Sorted; empty means every type, those to come included.
  event_types text[] not null default '{}',
  status text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  disabled_reason text not null default '',
  -- Sealed, as is the one before it while a rotation overlaps.
  secret bytea not null,
  secret_hint text not null,
  previous_secret bytea,
  rotation_ends_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  -- The first failure since the last success: three days from here the subscription is disabled.
  failing_since timestamptz,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (organization_id, id)
);

-- The log, and the truth about each delivery. Kept by weeks; a week past retention is dropped whole.
create table webhook_deliveries (
  organization_id uuid not null,
  subscription_id uuid not null,
  id uuid not null,
  event_id text not null,
  event_type text not null,
  -- Where the body is: a place in the feed, or here for an event that is not in it.
  event_position bigint,
  own_body text,
  status text not null check (status in ('pending', 'delivered', 'dead', 'skipped')),
  attempts smallint not null default 0,
  next_attempt_at timestamptz,
  last_status_code int,
  last_error text not null default '',
  attempt_log jsonb not null default '[]',
  delivered_at timestamptz,
  created timestamptz not null,
  given_up boolean not null generated always as (status in ('dead', 'skipped')) stored,
  primary key (organization_id, id, created)
) partition by range (created);
create index webhook_deliveries_newest on webhook_deliveries (organization_id, subscription_id, created desc, id desc);
-- Nothing is indexed that a successful delivery changes, so that its row is rewritten in place, without the indexes. Those
-- given up are few and found here, those pending by way of the queue.
create index webhook_deliveries_given_up
  on webhook_deliveries (organization_id, subscription_id, created desc, id desc) where given_up;

-- What is to be sent. Claimed on its own, without joins or foreign keys. A row leaves when its delivery is settled.
-- lane: 0 first attempts, 1 retries, 2 asked for by hand (tests and replays).
-- Every row is written three times within a second, so dead versions are cleared by count, not by share.
create table webhook_queue (
  delivery_id uuid primary key,
  organization_id uuid not null,
  subscription_id uuid not null,
  delivery_created timestamptz not null,
  event_id text not null,
  event_type text not null,
  event_position bigint,
  lane smallint not null,
  due_at timestamptz not null,
  -- Attempts that may still follow this one if it fails.
  retries_left smallint not null,
  claim_id uuid,
  claimed_at timestamptz,
  lease_until timestamptz
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index webhook_queue_due on webhook_queue (subscription_id, lane, due_at, delivery_id) where claim_id is null;
create index webhook_queue_leases on webhook_queue (lease_until) where claim_id is not null;

-- Three rows a subscription, one a lane: what lets a claim go straight to the subscriptions that are due and have room,
-- however long any one backlog is.
create table webhook_lanes (
  subscription_id uuid not null,
  lane smallint not null,
  organization_id uuid not null,
  -- Never later than the earliest due time of an unclaimed row; absent when there is none.
  due_at timestamptz,
  in_flight int not null default 0,
  max_in_flight int not null,
  -- The receiver did not answer well of late.
  failing boolean not null default false,
  -- held: the subscription is paused, its deliveries wait. closed: it is disabled, they are logged as skipped.
  state text not null default 'open' check (state in ('open', 'held', 'closed')),
  primary key (subscription_id, lane)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index webhook_lanes_due on webhook_lanes (due_at) where due_at is not null and state = 'open';
create index webhook_lanes_closed on webhook_lanes (subscription_id) where due_at is not null and state = 'closed';
-- On a column that never changes: one that followed in_flight would be rewritten with every claim.
create index webhook_lanes_of_organization on webhook_lanes (organization_id);
