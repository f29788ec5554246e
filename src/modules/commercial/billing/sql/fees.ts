import type { Queryable, Tx } from '../../../../platform/database/index.ts';

export type OpenFeeRow = {
  id: string;
  kind: 'branch' | 'service';
  branch_iv_id: string;
  service_code: string;
  period: string;
  due_date: string;
  vat_sar: string;
  total_sar: string;
  paid_sar: string;
};

const openColumns = (sql: Queryable) => sql`
  f.id, f.kind, f.branch_iv_id, f.service_code, f.period::text, f.due_date::text, f.vat_sar::text, f.total_sar::text,
  f.paid_sar::text`;

/** The oldest first. Money moves under the lock of the account, so these need none of their own. */
export function listOpenFeeRows(sql: Queryable, organizationId: string): Promise<OpenFeeRow[]> {
  return sql<OpenFeeRow[]>`
    select ${openColumns(sql)} from branch_fees f
    where f.organization_id = ${organizationId} and f.status in ('pending', 'overdue')
    order by f.due_date, f.id`;
}

/** With the balance, from one snapshot. One row without a fee when nothing is open; no row when there is no such account. */
export function readDebtRows(
  sql: Queryable,
  organizationId: string,
): Promise<({ balance_sar: string } & (OpenFeeRow | { id: null }))[]> {
  return sql`
    select a.balance_sar::text, ${openColumns(sql)} from billing_accounts a
    left join branch_fees f on f.organization_id = a.organization_id and f.status in ('pending', 'overdue')
    where a.organization_id = ${organizationId}
    order by f.due_date, f.id` as Promise<({ balance_sar: string } & OpenFeeRow)[]>;
}

export type FeePayment = { id: string; paidSar: string; isPaid: boolean };

export async function payFeeRows(
  tx: Tx,
  organizationId: string,
  payments: readonly FeePayment[],
  now: Date,
): Promise<void> {
  if (payments.length === 0) return;
  await tx`
    update branch_fees f
    set paid_sar = p.paid_sar, status = case when p.is_paid then 'paid' else f.status end,
        paid_at = case when p.is_paid then ${now} end
    from unnest(
      ${payments.map(({ id }) => id)}::uuid[], ${payments.map(({ paidSar }) => paidSar)}::numeric[],
      ${payments.map(({ isPaid }) => isPaid)}::boolean[]) as p (id, paid_sar, is_paid)
    where f.organization_id = ${organizationId} and f.id = p.id`;
}

export type NewFeeRow = {
  id: string;
  kind: 'branch' | 'service';
  branchIvId: string;
  organizationAppId: string | null;
  serviceId: string | null;
  serviceCode: string;
  period: string;
  dueDate: string;
  amountSar: string;
  vatSar: string;
  paidSar: string;
  status: 'pending' | 'overdue' | 'paid';
};

export async function insertFeeRows(
  tx: Tx,
  organizationId: string,
  fees: readonly NewFeeRow[],
  now: Date,
): Promise<void> {
  if (fees.length === 0) return;
  await tx`
    insert into branch_fees (organization_id, id, kind, branch_iv_id, organization_app_id, service_id, service_code, period,
      due_date, amount_sar, vat_sar, paid_sar, status, paid_at, created)
    select ${organizationId}::uuid, n.id, n.kind, n.branch_iv_id, n.organization_app_id, n.service_id, n.service_code,
           n.period, n.due_date, n.amount_sar, n.vat_sar, n.paid_sar, n.status,
           case when n.status = 'paid' then ${now} end, ${now}
    from unnest(
      ${fees.map((fee) => fee.id)}::uuid[], ${fees.map((fee) => fee.kind)}::text[],
      ${fees.map((fee) => fee.branchIvId)}::text[], ${fees.map((fee) => fee.organizationAppId)}::uuid[],
      ${fees.map((fee) => fee.serviceId)}::uuid[], ${fees.map((fee) => fee.serviceCode)}::text[],
      ${fees.map((fee) => fee.period)}::date[], ${fees.map((fee) => fee.dueDate)}::date[],
      ${fees.map((fee) => fee.amountSar)}::numeric[], ${fees.map((fee) => fee.vatSar)}::numeric[],
      ${fees.map((fee) => fee.paidSar)}::numeric[], ${fees.map((fee) => fee.status)}::text[])
      as n (id, kind, branch_iv_id, organization_app_id, service_id, service_code, period, due_date, amount_sar, vat_sar,
            paid_sar, status)`;
}

/** The last charged period of each service assignment. */
export function readLastCharged(
  tx: Tx,
  organizationId: string,
): Promise<{ organization_app_id: string; service_id: string; period: string }[]> {
  return tx<{ organization_app_id: string; service_id: string; period: string }[]>`
    select organization_app_id, service_id, max(period)::text as period from branch_fees
    where organization_id = ${organizationId} and kind = 'service' and status <> 'void'
    group by organization_app_id, service_id`;
}

/** Updates the stored status; readers go by the date itself. Returns how many fees became overdue. */
export async function markOverdueRows(tx: Tx, organizationId: string, today: string): Promise<number> {
  const rows = await tx`
    update branch_fees set status = 'overdue'
    where organization_id = ${organizationId} and status = 'pending' and due_date < ${today}::date`;
  return rows.count;
}

export async function hasFeeDueBefore(sql: Queryable, organizationId: string, day: string): Promise<boolean> {
  const rows = await sql`
    select 1 from branch_fees
    where organization_id = ${organizationId} and status in ('pending', 'overdue') and due_date < ${day}::date limit 1`;
  return rows.length > 0;
}
