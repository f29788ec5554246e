-- Changes of order_counts that have not been added to it yet. Writers of orders only insert here, so that two of them never wait for
-- each other; one process at a time adds them up (counters/fold-counts.ts). A total is the sum of both tables, read by one statement.
-- No foreign key: every order would lock the row of its organization.
create table order_count_deltas (
  organization_id uuid not null,
  id bigint generated always as identity,
  destination_id uuid,
  order_status text not null,
  payment_status text not null,
  fulfillment_status text not null,
  source text not null,
  currency text not null,
  by integer not null,
  primary key (organization_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
