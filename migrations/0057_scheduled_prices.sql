-- Prices of SKUs for a period. A schedule is `scheduled` until it starts, `active` until it ends, then `ended`; without an end it is `ended`
-- as soon as it has started. The state moves in the transaction that moves the prices, so each happens once.
create table price_schedules (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  -- One of the two.
  price numeric check (price >= 0),
  percent numeric,
  starts_at timestamptz not null,
  ends_at timestamptz,
  status text not null check (status in ('scheduled', 'active', 'ended')),
  created timestamptz not null,
  primary key (organization_id, id)
);
create index price_schedules_newest on price_schedules (organization_id, starts_at, id);
-- What is due next, over all tenants.
create index price_schedules_due on price_schedules ((case status when 'scheduled' then starts_at else ends_at end))
  where status <> 'ended';

-- Without a foreign key to skus: deleting a branch of 100,000 SKUs would look here for each of them. A row without its SKU does nothing.
create table price_schedule_skus (
  organization_id uuid not null,
  product_id uuid not null,
  branch_id uuid not null,
  schedule_id uuid not null,
  -- The SKU's own price before, absent for the product's, and the one that was set. Both absent until the start.
  price_before numeric,
  price_set numeric,
  primary key (organization_id, product_id, branch_id, schedule_id),
  constraint price_schedule_skus_schedule foreign key (organization_id, schedule_id)
    references price_schedules (organization_id, id) on delete cascade
);
create index price_schedule_skus_of on price_schedule_skus (organization_id, schedule_id);
