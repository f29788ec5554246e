-- A lease belongs to a claim, which is a few dozen deliveries, not to each of them. So the queue row of a delivery says only
-- who has it, and no index follows that: a claim rewrites the row in place, without touching the indexes.
create table webhook_leases (
  claim_id uuid primary key,
  claimed_at timestamptz not null,
  lease_until timestamptz not null,
  delivery_ids uuid[] not null,
  -- A lease that runs out with none left was kept; one with some left belonged to a sender that was lost.
  unsettled int not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
-- Random ids do not compress; trying to took longer than storing them.
alter table webhook_leases alter column delivery_ids set storage external;
create index webhook_leases_until on webhook_leases (lease_until);

insert into webhook_leases (claim_id, claimed_at, lease_until, delivery_ids, unsettled)
select claim_id, min(claimed_at), max(lease_until), array_agg(delivery_id), count(*)
from webhook_queue where claim_id is not null group by claim_id;

drop index webhook_queue_due, webhook_queue_leases;
alter table webhook_queue drop column claimed_at, drop column lease_until;
alter table webhook_queue set (fillfactor = 50);
create index webhook_queue_due on webhook_queue (subscription_id, lane, due_at, delivery_id);

-- More of a backlog at once for receivers that answer.
update webhook_lanes set max_in_flight = 96 where lane = 0 and max_in_flight = 48;
