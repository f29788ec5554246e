import type { Queryable } from '../../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../../platform/http/paging.ts';
import type { LedgerRow } from './ledger.ts';
import type { PaymentRow } from './payments.ts';

/** The organization's name, as operators see it. */
export type Named<Row> = Row & { organization_name_en: string };

export function listPaymentRows(sql: Queryable, paging: Paging): Promise<Named<PaymentRow>[]> {
  return sql<Named<PaymentRow>[]>`
    select p.organization_id, p.id, round(p.amount_sar, 2)::text as amount_sar, round(p.vat_sar, 2)::text as vat_sar,
           round(p.total_sar, 2)::text as total_sar, p.method, p.status, p.reference, p.created_by, p.created,
           o.name_en as organization_name_en
    from (select * from billing_payments order by created desc, id desc limit ${paging.limit} offset ${offsetOf(paging)}) p
    join organizations o on o.id = p.organization_id
    order by p.created desc, p.id desc`;
}

const ledgerColumns = (sql: Queryable) => sql`
  l.organization_id, l.id, l.entry_type, l.direction, round(l.amount_sar, 2)::text as amount_sar,
  round(l.vat_sar, 2)::text as vat_sar, round(l.total_sar, 2)::text as total_sar, l.reference, l.note, l.created_by,
  l.branch_fee_id, l.payment_id, l.created`;

export function listAdjustmentRows(sql: Queryable, paging: Paging): Promise<Named<LedgerRow>[]> {
  return sql<Named<LedgerRow>[]>`
    select ${ledgerColumns(sql)}, o.name_en as organization_name_en
    from (select * from ledger_entries where entry_type in ('credit', 'refund', 'adjustment')
          order by created desc, id desc limit ${paging.limit} offset ${offsetOf(paging)}) l
    join organizations o on o.id = l.organization_id
    order by l.created desc, l.id desc`;
}

/** The newest first: ids follow the order in which entries were posted. */
export function listLedgerRows(sql: Queryable, organizationId: string, paging: Paging): Promise<LedgerRow[]> {
  return sql<LedgerRow[]>`
    select ${ledgerColumns(sql)} from ledger_entries l where l.organization_id = ${organizationId}
    order by l.id desc limit ${paging.limit} offset ${offsetOf(paging)}`;
}

export type FeeStatus = 'pending' | 'paid' | 'overdue' | 'void';

export type FeeRow = {
  organization_id: string;
  id: string;
  kind: 'branch' | 'service';
  branch_iv_id: string;
  organization_app_id: string | null;
  service_id: string | null;
  service_code: string;
  period: string;
  amount_sar: string;
  vat_sar: string;
  total_sar: string;
  paid_sar: string;
  outstanding_sar: string;
  /** By the date, regardless of the stored status. */
  status: FeeStatus;
  due_date: string;
  paid_at: Date | null;
  created: Date;
};

const feeColumns = (sql: Queryable, today: string) => sql`
  f.organization_id, f.id, f.kind, f.branch_iv_id, f.organization_app_id, f.service_id, f.service_code, f.period::text,
  round(f.amount_sar, 2)::text as amount_sar, round(f.vat_sar, 2)::text as vat_sar,
  round(f.total_sar, 2)::text as total_sar, round(f.paid_sar, 2)::text as paid_sar,
  round(case when f.status in ('pending', 'overdue') then f.total_sar - f.paid_sar else 0 end, 2)::text as outstanding_sar,
  case when f.status in ('pending', 'overdue')
       then case when f.due_date < ${today}::date then 'overdue' else 'pending' end
       else f.status end as status,
  f.due_date::text, f.paid_at, f.created`;

export function listFeeRows(sql: Queryable, organizationId: string, paging: Paging, today: string): Promise<FeeRow[]> {
  return sql<FeeRow[]>`
    select ${feeColumns(sql, today)} from branch_fees f where f.organization_id = ${organizationId}
    order by f.period desc, f.id desc limit ${paging.limit} offset ${offsetOf(paging)}`;
}

export function listNewestFeeRows(sql: Queryable, limit: number, today: string): Promise<Named<FeeRow>[]> {
  return sql<Named<FeeRow>[]>`
    select ${feeColumns(sql, today)}, o.name_en as organization_name_en
    from (select * from branch_fees order by created desc, id desc limit ${limit}) f
    join organizations o on o.id = f.organization_id
    order by f.created desc, f.id desc`;
}

/** How many entries and fees an organization has, kept with them. */
export async function readRowCounts(
  sql: Queryable,
  organizationId: string,
): Promise<{ ledger_rows: number; fee_rows: number }> {
  const [row] = await sql<{ ledger_rows: number; fee_rows: number }[]>`
    select ledger_rows, fee_rows from billing_accounts where organization_id = ${organizationId}`;
  return row ?? { ledger_rows: 0, fee_rows: 0 };
}
