import type { Tx } from '../../../platform/database/index.ts';
import type { Order } from '../order.ts';
import { orderColumns } from './columns.ts';

/** By the vendor's ids, in order of our own, as everyone locks them. */
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

/** Which update an order stands at, and the vendor's words of it. */
export async function keepTellings(
  tx: Tx,
  organizationId: string,
  updates: readonly { id: string; revision: number; raw: string | undefined }[],
): Promise<void> {
  await tx`
    update orders o set source_revision = t.revision, raw = coalesce(t.raw::json, o.raw)
    from unnest(${updates.map(({ id }) => id)}::uuid[], ${updates.map(({ revision }) => revision)}::bigint[],
                ${updates.map(({ raw }) => raw ?? null)}::text[]) as t (id, revision, raw)
    where o.organization_id = ${organizationId} and o.id = t.id`;
}
