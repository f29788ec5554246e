-- Tenants with imported orders that have no events: projections count them from the orders. Named after what it lists.
alter table untold_orders rename to orders_without_events;
alter index untold_orders_pkey rename to orders_without_events_pkey;

-- For processes of the previous release during a rolling upgrade. The view is auto-updatable: their `insert ... on conflict` and
-- `delete ... for update skip locked` act on the table. The next release that adds a migration drops it: by then no process
-- uses the old name.
create view untold_orders as select organization_id from orders_without_events;
