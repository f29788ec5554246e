-- When each day of a tenant's sales last changed, in the tenant's own count of changes. Whoever keeps what it has summed asks
-- here whether that still holds. Written by whoever moves the sales, of which there is one at a time. Days of before have no
-- row, which is the same as version 0.
create table sales_days (
  organization_id uuid not null,
  local_day date not null,
  version bigint not null,
  primary key (organization_id, local_day)
);
create index sales_days_latest on sales_days (organization_id, version);

-- SKUs that are to be watched, few among many. Not by the stock itself: a sale changes that, and then touches no index.
create index skus_watched on skus (organization_id, branch_id) where is_enabled and reorder_threshold > 0;

-- The sales of products by month: a year of a large tenant is some ten thousand rows of these, and close to a million of days.
-- Without the channel, which nobody asks for over so long a time. Moved with the days and by the same statement.
create table monthly_product_sales (
  organization_id uuid not null,
  -- Its first day.
  month date not null,
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
  primary key (organization_id, month, branch_id, product_id, sku_id, currency)
);
-- Whoever has sales already is counted again by the service that starts on this, in the background and one by one.
insert into untold_orders (organization_id) select distinct organization_id from daily_sales on conflict do nothing;
