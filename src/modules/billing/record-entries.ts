import type { Queryable } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';

export type LedgerEntry = {
  organizationId: string;
  entryType: 'topup' | 'branch_fee' | 'service_fee' | 'credit' | 'refund' | 'adjustment';
  direction: 'credit' | 'debit';
  amountSar: number;
  vatSar: number;
  reference: string;
  note: string;
  createdBy: string;
  now: Date;
};

export async function appendToLedger(sql: Queryable, entry: LedgerEntry): Promise<void> {
  await sql`
    insert into ledger_entries (organization_id, id, entry_type, direction, amount_sar, vat_sar, reference, note,
      created_by, created)
    values (${entry.organizationId}, ${newId()}, ${entry.entryType}, ${entry.direction}, ${entry.amountSar},
            ${entry.vatSar}, ${entry.reference}, ${entry.note}, ${entry.createdBy}, ${entry.now})`;
}

export type BranchFee = {
  organizationId: string;
  branchIvId: string;
  /** First day of the month, YYYY-MM-DD. */
  period: string;
  amountSar: number;
  vatSar: number;
  paidSar: number;
  status: 'pending' | 'paid' | 'overdue';
  dueDate: string;
  now: Date;
};

export async function insertBranchFee(sql: Queryable, fee: BranchFee): Promise<void> {
  await sql`
    insert into branch_fees (organization_id, id, branch_iv_id, period, amount_sar, vat_sar, paid_sar, status, due_date,
      created)
    values (${fee.organizationId}, ${newId()}, ${fee.branchIvId}, ${fee.period}, ${fee.amountSar}, ${fee.vatSar},
            ${fee.paidSar}, ${fee.status}, ${fee.dueDate}, ${fee.now})`;
}
