-- E-invoices, numbered without gaps and chained branch by branch.

-- Where each branch stands. By iv_id and not by id: that is what numbers begin with, and a branch that is made anew under an
-- iv_id that was used before goes on where the former one ended.
create table invoice_counters (
  organization_id uuid not null references organizations (id),
  branch_iv_id text not null,
  last_number bigint not null check (last_number >= 0),
  last_hash text not null,
  primary key (organization_id, branch_iv_id)
);

-- One an order. No reference to the order or the branch: what was issued outlives both.
create table invoices (
  organization_id uuid not null references organizations (id),
  order_id uuid not null,
  branch_id uuid not null,
  branch_iv_id text not null,
  -- Its place in the branch, from 1.
  position bigint not null check (position > 0),
  invoice_number text not null,
  uuid uuid not null,
  issued_at timestamptz not null,
  seller_name text not null,
  vat_number text not null,
  currency text not null,
  total numeric not null check (total >= 0),
  vat numeric not null check (vat >= 0),
  qr text not null,
  hash text not null,
  previous_hash text not null,
  -- As it was hashed, with the QR code added.
  xml text not null,
  primary key (organization_id, order_id),
  constraint invoices_position unique (organization_id, branch_iv_id, position)
);

create function refuse_invoice_change() returns trigger language plpgsql as $$
begin
  raise exception 'invoices are append-only';
end $$;
create trigger invoices_append_only before update or delete on invoices
  for each row execute function refuse_invoice_change();
