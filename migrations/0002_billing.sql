-- What a tenant owes and holds. The ledger is append-only; every balance is a sum of it.

create table ledger_entries (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  entry_type text not null check (entry_type in ('topup', 'branch_fee', 'service_fee', 'credit', 'refund', 'adjustment')),
  direction text not null check (direction in ('credit', 'debit')),
  amount_sar numeric not null check (amount_sar >= 0),
  vat_sar numeric not null default 0 check (vat_sar >= 0),
  reference text not null default '',
  note text not null default '',
  created_by text not null default '',
  created timestamptz not null,
  primary key (organization_id, id)
);
-- Lets a wallet's balance be summed from the index alone.
create index ledger_balance on ledger_entries (organization_id) include (direction, amount_sar);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;
create trigger ledger_append_only before update or delete on ledger_entries
  for each row execute function refuse_ledger_change();

create table branch_fees (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  branch_iv_id text not null,
  period date not null,
  amount_sar numeric not null check (amount_sar >= 0),
  vat_sar numeric not null default 0 check (vat_sar >= 0),
  paid_sar numeric not null default 0 check (paid_sar >= 0),
  status text not null check (status in ('pending', 'paid', 'overdue', 'void')),
  due_date date not null,
  created timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, branch_iv_id, period)
);
create index branch_fees_open on branch_fees (organization_id, due_date) where status in ('pending', 'overdue');
