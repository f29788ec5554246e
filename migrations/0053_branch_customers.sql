-- online
-- Customers of branches. Orders without a branch are found by projected_orders_of_customer, so they need no second entry (110 B of WAL).
create index concurrently if not exists projected_orders_of_branch_customers
  on projected_orders (organization_id, branch_id, customer_id, created_at, order_id)
  where customer_id is not null and not is_deleted and branch_id <> '00000000-0000-0000-0000-000000000000';
-- statement
drop index concurrently if exists projected_orders_of_branch_customer;
-- statement
vacuum analyze projected_orders;
