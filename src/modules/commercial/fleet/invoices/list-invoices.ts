import type { Sql } from '../../../../platform/database/index.ts';
import type { Paging } from '../../../../platform/http/paging.ts';
import { notFound } from '../../../../platform/http/problem.ts';
import { type MonthBalance, readMonthBalances } from '../../billing/index.ts';
import { countFeeInvoices, type FeeInvoiceRow, findFeeInvoice, listFeeInvoiceRows } from './sql.ts';

export type InvoiceWithBalance = { invoice: FeeInvoiceRow; balance: MonthBalance | undefined };

/** The newest first, each with what is left to pay of its month. */
export async function listInvoices(sql: Sql, organizationId: string, paging: Paging, today: string) {
  const [invoices, total] = await Promise.all([
    listFeeInvoiceRows(sql, organizationId, paging),
    countFeeInvoices(sql, organizationId),
  ]);
  return { rows: await withBalances(sql, organizationId, invoices, today), total };
}

export async function getInvoice(
  sql: Sql,
  organizationId: string,
  number: string,
  today: string,
): Promise<InvoiceWithBalance> {
  const invoice = await findFeeInvoice(sql, organizationId, number);
  const [found] = await withBalances(sql, organizationId, invoice === undefined ? [] : [invoice], today);
  if (found === undefined) throw feeInvoiceNotFound(number);
  return found;
}

async function withBalances(
  sql: Sql,
  organizationId: string,
  invoices: readonly FeeInvoiceRow[],
  today: string,
): Promise<InvoiceWithBalance[]> {
  const periods = invoices.map(({ period }) => period);
  const balances = periods.length === 0 ? [] : await readMonthBalances(sql, organizationId, periods, today);
  const byPeriod = new Map(balances.map((balance) => [balance.period, balance]));
  return invoices.map((invoice) => ({ invoice, balance: byPeriod.get(invoice.period) }));
}

export const feeInvoiceNotFound = (number: string) => notFound('Invoice not found', { number });
