-- online
-- rolling: queries walk either index, in either direction
-- Newest first is the same index read backwards. New entries then come at the end of their tenant's range, where PostgreSQL splits a full page so that
-- the old one stays full. With `desc` they came at its beginning, and each split left two halves: 123 B an order and index, now 69.
create index concurrently if not exists orders_newest_ascending on orders (organization_id, created_at, id);
-- statement
drop index concurrently if exists orders_newest;
-- statement
alter index if exists orders_newest_ascending rename to orders_newest;
-- statement
create index concurrently if not exists orders_by_status_ascending on orders (organization_id, order_status, created_at, id);
-- statement
drop index concurrently if exists orders_by_status;
-- statement
alter index if exists orders_by_status_ascending rename to orders_by_status;
-- statement
create index concurrently if not exists orders_of_source_ascending on orders (organization_id, source, created_at, id);
-- statement
drop index concurrently if exists orders_of_source;
-- statement
alter index if exists orders_of_source_ascending rename to orders_of_source;
-- statement
create index concurrently if not exists orders_of_branch_ascending on orders (organization_id, destination_id, created_at, id)
  where destination_id is not null;
-- statement
drop index concurrently if exists orders_of_branch;
-- statement
alter index if exists orders_of_branch_ascending rename to orders_of_branch;
-- statement
create index concurrently if not exists customers_latest_ascending on customers (organization_id, branch_id, last_order_at, id);
-- statement
drop index concurrently if exists customers_latest;
-- statement
alter index if exists customers_latest_ascending rename to customers_latest;
