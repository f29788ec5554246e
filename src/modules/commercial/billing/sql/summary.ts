import type { Sql } from '../../../../platform/database/index.ts';

export type SummaryRow = {
  organization_id: string;
  plan: string;
  period_end: Date | null;
  outstanding: number;
  overdue: number;
  balance: number;
};

/** A subscription runs to the end of the month that was charged last, or to the date that an operator has entered. */
export function readSummaryRows(sql: Sql, organizationIds: string[], today: string): Promise<SummaryRow[]> {
  return sql<SummaryRow[]>`
    select o.id as organization_id, o.plan,
           greatest(o.period_end, case when a.fee_rows > 0
             then (a.charged_through + interval '1 month') at time zone 'Asia/Riyadh' end) as period_end,
           fees.outstanding, fees.overdue, a.balance_sar as balance
    from billing_accounts a
    join organizations o on o.id = a.organization_id
    cross join lateral (
      select coalesce(sum(f.total_sar - f.paid_sar), 0) as outstanding,
             coalesce(sum(f.total_sar - f.paid_sar) filter (where f.due_date < ${today}::date), 0) as overdue
      from branch_fees f
      where f.organization_id = a.organization_id and f.status in ('pending', 'overdue')) fees
    where a.organization_id = any(${organizationIds}::uuid[])`;
}
