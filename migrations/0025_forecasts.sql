-- Demand and what is expected of it: days that shops upload, and the forecasts made of those and of the sales.

-- A SKU's days one after the other. Without it every page of SKUs would read the tenant's whole history. Nothing that
-- changes with a sale is in it, so that the sums are still rewritten in place.
create index daily_product_sales_of_sku on daily_product_sales (organization_id, sku_id, local_day);

-- What was sold on a day as the shop told it. It holds in place of the service's own sales of that SKU and day. By the
-- SKU's iv_id, as the sales are: no foreign key, what deleted SKUs leave behind goes with the next refresh.
create table demand_days (
  organization_id uuid not null references organizations (id),
  sku_iv_id text not null,
  sale_date date not null,
  qty numeric not null check (qty >= 0),
  unit_price numeric check (unit_price >= 0),
  updated timestamptz not null,
  primary key (organization_id, sku_iv_id, sale_date)
);

-- Files on their way in, as they came: whichever worker takes the job finds them here. Its bytes go when it is done.
create table demand_uploads (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  created timestamptz not null,
  -- Absent until the whole file is there.
  job_id uuid,
  -- What became of it. Written with the days themselves, so that a job that is run again knows it was done.
  result json,
  primary key (organization_id, id)
);
create index demand_uploads_oldest on demand_uploads (created);
create table demand_upload_pieces (
  organization_id uuid not null,
  upload_id uuid not null,
  number int not null,
  content bytea not null,
  primary key (organization_id, upload_id, number),
  constraint demand_upload_pieces_upload foreign key (organization_id, upload_id)
    references demand_uploads (organization_id, id) on delete cascade
);

-- An organization without a row has the defaults.
create table forecast_settings (
  organization_id uuid primary key references organizations (id),
  lead_time_days int not null default 7 check (lead_time_days between 1 and 90),
  service_level numeric not null default 0.95 check (service_level between 0.5 and 0.999),
  reorder_threshold numeric not null default 0 check (reorder_threshold >= 0),
  buffer numeric not null default 0 check (buffer >= 0),
  updated timestamptz not null
);

-- How far the forecasts of an organization are.
create table forecast_states (
  organization_id uuid primary key references organizations (id),
  -- Counts uploads and changes of settings; known_changes is what the last whole pass began with.
  changes bigint not null default 0,
  known_changes bigint not null default 0,
  -- The local day that they were last made for, all of them, and when.
  for_day date,
  refreshed_at timestamptz,
  -- The number of the last pass over all SKUs. While it is under way: its day, the changes it began with, and the SKU
  -- after which whoever goes on with it begins.
  pass bigint not null default 0,
  pass_day date,
  pass_changes bigint,
  pass_done_to text,
  -- What the organization's SKUs have in common, for those with little history of their own.
  pooled json
);

-- One row a SKU, replaced whole.
create table forecasts (
  organization_id uuid not null references organizations (id),
  sku_iv_id text not null,
  branch_id uuid not null,
  -- The SKU as it was when this was made; another time there means that stock or settings have changed since.
  sku_updated timestamptz not null,
  -- The pass that has made it, or that it was made after; what a whole pass has not made anew is taken away.
  pass bigint not null,
  computed_at timestamptz not null,
  -- The first day of the curves, and the last that is known of the past.
  first_day date not null,
  history_until date not null,
  history_days int not null,
  method text not null,
  demand_class text not null,
  -- By day of the horizon: expected, low and high end of the 80 % interval, and how likely the stock is used up by then.
  qty real[] not null,
  lo real[] not null,
  hi real[] not null,
  stockout_chances real[] not null,
  weekday_profile real[] not null,
  wape real,
  mase real,
  current_qty numeric not null,
  reorder_threshold numeric not null,
  buffer numeric not null,
  lead_time_days int not null,
  service_level real not null,
  reorder_point real not null,
  days_of_cover real,
  days_of_cover_p10 real,
  suggested_order_date date,
  suggested_order_qty real not null,
  explanation_en text not null,
  explanation_ar text not null,
  -- Sold within the ranges of analytics, up to and including the day before first_day, and in as many days before them.
  used_7 real not null,
  used_30 real not null,
  used_90 real not null,
  used_180 real not null,
  used_365 real not null,
  used_before real[] not null,
  primary key (organization_id, sku_iv_id)
);
-- Most at risk first, for the default horizon; others are sorted.
create index forecasts_at_risk on forecasts
  (organization_id, (stockout_chances[14]) desc, days_of_cover nulls last, sku_iv_id);
create index forecasts_used_7 on forecasts (organization_id, used_7 desc, sku_iv_id);
create index forecasts_used_30 on forecasts (organization_id, used_30 desc, sku_iv_id);
create index forecasts_used_90 on forecasts (organization_id, used_90 desc, sku_iv_id);
create index forecasts_used_180 on forecasts (organization_id, used_180 desc, sku_iv_id);
create index forecasts_used_365 on forecasts (organization_id, used_365 desc, sku_iv_id);
