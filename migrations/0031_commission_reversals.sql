-- Commission that partners lose when a tenant's money is refunded.

-- One row per refund and payment that the refund takes back, in whole or in part. Append-only like the accruals: the net of a
-- payment is its accrual less its reversals.
create table commission_reversals (
  organization_id uuid not null,
  refund_id uuid not null,
  payment_id uuid not null,
  partner_id uuid not null references partners (id),
  refunded_sar numeric not null check (refunded_sar > 0),
  commission_sar numeric not null check (commission_sar >= 0 and commission_sar = round(commission_sar, 2)),
  created timestamptz not null,
  primary key (organization_id, refund_id, payment_id),
  foreign key (organization_id, payment_id) references commission_accruals (organization_id, payment_id),
  foreign key (organization_id, refund_id) references ledger_entries (organization_id, id)
);
create index commission_reversals_of_payment on commission_reversals (organization_id, payment_id);
create trigger reversals_append_only before update or delete on commission_reversals
  for each row execute function refuse_commission_change();

-- collected_sar and commission_sar of a tenant are net of reversals; this is the commission that was reversed.
alter table partner_tenants add column reversed_sar numeric not null default 0;

-- Refunds made before this table existed, in the order in which they were made, by the rule of reverse-commission.ts.
do $$
declare
  refund record;
begin
  for refund in
    select l.organization_id, l.id, l.total_sar, l.created from ledger_entries l
    where l.entry_type = 'refund' and l.direction = 'debit'
      and exists (select from commission_accruals a where a.organization_id = l.organization_id)
    order by l.created, l.id
  loop
    with open_accruals as (
      select a.payment_id, a.partner_id, a.rate_percent, a.created, a.collected_sar - coalesce(r.refunded_sar, 0) as left_sar,
             a.commission_sar - coalesce(r.commission_sar, 0) as commission_sar
      from commission_accruals a
      left join lateral (
        select sum(v.refunded_sar) as refunded_sar, sum(v.commission_sar) as commission_sar from commission_reversals v
        where v.organization_id = a.organization_id and v.payment_id = a.payment_id) r on true
      where a.organization_id = refund.organization_id and a.created <= refund.created
    ), ranked as (
      select *, coalesce(sum(left_sar) over (order by created desc, payment_id desc
                                            rows between unbounded preceding and 1 preceding), 0) as before_sar
      from open_accruals where left_sar > 0
    ), made as (
      insert into commission_reversals (organization_id, refund_id, payment_id, partner_id, refunded_sar, commission_sar, created)
      select refund.organization_id, refund.id, payment_id, partner_id, part_sar,
             greatest(0, commission_sar - round((left_sar - part_sar) * rate_percent / 100, 2)), refund.created
      from (select *, least(left_sar, refund.total_sar - before_sar) as part_sar from ranked) p where part_sar > 0
      returning partner_id, refunded_sar, commission_sar)
    update partner_tenants t
    set collected_sar = t.collected_sar - m.refunded_sar, commission_sar = t.commission_sar - m.commission_sar,
        reversed_sar = t.reversed_sar + m.commission_sar
    from (select partner_id, sum(refunded_sar) as refunded_sar, sum(commission_sar) as commission_sar from made
          group by partner_id) m
    where t.organization_id = refund.organization_id and t.partner_id = m.partner_id;
  end loop;
end $$;
