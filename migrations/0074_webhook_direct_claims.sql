-- Deliveries that the fan-out claims for its own process: they are sent at once and logged when their attempt has ended. Until then this row
-- is all there is of them. A process that is lost leaves it, and another logs and queues what is missing. In a table of its own, not in
-- webhook_leases: a process of the earlier release would end such a lease without them.
-- rolling: nothing of the earlier release reads or writes this table
create table webhook_direct_claims (
  claim_id uuid primary key,
  claimed_at timestamptz not null,
  lease_until timestamptz not null,
  -- Of them, how many are neither logged nor in the queue yet.
  unlogged int not null,
  -- Attempts that may still follow the first one if it fails.
  retries_left smallint not null,
  -- One element a delivery in each of the three.
  delivery_ids uuid[] not null,
  subscription_ids uuid[] not null,
  positions bigint[] not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table webhook_direct_claims alter column delivery_ids set storage external;
create index webhook_direct_claims_until on webhook_direct_claims (lease_until);
