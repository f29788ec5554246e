-- Installed apps, and what their vendors send.

-- What proves a call to an install, sealed like its settings; none for installs of before there were addresses to call.
alter table app_installs add column ingest_token bytea;
-- Payloads and pushes that failed one after the other: ten, and the install is called failing.
alter table app_installs add column failures_in_a_row int not null default 0;
alter table app_installs add column poll_cursor text;
alter table app_installs add column polled_at timestamptz;
-- Moves with every change of settings: whoever acts on a copy of them finds out that it is old.
alter table app_installs add column version int not null default 1;
-- Said by `enabled` and the count of failures.
alter table app_installs drop column status;
-- An address names the install and not its organization. Not unique, so that the table can be spread by organization.
create index app_installs_by_id on app_installs (id);

-- Which of two tellings of an order is the later one: the vendor's version or time of change, else when we received it.
alter table orders add column source_revision bigint;

-- What was received, kept by weeks and dropped whole. The bytes are never changed.
create table staged_payloads (
  organization_id uuid not null,
  organization_app_id uuid not null,
  id uuid not null,
  app_slug text not null,
  method text not null,
  path text not null,
  query json not null,
  -- Without those that prove something.
  headers json not null,
  payload bytea not null,
  -- What its receipt is found by; none for what was taken in as history.
  delivery bytea,
  -- What the vendor's interface answered when a notice made us ask it.
  fetched bytea,
  event text,
  external_order_id text,
  status text not null default 'pending' check (status in ('pending', 'processed', 'failed')),
  outcome text not null default '' check (outcome in ('', 'created', 'updated', 'unchanged', 'ignored')),
  attempts int not null default 0,
  error_code text,
  error_message text,
  error_path text,
  order_id uuid,
  received_at timestamptz not null,
  processed_at timestamptz,
  primary key (organization_id, id, received_at)
) partition by range (received_at);
alter table staged_payloads alter column payload set storage external;
create index staged_payloads_newest on staged_payloads (organization_id, received_at desc, id desc);
create index staged_payloads_of_install on staged_payloads (organization_id, organization_app_id, received_at desc, id desc);
-- Not by the status, which every payload changes: what goes well is then rewritten in place, without the indexes.
create index staged_payloads_failed on staged_payloads (organization_id, received_at desc, id desc)
  where error_code is not null;

-- The same delivery again is the same row: by the vendor's id of it for as long as payloads are kept, by its bytes for a day.
create table staging_receipts (
  organization_id uuid not null,
  organization_app_id uuid not null,
  delivery bytea not null,
  staging_id uuid not null,
  received_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, organization_app_id, delivery)
);
create index staging_receipts_expired on staging_receipts (expires_at);

-- What is to be read. Claimed on its own, without joins or foreign keys; a row leaves when its payload is settled. Whoever
-- reads goes from install to install along the index, so the length of one's backlog is nothing to the others; no row beside
-- the queue says what is due, since whoever receives would have to wait for whoever reads to write it.
create table staging_queue (
  organization_app_id uuid not null,
  staging_id uuid not null,
  organization_id uuid not null,
  app_slug text not null,
  received_at timestamptz not null,
  due_at timestamptz not null,
  attempts int not null default 0,
  bytes int not null,
  primary key (organization_app_id, staging_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index staging_queue_due on staging_queue (organization_app_id, due_at, staging_id);

-- Since the beginning, over all processes: what the health page tells. Slots, so that writers rarely meet on a row.
create table staging_totals (
  slot smallint primary key,
  processed bigint not null default 0,
  failed bigint not null default 0,
  cleaned_up bigint not null default 0
);
insert into staging_totals (slot) select generate_series(0, 15);
