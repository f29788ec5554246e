import type { Queryable, Tx } from '../../../../platform/database/index.ts';

export type AccountRow = { organization_id: string; balance_sar: string; charged_through: string };

export async function lockAccountRow(tx: Tx, organizationId: string): Promise<AccountRow | undefined> {
  const [row] = await tx<AccountRow[]>`
    select organization_id, balance_sar::text, charged_through::text from billing_accounts
    where organization_id = ${organizationId} for no key update`;
  return row;
}

export async function setChargedThrough(tx: Tx, organizationId: string, period: string): Promise<void> {
  await tx`
    update billing_accounts set charged_through = ${period}::date where organization_id = ${organizationId}`;
}

export type AccountOutline = { organization_id: string; balance_sar: string; collected_sar: string };

export function readAccountRows(sql: Queryable): Promise<AccountOutline[]> {
  return sql<AccountOutline[]>`
    select organization_id, round(balance_sar, 2)::text as balance_sar, round(collected_sar, 2)::text as collected_sar
    from billing_accounts`;
}

export type DueForBilling = { after: string | undefined; period: string; today: string; longOverdueBefore: string };

/**
 * Organizations that a run has work for: a month to charge, a fee that the wallet covers or that became overdue, a
 * suspension to begin or to end. A run without work costs this one statement.
 */
export async function listAccountsDue(
  sql: Queryable,
  { after, period, today, longOverdueBefore }: DueForBilling,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ organization_id: string }[]>`
    select a.organization_id
    from billing_accounts a
    join organizations o on o.id = a.organization_id
    left join lateral (
      select f.total_sar - f.paid_sar as rest_sar, f.due_date from branch_fees f
      where f.organization_id = a.organization_id and f.status in ('pending', 'overdue')
      order by f.due_date, f.id limit 1) oldest on true
    where ${after === undefined ? sql`true` : sql`a.organization_id > ${after}`}
      and (a.charged_through < ${period}::date
        or a.balance_sar >= oldest.rest_sar
        or exists (
          select from branch_fees f
          where f.organization_id = a.organization_id and f.status = 'pending' and f.due_date < ${today}::date)
        or (o.suspended_at is null and oldest.due_date < ${longOverdueBefore}::date)
        or (o.suspended_by = 'billing' and coalesce(oldest.due_date >= ${longOverdueBefore}::date, true)))
    order by a.organization_id limit ${limit}`;
  return rows.map((row) => row.organization_id);
}
