-- Tax invoices for the operator's fees: one for each organization and month, numbered without gaps over all organizations.
-- What is printed is stored, because names, prices and addresses change later.
create table fee_invoice_counters (
  series text primary key,
  last_number bigint not null check (last_number >= 0)
);

create table fee_invoices (
  organization_id uuid not null references organizations (id),
  -- Its place in the series.
  position bigint not null check (position > 0),
  number text not null,
  period date not null,
  due_date date not null,
  issued_at timestamptz not null,
  seller_name text not null,
  seller_name_ar text not null,
  seller_vat_number text not null,
  seller_address text not null,
  buyer_name_en text not null,
  buyer_name_ar text not null,
  buyer_vat_number text not null,
  buyer_address text not null,
  lines jsonb not null,
  amount_sar numeric not null check (amount_sar >= 0),
  vat_sar numeric not null check (vat_sar >= 0),
  total_sar numeric not null generated always as (amount_sar + vat_sar) stored,
  qr text not null,
  primary key (organization_id, position),
  constraint fee_invoices_of_a_month unique (organization_id, period),
  constraint fee_invoices_number unique (organization_id, number)
);

create function refuse_fee_invoice_change() returns trigger language plpgsql as $$
begin
  raise exception 'fee invoices are append-only';
end $$;
create trigger fee_invoices_append_only before update or delete on fee_invoices
  for each row execute function refuse_fee_invoice_change();
create trigger fee_invoices_never_emptied before truncate on fee_invoices
  for each statement execute function refuse_fee_invoice_change();
