import type { Queryable } from '../../../../platform/database/index.ts';
import type { FleetSums } from '../index.ts';

/** Every figure of the fleet, straight from the rows, by its definition in the README. */
export async function recountFleet(sql: Queryable, today: string): Promise<FleetSums> {
  const [row] = await sql<Record<string, string>[]>`
    with l as (select * from ledger_entries), f as (
      select *, total_sar - paid_sar as rest, ${today}::date - due_date as late,
             case when status in ('pending', 'overdue')
                  then case when due_date < ${today}::date then 'overdue' else 'pending' end else status end as shown
      from branch_fees), open as (select * from f where status in ('pending', 'overdue')), p as (
      select * from billing_payments where status = 'succeeded')
    select
      (select coalesce(sum(total_sar), 0) from p)::numeric(30, 2)::text as "cashCollectedSar",
      (select coalesce(sum(total_sar), 0) from p
       where (created at time zone 'Asia/Riyadh')::date > ${today}::date - 30)::numeric(30, 2)::text as "cashCollected30dSar",
      (select coalesce(sum(balance_sar), 0) from billing_accounts)::numeric(30, 2)::text as "walletBalanceSar",
      (select coalesce(sum(rest), 0) from open)::numeric(30, 2)::text as "outstandingSar",
      (select coalesce(sum(rest), 0) from open where late > 0)::numeric(30, 2)::text as "overdueSar",
      (select coalesce(sum(total_sar), 0) from l where entry_type = 'credit')::numeric(30, 2)::text as "creditsIssuedSar",
      (select coalesce(sum(total_sar), 0) from l
       where direction = 'debit' and entry_type in ('refund', 'adjustment'))::numeric(30, 2)::text as "refundLikeDebitsSar",
      (select coalesce(sum(vat_sar), 0) from l
       where entry_type in ('branch_fee', 'service_fee'))::numeric(30, 2)::text as "recognizedVatSar",
      ((select coalesce(sum(amount_sar), 0) from l where entry_type in ('branch_fee', 'service_fee'))
       - (select coalesce(sum(total_sar), 0) from l where entry_type = 'credit'))::numeric(30, 2)::text as "netRevenueSar",
      (select json_build_object(
         'currentSar', coalesce(sum(rest) filter (where late <= 0), 0)::numeric(30, 2)::text,
         'days1To30Sar', coalesce(sum(rest) filter (where late between 1 and 30), 0)::numeric(30, 2)::text,
         'days31To60Sar', coalesce(sum(rest) filter (where late between 31 and 60), 0)::numeric(30, 2)::text,
         'days61PlusSar', coalesce(sum(rest) filter (where late > 60), 0)::numeric(30, 2)::text,
         'pendingRows', count(*) filter (where late <= 0), 'overdueRows', count(*) filter (where late > 0))
       from open) as receivables,
      (select coalesce(json_agg(g order by g.status), '[]') from (
         select shown as status, count(*) as count, sum(total_sar)::numeric(30, 2)::text as "amountSar"
         from f group by shown) g) as "statusBreakdown",
      (select coalesce(json_agg(g order by g."entryType", g.direction), '[]') from (
         select entry_type as "entryType", direction, count(*) as count, sum(total_sar)::numeric(30, 2)::text as "amountSar"
         from l group by entry_type, direction) g) as "ledgerBreakdown",
      (select json_build_object(
         'successfulPaymentsSar', (select coalesce(sum(total_sar), 0) from p)::numeric(30, 2)::text,
         'ledgerCreditsSar', coalesce(sum(total_sar) filter (where entry_type = 'topup'), 0)::numeric(30, 2)::text,
         'varianceSar', ((select coalesce(sum(total_sar), 0) from p)
           - coalesce(sum(total_sar) filter (where entry_type = 'topup'), 0))::numeric(30, 2)::text)
       from l) as reconciliation`;
  return row as unknown as FleetSums;
}

/** Accounts that violate an invariant of the ledger, by organization. */
export async function findBrokenAccounts(sql: Queryable): Promise<object[]> {
  return sql<object[]>`
    select a.organization_id, a.balance_sar, l.balance, a.ledger_rows, l.entries, a.fee_rows, f.fees, a.collected_sar,
           p.collected, f.unbacked
    from billing_accounts a
    cross join lateral (
      select count(*) as entries,
             coalesce(sum(case direction when 'credit' then total_sar else -total_sar end), 0) as balance
      from ledger_entries l where l.organization_id = a.organization_id) l
    cross join lateral (
      select coalesce(sum(total_sar), 0) as collected from billing_payments p
      where p.organization_id = a.organization_id and p.status = 'succeeded') p
    cross join lateral (
      -- A fee is paid by ledger entries, to the halala and with its very VAT.
      select count(*) as fees,
             count(*) filter (where f.paid_sar <> d.paid or (f.status = 'paid' and f.vat_sar <> d.vat)
               or f.paid_sar > f.total_sar) as unbacked
      from branch_fees f
      cross join lateral (
        select coalesce(sum(total_sar), 0) as paid, coalesce(sum(vat_sar), 0) as vat from ledger_entries d
        where d.organization_id = f.organization_id and d.branch_fee_id = f.id) d
      where f.organization_id = a.organization_id) f
    where a.balance_sar <> l.balance or a.balance_sar < 0 or a.ledger_rows <> l.entries or a.fee_rows <> f.fees
      or a.collected_sar <> p.collected or f.unbacked > 0`;
}
