import type { Tx } from '../../../../platform/database/index.ts';

export type EntryType = 'topup' | 'branch_fee' | 'service_fee' | 'credit' | 'refund' | 'adjustment';
export type Direction = 'credit' | 'debit';

export type LedgerRow = {
  organization_id: string;
  id: string;
  entry_type: EntryType;
  direction: Direction;
  amount_sar: string;
  vat_sar: string;
  total_sar: string;
  reference: string;
  note: string;
  created_by: string;
  branch_fee_id: string | null;
  payment_id: string | null;
  created: Date;
};

/** In one statement, so that the balance moves once: credits in it may pay debits in it. */
export async function insertLedgerRows(tx: Tx, rows: readonly LedgerRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    insert into ledger_entries (organization_id, id, entry_type, direction, amount_sar, vat_sar, reference, note, created_by,
      branch_fee_id, payment_id, created)
    select * from unnest(
      ${rows.map((row) => row.organization_id)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.entry_type)}::text[], ${rows.map((row) => row.direction)}::text[],
      ${rows.map((row) => row.amount_sar)}::numeric[], ${rows.map((row) => row.vat_sar)}::numeric[],
      ${rows.map((row) => row.reference)}::text[], ${rows.map((row) => row.note)}::text[],
      ${rows.map((row) => row.created_by)}::text[], ${rows.map((row) => row.branch_fee_id)}::uuid[],
      ${rows.map((row) => row.payment_id)}::uuid[], ${rows.map((row) => row.created)}::timestamptz[])`;
}
