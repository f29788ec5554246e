import type { Queryable } from '../../../platform/database/index.ts';
import type { Paging } from '../../../platform/http/paging.ts';
import type { LedgerRow } from './sql/ledger.ts';
import {
  type FeeRow,
  listAdjustmentRows,
  listFeeRows,
  listLedgerRows,
  listPaymentRows,
  type Named,
  readRowCounts,
} from './sql/lists.ts';
import type { PaymentRow } from './sql/payments.ts';
import { countRowsOf } from './sql/sums.ts';

export type Listed<Row> = { rows: Row[]; total: number };

/** Of all organizations and with any status, newest first. */
export async function listPayments(sql: Queryable, paging: Paging): Promise<Listed<Named<PaymentRow>>> {
  const rows = await listPaymentRows(sql, paging);
  return { rows, total: await countRowsOf(sql, 'payments', ['succeeded', 'pending', 'failed']) };
}

const ADJUSTMENTS = ['credit credit', 'refund debit', 'adjustment credit', 'adjustment debit'];

/** Credits, refunds and adjustments of all organizations, the newest first. */
export async function listAdjustments(sql: Queryable, paging: Paging): Promise<Listed<Named<LedgerRow>>> {
  const rows = await listAdjustmentRows(sql, paging);
  return { rows, total: await countRowsOf(sql, 'ledger', ADJUSTMENTS) };
}

export async function listLedger(sql: Queryable, organizationId: string, paging: Paging): Promise<Listed<LedgerRow>> {
  const rows = await listLedgerRows(sql, organizationId, paging);
  return { rows, total: (await readRowCounts(sql, organizationId)).ledger_rows };
}

/** The newest period first. */
export async function listFees(
  sql: Queryable,
  organizationId: string,
  paging: Paging,
  today: string,
): Promise<Listed<FeeRow>> {
  const rows = await listFeeRows(sql, organizationId, paging, today);
  return { rows, total: (await readRowCounts(sql, organizationId)).fee_rows };
}
