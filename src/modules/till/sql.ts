import type { Queryable, Tx } from '../../platform/database/index.ts';
import type { Invoice } from './invoice.ts';

const columns = (sql: Queryable) => sql`
  organization_id, order_id, branch_id, branch_iv_id, position, invoice_number, uuid, issued_at, seller_name, vat_number,
  currency, total, vat, qr, hash, previous_hash`;

export async function findInvoice(
  sql: Queryable,
  organizationId: string,
  orderId: string,
): Promise<Invoice | undefined> {
  const [row] = await sql<Invoice[]>`
    select ${columns(sql)} from invoices where organization_id = ${organizationId} and order_id = ${orderId}`;
  return row;
}

export async function readInvoiceXml(sql: Queryable, organizationId: string, orderId: string): Promise<string> {
  const [row] = await sql<{ xml: string }[]>`
    select xml from invoices where organization_id = ${organizationId} and order_id = ${orderId}`;
  return row?.xml ?? '';
}

export type InvoiceCounter = { lastNumber: number; lastHash: string };

/** Locks the branch's counter until the end of the transaction: concurrent writers wait here and see the updated counter. */
export async function lockInvoiceCounter(
  tx: Tx,
  organizationId: string,
  branchIvId: string,
  firstPreviousHash: string,
): Promise<InvoiceCounter> {
  const [row] = await tx<{ last_number: number; last_hash: string }[]>`
    insert into invoice_counters as c (organization_id, branch_iv_id, last_number, last_hash)
    values (${organizationId}, ${branchIvId}, 0, ${firstPreviousHash})
    on conflict (organization_id, branch_iv_id) do update set last_number = c.last_number
    returning last_number, last_hash`;
  if (row === undefined) throw new Error('a counter that was just written is not there');
  return { lastNumber: row.last_number, lastHash: row.last_hash };
}

/** Inserts the invoice and advances the counter in one statement. The counter must be locked. */
export async function insertInvoice(tx: Tx, invoice: Invoice & { xml: string }): Promise<void> {
  await tx`
    with moved as (
      update invoice_counters set last_number = ${invoice.position}, last_hash = ${invoice.hash}
      where organization_id = ${invoice.organization_id} and branch_iv_id = ${invoice.branch_iv_id}
    )
    insert into invoices (${columns(tx)}, xml)
    values (${invoice.organization_id}, ${invoice.order_id}, ${invoice.branch_id}, ${invoice.branch_iv_id},
            ${invoice.position}, ${invoice.invoice_number}, ${invoice.uuid}, ${invoice.issued_at},
            ${invoice.seller_name}, ${invoice.vat_number}, ${invoice.currency}, ${invoice.total}, ${invoice.vat},
            ${invoice.qr}, ${invoice.hash}, ${invoice.previous_hash}, ${invoice.xml})`;
}
