import type { Queryable, Tx } from '../../../../platform/database/index.ts';

export type MonthFee = {
  kind: 'branch' | 'service';
  branch_iv_id: string;
  service_code: string;
  period: string;
  due_date: string;
  amount_sar: string;
  vat_sar: string;
};

/** Fees of all months but these, the oldest first, in the order of a month's bill. */
export function listFeesOfOtherMonths(tx: Tx, organizationId: string, periods: readonly string[]): Promise<MonthFee[]> {
  return tx<MonthFee[]>`
    select kind, branch_iv_id, service_code, period::text, due_date::text, round(amount_sar, 2)::text as amount_sar,
           round(vat_sar, 2)::text as vat_sar
    from branch_fees
    where organization_id = ${organizationId} and status <> 'void' and period <> all(${[...periods]}::date[])
    order by period, kind, branch_iv_id, service_code, id`;
}

export type MonthBalance = { period: string; paid_sar: string; outstanding_sar: string; is_overdue: boolean };

/** What is paid and left to pay of each of these months. */
export function readMonthBalances(
  sql: Queryable,
  organizationId: string,
  periods: readonly string[],
  today: string,
): Promise<MonthBalance[]> {
  return sql<MonthBalance[]>`
    select period::text, round(sum(paid_sar), 2)::text as paid_sar,
           round(coalesce(sum(total_sar - paid_sar) filter (where status in ('pending', 'overdue')), 0), 2)::text
             as outstanding_sar,
           coalesce(bool_or(status in ('pending', 'overdue') and due_date < ${today}::date), false) as is_overdue
    from branch_fees
    where organization_id = ${organizationId} and period = any(${[...periods]}::date[])
    group by period`;
}
