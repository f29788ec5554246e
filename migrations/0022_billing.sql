-- Every amount says what it is: amount_sar without VAT, vat_sar, total_sar of both, in whole halalas. Balances, counts and
-- the figures of the whole fleet move with the rows they are made of, by trigger, so no writer can forget them.

-- Until now a ledger amount had its VAT in it and a fee had not, and both came from floats.
alter table ledger_entries
  add column branch_fee_id uuid,
  add column payment_id uuid;
alter table ledger_entries disable trigger ledger_append_only;
update ledger_entries
set amount_sar = round(amount_sar, 2) - least(round(vat_sar, 2), round(amount_sar, 2)),
    vat_sar = least(round(vat_sar, 2), round(amount_sar, 2)),
    -- Below, the payment behind an old top-up is made under the id of that top-up.
    payment_id = case when entry_type = 'topup' and round(amount_sar, 2) > 0 then id end;
alter table ledger_entries enable trigger ledger_append_only;
drop index ledger_balance;
alter table ledger_entries
  add column total_sar numeric not null generated always as (amount_sar + vat_sar) stored,
  add constraint ledger_halalas check (amount_sar = round(amount_sar, 2) and vat_sar = round(vat_sar, 2)),
  -- Money comes in as a top-up or a credit, and goes out as a fee or a refund; only an adjustment goes either way.
  add constraint ledger_direction check (case
    when entry_type in ('topup', 'credit') then direction = 'credit'
    when entry_type in ('branch_fee', 'service_fee', 'refund') then direction = 'debit'
    else true end) not valid;
create index ledger_adjustments on ledger_entries (created desc, id desc)
  where entry_type in ('credit', 'refund', 'adjustment');
-- A payment tops up once.
create unique index ledger_topup_of_a_payment on ledger_entries (organization_id, payment_id) where payment_id is not null;
create trigger ledger_never_emptied before truncate on ledger_entries
  for each statement execute function refuse_ledger_change();

update branch_fees
set amount_sar = round(amount_sar, 2), vat_sar = round(vat_sar, 2),
    paid_sar = case when status = 'paid' then round(amount_sar, 2) + round(vat_sar, 2)
                    else least(round(paid_sar, 2), round(amount_sar, 2) + round(vat_sar, 2)) end,
    status = case when status in ('pending', 'overdue') and round(paid_sar, 2) >= round(amount_sar, 2) + round(vat_sar, 2)
                  then 'paid' else status end;
alter table branch_fees
  -- A service's fee is a fee like a branch's: of an install instead of a branch.
  add column kind text not null default 'branch' check (kind in ('branch', 'service')),
  add column organization_app_id uuid,
  add column service_id uuid,
  add column service_code text not null default '',
  add column total_sar numeric not null generated always as (amount_sar + vat_sar) stored,
  add column paid_at timestamptz,
  add constraint fee_halalas check (amount_sar = round(amount_sar, 2) and vat_sar = round(vat_sar, 2)
    and paid_sar = round(paid_sar, 2)),
  add constraint fee_not_overpaid check (paid_sar <= amount_sar + vat_sar),
  add constraint fee_paid_in_full check (status = 'void' or (status = 'paid') = (paid_sar = amount_sar + vat_sar)),
  add constraint fee_of_a_service check ((kind = 'service') = (organization_app_id is not null and service_id is not null)),
  drop constraint branch_fees_organization_id_branch_iv_id_period_key;
create unique index branch_fees_of_a_branch on branch_fees (organization_id, branch_iv_id, period) where kind = 'branch';
create unique index branch_fees_of_a_service on branch_fees (organization_id, organization_app_id, service_id, period)
  where kind = 'service';
create index branch_fees_newest on branch_fees (created desc, id desc);
create index branch_fees_of_organization on branch_fees (organization_id, period desc, id desc);

create function refuse_fee_removal() returns trigger language plpgsql as $$
begin
  raise exception 'a fee is voided, never removed';
end $$;
create trigger fees_never_removed before delete on branch_fees
  for each row execute function refuse_fee_removal();
create trigger fees_never_emptied before truncate on branch_fees
  for each statement execute function refuse_fee_removal();

-- Money received. Every one that succeeded has its top-up in the ledger; reconciliation holds the two against each other.
create table billing_payments (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  amount_sar numeric not null check (amount_sar > 0 and amount_sar = round(amount_sar, 2)),
  -- Money paid in advance has no VAT in it: that arises with the fee it pays.
  vat_sar numeric not null default 0 check (vat_sar >= 0 and vat_sar = round(vat_sar, 2)),
  total_sar numeric not null generated always as (amount_sar + vat_sar) stored,
  method text not null check (method in
    ('bank_transfer', 'credit_card', 'debit_card', 'card', 'wallet', 'cash', 'cheque', 'sadad', 'online')),
  status text not null check (status in ('succeeded', 'pending', 'failed')),
  reference text not null default '',
  created_by text not null default '',
  created timestamptz not null,
  primary key (organization_id, id)
);
create index billing_payments_newest on billing_payments (created desc, id desc);

-- One row an organization: its balance, kept with the ledger, and the lock under which its money moves.
create table billing_accounts (
  organization_id uuid primary key references organizations (id),
  balance_sar numeric not null default 0,
  collected_sar numeric not null default 0,
  ledger_rows bigint not null default 0,
  fee_rows bigint not null default 0,
  -- First day of the last month whose fees were charged; the month in which an organization or a branch begins is free.
  charged_through date not null check (extract(day from charged_through) = 1)
);
create function refuse_overdraft() returns trigger language plpgsql as $$
begin
  if new.balance_sar < 0 and new.balance_sar < old.balance_sar then
    raise exception 'the wallet of % does not hold that much', new.organization_id
      using errcode = 'check_violation', constraint = 'wallet_not_overdrawn';
  end if;
  return new;
end $$;
create trigger wallet_not_overdrawn before update of balance_sar on billing_accounts
  for each row execute function refuse_overdraft();

create function open_billing_account() returns trigger language plpgsql as $$
begin
  insert into billing_accounts (organization_id, charged_through)
  values (new.id, date_trunc('month', new.created at time zone 'Asia/Riyadh'));
  return null;
end $$;
create trigger organization_has_an_account after insert on organizations
  for each row execute function open_billing_account();

-- Figures of the whole fleet. Writers only add rows to the changes, so none waits for another; a reader adds both up,
-- and a job folds the changes into the sums.
create table billing_sums (
  measure text not null check (measure in ('ledger', 'fees', 'payments', 'payments_by_day')),
  -- ledger: type and direction; fees: status; payments: status.
  part text not null,
  -- fees: when due; payments_by_day: when received, in Riyadh; otherwise the epoch.
  day date not null,
  row_count bigint not null,
  amount_sar numeric not null,
  vat_sar numeric not null,
  total_sar numeric not null,
  paid_sar numeric not null,
  primary key (measure, part, day)
);
create table billing_sum_changes (
  id bigint generated always as identity primary key,
  measure text not null,
  part text not null,
  day date not null,
  row_count bigint not null,
  amount_sar numeric not null,
  vat_sar numeric not null,
  total_sar numeric not null,
  paid_sar numeric not null
);

create function count_ledger_entries() returns trigger language plpgsql as $$
begin
  insert into billing_sum_changes (measure, part, day, row_count, amount_sar, vat_sar, total_sar, paid_sar)
  select 'ledger', entry_type || ' ' || direction, date 'epoch', count(*), sum(amount_sar), sum(vat_sar), sum(total_sar), 0
  from added group by entry_type, direction;
  update billing_accounts a
  set balance_sar = a.balance_sar + moved.change, ledger_rows = a.ledger_rows + moved.row_count
  from (select organization_id, count(*) as row_count,
               sum(case direction when 'credit' then total_sar else -total_sar end) as change
        from added group by organization_id) moved
  where a.organization_id = moved.organization_id;
  return null;
end $$;
create trigger ledger_counted after insert on ledger_entries
  referencing new table as added for each statement execute function count_ledger_entries();

create function count_new_fees() returns trigger language plpgsql as $$
begin
  insert into billing_sum_changes (measure, part, day, row_count, amount_sar, vat_sar, total_sar, paid_sar)
  select 'fees', status, due_date, count(*), sum(amount_sar), sum(vat_sar), sum(total_sar), sum(paid_sar)
  from added group by status, due_date;
  update billing_accounts a set fee_rows = a.fee_rows + made.row_count
  from (select organization_id, count(*) as row_count from added group by organization_id) made
  where a.organization_id = made.organization_id;
  return null;
end $$;
create trigger fees_counted after insert on branch_fees
  referencing new table as added for each statement execute function count_new_fees();

create function count_changed_fees() returns trigger language plpgsql as $$
begin
  insert into billing_sum_changes (measure, part, day, row_count, amount_sar, vat_sar, total_sar, paid_sar)
  select 'fees', status, due_date, sum(sign), sum(sign * amount_sar), sum(sign * vat_sar), sum(sign * total_sar),
         sum(sign * paid_sar)
  from (select status, due_date, amount_sar, vat_sar, total_sar, paid_sar, 1 as sign from after_change
        union all
        select status, due_date, amount_sar, vat_sar, total_sar, paid_sar, -1 from before_change) moved
  group by status, due_date
  having sum(sign) <> 0 or sum(sign * amount_sar) <> 0 or sum(sign * vat_sar) <> 0 or sum(sign * paid_sar) <> 0;
  return null;
end $$;
create trigger fee_changes_counted after update on branch_fees
  referencing old table as before_change new table as after_change
  for each statement execute function count_changed_fees();

create function count_new_payments() returns trigger language plpgsql as $$
begin
  insert into billing_sum_changes (measure, part, day, row_count, amount_sar, vat_sar, total_sar, paid_sar)
  select 'payments', status, date 'epoch', count(*), sum(amount_sar), sum(vat_sar), sum(total_sar), 0
  from added group by status
  union all
  select 'payments_by_day', status, (created at time zone 'Asia/Riyadh')::date, count(*), sum(amount_sar), sum(vat_sar),
         sum(total_sar), 0
  from added group by status, (created at time zone 'Asia/Riyadh')::date;
  update billing_accounts a set collected_sar = a.collected_sar + paid.total
  from (select organization_id, sum(total_sar) as total from added where status = 'succeeded' group by organization_id) paid
  where a.organization_id = paid.organization_id;
  return null;
end $$;
create trigger payments_counted after insert on billing_payments
  referencing new table as added for each statement execute function count_new_payments();

-- A payment stays as it was recorded, like the ledger; one that fails later is another row.
create trigger payments_append_only before update or delete on billing_payments
  for each row execute function refuse_ledger_change();
create trigger payments_never_emptied before truncate on billing_payments
  for each statement execute function refuse_ledger_change();

-- What is there already: its accounts, sums, and the payments behind its top-ups. Nobody charged months by themselves
-- until now, so charging begins with the next one: an upgrade is not to present the bill of the years before it.
insert into billing_accounts (organization_id, balance_sar, ledger_rows, fee_rows, charged_through)
select o.id, coalesce(l.balance, 0), coalesce(l.row_count, 0), coalesce(f.row_count, 0),
       date_trunc('month', greatest(now() at time zone 'Asia/Riyadh', f.last_period::timestamp))::date
from organizations o
left join (select organization_id, count(*) as row_count,
                  sum(case direction when 'credit' then total_sar else -total_sar end) as balance
           from ledger_entries group by organization_id) l on l.organization_id = o.id
left join (select organization_id, count(*) as row_count, max(period) as last_period
           from branch_fees group by organization_id) f on f.organization_id = o.id;
insert into billing_sums (measure, part, day, row_count, amount_sar, vat_sar, total_sar, paid_sar)
select 'ledger', entry_type || ' ' || direction, date 'epoch', count(*), sum(amount_sar), sum(vat_sar), sum(total_sar), 0
from ledger_entries group by entry_type, direction
union all
select 'fees', status, due_date, count(*), sum(amount_sar), sum(vat_sar), sum(total_sar), sum(paid_sar)
from branch_fees group by status, due_date;
insert into billing_payments (organization_id, id, amount_sar, method, status, reference, created_by, created)
select organization_id, id, total_sar, 'bank_transfer', 'succeeded', reference, created_by, created
from ledger_entries where payment_id is not null;
alter table ledger_entries
  add constraint ledger_of_a_fee foreign key (organization_id, branch_fee_id) references branch_fees (organization_id, id),
  add constraint ledger_of_a_payment foreign key (organization_id, payment_id)
    references billing_payments (organization_id, id);

-- What a branch costs a month, without VAT.
create table billing_plans (
  plan text primary key,
  branch_fee_sar numeric not null check (branch_fee_sar >= 0 and branch_fee_sar = round(branch_fee_sar, 2)),
  vat_percent numeric not null default 15 check (vat_percent between 0 and 100)
);
insert into billing_plans (plan, branch_fee_sar) values
  ('starter', 150), ('standard', 250), ('growth', 220), ('enterprise', 180);

-- A suspension by the billing run ends with the payment; one by hand ends by hand.
alter table organizations
  add column suspended_by text not null default '' check (suspended_by in ('', 'billing', 'operator')),
  add column suspension_reason text not null default '';
update organizations set suspended_by = 'operator' where suspended_at is not null;

-- What operators did, over all organizations.
create index audit_entries_of_operators on audit_entries (id desc) where actor_kind = 'operator';
