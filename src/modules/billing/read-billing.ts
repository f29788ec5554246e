import { gatherReads, type Sql } from '../../platform/database/index.ts';

export type BillingSummary = {
  plan: string;
  periodEnd: Date | null;
  outstandingSar: number;
  overdueSar: number;
  balanceSar: number;
};

export type ReadBilling = (organizationId: string) => Promise<BillingSummary>;

export function createReadBilling(sql: Sql): ReadBilling {
  const find = gatherReads<string, Row>({
    load: (organizationIds) => readSummaries(sql, organizationIds),
    keyOf: (row) => row.organization_id,
    textOf: (organizationId) => organizationId,
    maxBatch: 100,
    parallel: 2,
  });
  return async (organizationId) => {
    const row = await find(organizationId);
    if (row === undefined) throw new Error(`organization ${organizationId} has no billing row`);
    return {
      plan: row.plan,
      periodEnd: row.period_end,
      outstandingSar: row.outstanding,
      overdueSar: row.overdue,
      balanceSar: row.balance,
    };
  };
}

type Row = {
  organization_id: string;
  plan: string;
  period_end: Date | null;
  outstanding: number;
  overdue: number;
  balance: number;
};

async function readSummaries(sql: Sql, organizationIds: string[]): Promise<Row[]> {
  return await sql<Row[]>`
    select o.id as organization_id, o.plan, o.period_end, fees.outstanding, fees.overdue, wallet.balance
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
    where o.id = any(${organizationIds}::uuid[])`;
}
