-- What the orders amount to: sales by day, and customers. Kept up by a follower of the stamped events, never by the
-- order write, and all of it can be thrown away and counted again from the orders (dukkan rebuild). No foreign keys:
-- whatever stands here was checked when its order was placed.

-- Tenants that have been given orders of the past, of which no event tells: they have to be counted again from the
-- orders. A list of work to be done, not a tenant's table.
create table untold_orders (
  organization_id uuid primary key
);

-- Each order as it was last counted, so that a change takes out what was put in. In place of a branch that an order does
-- not have, the zero uuid.
create table projected_orders (
  organization_id uuid not null,
  order_id uuid not null,
  -- The event it was counted from; an earlier one that comes again changes nothing.
  position bigint not null,
  -- A deleted order counts for nothing. Its row stays for as long as the feed could bring an earlier event of it.
  is_deleted boolean not null,
  created_at timestamptz not null,
  -- The day on which it was created where the organization is.
  local_day date not null,
  app_slug text not null,
  branch_id uuid not null,
  customer_id uuid,
  customer_name text,
  customer_phone text,
  customer_email text,
  currency text not null,
  is_cancelled boolean not null,
  is_refunded boolean not null,
  amount numeric not null,
  -- Its lines, one array a column: opened for every sum, which with json took almost twice as long.
  line_products text[] not null,
  line_skus text[] not null,
  line_units numeric[] not null,
  line_revenues numeric[] not null,
  -- The first line of its SKU: the one by which the order is counted.
  line_firsts boolean[] not null,
  primary key (organization_id, order_id)
);
create index projected_orders_of_customer on projected_orders (organization_id, customer_id, created_at, order_id)
  where customer_id is not null and not is_deleted;
create index projected_orders_of_branch_customer
  on projected_orders (organization_id, branch_id, customer_id, created_at, order_id)
  where customer_id is not null and not is_deleted;
create index projected_orders_deleted on projected_orders (position) where is_deleted;

-- orders counts every order that is not deleted; sold, revenue and units leave out the cancelled and the refunded.
-- An order that is both cancelled and refunded is in both columns.
create table daily_sales (
  organization_id uuid not null,
  local_day date not null,
  app_slug text not null,
  branch_id uuid not null,
  currency text not null,
  orders bigint not null,
  sold bigint not null,
  revenue numeric not null,
  units numeric not null,
  cancelled bigint not null,
  refunded bigint not null,
  primary key (organization_id, local_day, app_slug, branch_id, currency)
);

-- The same by what was in the orders. revenue is that of the lines: fees and discounts belong to no product.
create table daily_product_sales (
  organization_id uuid not null,
  local_day date not null,
  app_slug text not null,
  branch_id uuid not null,
  product_id text not null,
  sku_id text not null,
  currency text not null,
  orders bigint not null,
  sold bigint not null,
  revenue numeric not null,
  units numeric not null,
  cancelled bigint not null,
  refunded bigint not null,
  primary key (organization_id, local_day, app_slug, branch_id, product_id, sku_id, currency)
);

-- Customers twice: of the whole tenant (branch_id is the zero uuid), and of each branch with what they bought there,
-- for accounts that may see no more than that. The id is the same in both.
create table customers (
  organization_id uuid not null,
  branch_id uuid not null,
  id uuid not null,
  name text,
  phone text,
  email text,
  orders bigint not null,
  -- In `currency`, that of the latest order. Other currencies are not added to it.
  spent numeric not null,
  currency text not null,
  first_order_at timestamptz not null,
  last_order_at timestamptz not null,
  search_text text not null,
  primary key (organization_id, branch_id, id)
);
create index customers_latest on customers (organization_id, branch_id, last_order_at desc, id desc);
create index customers_search on customers using gin (organization_id, branch_id, search_text gin_trgm_ops);

create table customer_spending (
  organization_id uuid not null,
  branch_id uuid not null,
  customer_id uuid not null,
  currency text not null,
  orders bigint not null,
  spent numeric not null,
  primary key (organization_id, branch_id, customer_id, currency)
);
