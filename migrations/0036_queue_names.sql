-- The tables of the webhook queue and of events that a follower could not process get the names that the code uses: `priority` for the
-- three queues of a subscription (0 first attempts, 1 retries, 2 manual), dead letters for events that were set aside.
--
-- Processes of the previous release may still run (dukkan migrate --force), so views keep the old names and columns. They are simple
-- enough for PostgreSQL to update through: insert with on conflict, update, delete and `for update skip locked` work on them. They run
-- with the rights of their owner, who owns the tables as well. `ctid` is a column of the queue's view because the previous release
-- claims rows by it. A later migration drops the three views; until then nothing but the previous release uses them.

alter table webhook_lanes rename to webhook_subscription_queues;
alter table webhook_subscription_queues rename column lane to priority;
alter index webhook_lanes_pkey rename to webhook_subscription_queues_pkey;
alter index webhook_lanes_due rename to webhook_subscription_queues_due;
alter index webhook_lanes_closed rename to webhook_subscription_queues_closed;
alter index webhook_lanes_of_organization rename to webhook_subscription_queues_of_organization;
alter table webhook_subscription_queues rename constraint webhook_lanes_state_check to webhook_subscription_queues_state_check;

create view webhook_lanes as
select subscription_id, priority as lane, organization_id, due_at, in_flight, max_in_flight, failing, state
from webhook_subscription_queues;

alter table webhook_queue rename to webhook_queued_deliveries;
alter table webhook_queued_deliveries rename column lane to priority;
alter index webhook_queue_pkey rename to webhook_queued_deliveries_pkey;
alter index webhook_queue_due rename to webhook_queued_deliveries_due;

create view webhook_queue as
select ctid, delivery_id, organization_id, subscription_id, delivery_created, event_id, event_type, event_position,
       priority as lane, due_at, retries_left, claim_id
from webhook_queued_deliveries;

alter table parked_events rename to dead_letter_events;
alter table dead_letter_events rename column parked_at to dead_lettered_at;
alter index parked_events_pkey rename to dead_letter_events_pkey;
alter index parked_events_asked rename to dead_letter_events_retry_asked;

create view parked_events as
select follower, position, organization_id, event_id, error, dead_lettered_at as parked_at, retry_asked
from dead_letter_events;
