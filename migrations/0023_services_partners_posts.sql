-- What the operator sells besides branches, who brings it customers, and what it tells them. These are the operator's own
-- tables: only what concerns one tenant begins with its organization_id.

create table billable_services (
  id uuid primary key,
  code text not null constraint billable_services_code unique,
  name_en text not null,
  name_ar text not null,
  description text not null default '',
  -- Without VAT. What an assignment costs is its own price; this one is only where that begins.
  price_sar numeric not null check (price_sar > 0 and price_sar = round(price_sar, 2)),
  vat_percent numeric not null default 15 check (vat_percent between 0 and 100 and vat_percent = round(vat_percent, 2)),
  billing_cycle text not null check (billing_cycle in ('once', 'monthly', 'yearly')),
  is_active boolean not null default true,
  metadata jsonb not null default '{}',
  created timestamptz not null,
  updated timestamptz not null
);

create table service_assets (
  service_id uuid not null references billable_services (id),
  id uuid not null,
  name text not null,
  file_key text not null,
  content_type text not null,
  size_bytes bigint not null,
  created timestamptz not null,
  primary key (service_id, id)
);

-- One an install. No reference to it: an install that is removed leaves its assignment, which is then not charged.
create table service_assignments (
  organization_id uuid not null references organizations (id),
  organization_app_id uuid not null,
  service_id uuid not null references billable_services (id),
  price_sar numeric not null check (price_sar > 0 and price_sar = round(price_sar, 2)),
  quantity int not null default 1 check (quantity > 0),
  status text not null default 'active' check (status in ('active', 'paused')),
  starts_at timestamptz not null,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (organization_id, organization_app_id)
);
-- Addresses name an install and no organization.
create index service_assignments_by_install on service_assignments (organization_app_id);
create index service_assignments_newest on service_assignments (created desc, organization_app_id desc);

create table partners (
  id uuid primary key,
  name text not null,
  erp text not null,
  rate_percent numeric not null check (rate_percent between 0 and 100 and rate_percent = round(rate_percent, 2)),
  -- What was paid out, kept with the payouts: the row is locked by whoever pays.
  paid_sar numeric not null default 0 check (paid_sar >= 0),
  created timestamptz not null,
  updated timestamptz not null
);

-- Whose customer an organization is, and was: what it earned a former partner stays that one's. The sums move with the
-- accruals, in one statement.
create table partner_tenants (
  organization_id uuid not null references organizations (id),
  partner_id uuid not null references partners (id),
  is_current boolean not null default true,
  collected_sar numeric not null default 0,
  commission_sar numeric not null default 0,
  created timestamptz not null,
  primary key (organization_id, partner_id)
);
create unique index partner_tenants_current on partner_tenants (organization_id) where is_current;
create index partner_tenants_of_partner on partner_tenants (partner_id);

-- One a payment, at the rate of that day.
create table commission_accruals (
  organization_id uuid not null,
  payment_id uuid not null,
  partner_id uuid not null references partners (id),
  rate_percent numeric not null,
  collected_sar numeric not null,
  commission_sar numeric not null check (commission_sar = round(commission_sar, 2)),
  created timestamptz not null,
  primary key (organization_id, payment_id),
  foreign key (organization_id, payment_id) references billing_payments (organization_id, id)
);

create table partner_users (
  id uuid primary key,
  partner_id uuid not null references partners (id),
  name text not null,
  email text not null,
  -- Sealed; the masked one is all that lists read.
  iban bytea not null,
  iban_masked text not null,
  created timestamptz not null,
  updated timestamptz not null,
  constraint partner_users_of_partner unique (partner_id, id)
);
create unique index partner_users_email on partner_users (partner_id, lower(email));

create table partner_commissions (
  id uuid primary key,
  partner_id uuid not null references partners (id),
  partner_user_id uuid not null,
  amount_sar numeric not null check (amount_sar > 0 and amount_sar = round(amount_sar, 2)),
  -- First day of the month that it is for.
  period date not null,
  bank_reference text not null,
  paid_at timestamptz not null,
  proof_key text,
  created_by text not null,
  created timestamptz not null,
  foreign key (partner_id, partner_user_id) references partner_users (partner_id, id)
);
create index partner_commissions_newest on partner_commissions (created desc, id desc);
create index partner_commissions_of_partner on partner_commissions (partner_id, created desc, id desc);

create function refuse_commission_change() returns trigger language plpgsql as $$
begin
  raise exception 'commissions and payouts are append-only';
end $$;
create trigger accruals_append_only before update or delete on commission_accruals
  for each row execute function refuse_commission_change();
create trigger payouts_append_only before update or delete on partner_commissions
  for each row execute function refuse_commission_change();

create table posts (
  id uuid primary key,
  title_en text not null,
  title_ar text not null,
  body_en text not null,
  body_ar text not null,
  visible_from timestamptz not null,
  visible_until timestamptz,
  -- Null is everybody.
  audience uuid[],
  created timestamptz not null,
  updated timestamptz not null
);
create index posts_newest on posts (visible_from desc, id desc);
