import type { Tx } from '../../../platform/database/index.ts';
import type { Order } from '../order.ts';
import { orderColumns } from './columns.ts';

/** By the vendor's ids. Locks in order of the order id, as every other statement does. */
export function lockTransactions(
  tx: Tx,
  organizationId: string,
  source: string,
  transactionIds: string[],
): Promise<Order[]> {
  return tx<Order[]>`
    select ${orderColumns(tx)} from orders o
    where o.organization_id = ${organizationId} and o.source = ${source}
      and o.source_transaction_id = any(${transactionIds}::text[])
    order by o.id for update`;
}

/** The last applied revision of an order and the vendor's payload. Without `raw` the stored payload stays. */
export type OrderRevision = { id: string; revision: number; raw: string | undefined };

export async function saveRevisions(
  tx: Tx,
  organizationId: string,
  revisions: readonly OrderRevision[],
): Promise<void> {
  await tx`
    update orders o set source_revision = t.revision, raw = coalesce(t.raw::json, o.raw)
    from unnest(${revisions.map(({ id }) => id)}::uuid[], ${revisions.map(({ revision }) => revision)}::bigint[],
                ${revisions.map(({ raw }) => raw ?? null)}::text[]) as t (id, revision, raw)
    where o.organization_id = ${organizationId} and o.id = t.id`;
}
