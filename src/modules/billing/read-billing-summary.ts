import type { Sql } from '../../platform/database/index.ts';

export type BillingSummary = {
  plan: string;
  periodEnd: Date | null;
  outstandingSar: number;
  overdueSar: number;
  balanceSar: number;
};

type Row = { plan: string; period_end: Date | null; outstanding: number; overdue: number; balance: number };

export async function readBillingSummary(sql: Sql, organizationId: string): Promise<BillingSummary> {
  const [row] = await sql<Row[]>`
    select o.plan, o.period_end, fees.outstanding, fees.overdue, wallet.balance
    from organizations o
    cross join lateral (
      select coalesce(sum(f.amount_sar + f.vat_sar - f.paid_sar), 0) as outstanding,
             coalesce(sum(f.amount_sar + f.vat_sar - f.paid_sar) filter (where f.status = 'overdue'), 0) as overdue
      from branch_fees f
      where f.organization_id = o.id and f.status in ('pending', 'overdue')) fees
    cross join lateral (
      select coalesce(sum(case l.direction when 'credit' then l.amount_sar else -l.amount_sar end), 0) as balance
      from ledger_entries l
      where l.organization_id = o.id) wallet
    where o.id = ${organizationId}`;
  if (row === undefined) throw new Error(`organization ${organizationId} has no billing row`);
  return {
    plan: row.plan,
    periodEnd: row.period_end,
    outstandingSar: row.outstanding,
    overdueSar: row.overdue,
    balanceSar: row.balance,
  };
}
