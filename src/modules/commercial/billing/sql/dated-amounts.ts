import type { Queryable } from '../../../../platform/database/index.ts';

const MAX_ROWS = 1_000;

/** The amount is decimal text. */
export type DatedAmount = { id: string; totalSar: string; created: Date };

/** What an organization has paid, the oldest first. */
export function listPaymentsOf(sql: Queryable, organizationId: string): Promise<DatedAmount[]> {
  return sql<DatedAmount[]>`
    select id, total_sar::text as "totalSar", created from billing_payments
    where organization_id = ${organizationId} and status = 'succeeded' order by created, id limit ${MAX_ROWS}`;
}

/** What was refunded to it out of its wallet, the oldest first; the ids are those of the ledger entries. */
export function listRefundsOf(sql: Queryable, organizationId: string): Promise<DatedAmount[]> {
  return sql<DatedAmount[]>`
    select id, total_sar::text as "totalSar", created from ledger_entries
    where organization_id = ${organizationId} and entry_type = 'refund' order by created, id limit ${MAX_ROWS}`;
}
