-- A merchant's attempt to pay the operator online. Money moves by the row in billing_payments that a confirmed one makes.
create table billing_checkouts (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  amount_sar numeric not null check (amount_sar > 0 and amount_sar = round(amount_sar, 2)),
  status text not null check (status in ('pending', 'succeeded', 'cancelled')),
  payment_id uuid,
  created_by text not null,
  created timestamptz not null,
  finished timestamptz,
  primary key (organization_id, id)
);
create index billing_checkouts_pending on billing_checkouts (organization_id) where status = 'pending';
