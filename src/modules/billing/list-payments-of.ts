import type { Queryable } from '../../platform/database/index.ts';

const MOST = 1_000;

/** What an organization has paid, the oldest first. The amount is decimal text. */
export function listPaymentsOf(
  sql: Queryable,
  organizationId: string,
): Promise<{ id: string; totalSar: string; created: Date }[]> {
  return sql<{ id: string; totalSar: string; created: Date }[]>`
    select id, total_sar::text as "totalSar", created from billing_payments
    where organization_id = ${organizationId} and status = 'succeeded' order by created, id limit ${MOST}`;
}
