import type { Queryable, Tx } from '../../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../../platform/http/paging.ts';

export type InvoiceLine = {
  kind: 'branch' | 'service';
  /** The branch's iv_id, or the service's code. */
  code: string;
  name_en: string;
  name_ar: string;
  amount_sar: string;
  vat_sar: string;
};

export type FeeInvoiceRow = {
  organization_id: string;
  position: number;
  number: string;
  period: string;
  due_date: string;
  issued_at: Date;
  seller_name: string;
  seller_name_ar: string;
  seller_vat_number: string;
  seller_address: string;
  buyer_name_en: string;
  buyer_name_ar: string;
  buyer_vat_number: string;
  buyer_address: string;
  lines: InvoiceLine[];
  amount_sar: string;
  vat_sar: string;
  total_sar: string;
  qr: string;
};

const SERIES = 'fees';

/** Reserves so many numbers and returns the first. The counter stays locked until the commit, so a rollback leaves no gap. */
export async function takePositions(tx: Tx, count: number): Promise<number> {
  const [row] = await tx<[{ last_number: number }]>`
    insert into fee_invoice_counters as c (series, last_number) values (${SERIES}, ${count})
    on conflict (series) do update set last_number = c.last_number + excluded.last_number
    returning last_number`;
  return row.last_number - count + 1;
}

export async function listInvoicedPeriods(tx: Tx, organizationId: string): Promise<string[]> {
  const rows = await tx<{ period: string }[]>`
    select period::text from fee_invoices where organization_id = ${organizationId}`;
  return rows.map(({ period }) => period);
}

export async function insertFeeInvoice(tx: Tx, { total_sar: _total, lines, ...invoice }: FeeInvoiceRow): Promise<void> {
  await tx`insert into fee_invoices ${tx({ ...invoice, lines: tx.json(lines) })}`;
}

const columns = (sql: Queryable) => sql`
  organization_id, position, number, period::text, due_date::text, issued_at, seller_name, seller_name_ar,
  seller_vat_number, seller_address, buyer_name_en, buyer_name_ar, buyer_vat_number, buyer_address, lines,
  round(amount_sar, 2)::text as amount_sar, round(vat_sar, 2)::text as vat_sar, round(total_sar, 2)::text as total_sar, qr`;

export function listFeeInvoiceRows(sql: Queryable, organizationId: string, paging: Paging): Promise<FeeInvoiceRow[]> {
  return sql<FeeInvoiceRow[]>`
    select ${columns(sql)} from fee_invoices where organization_id = ${organizationId}
    order by position desc limit ${paging.limit} offset ${offsetOf(paging)}`;
}

/** One invoice a month: counting them reads few rows. */
export async function countFeeInvoices(sql: Queryable, organizationId: string): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from fee_invoices where organization_id = ${organizationId}`;
  return row?.total ?? 0;
}

export async function findFeeInvoice(
  sql: Queryable,
  organizationId: string,
  number: string,
): Promise<FeeInvoiceRow | undefined> {
  const [row] = await sql<FeeInvoiceRow[]>`
    select ${columns(sql)} from fee_invoices where organization_id = ${organizationId} and number = ${number}`;
  return row;
}
