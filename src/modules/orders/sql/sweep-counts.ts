import type { Queryable, Tx } from '../../../platform/database/index.ts';
import type { StatusCombination } from './counts.ts';

/** The next tenant in order of id that has counts. */
export async function findNextCounted(sql: Queryable, afterId: string): Promise<string | undefined> {
  const [row] = await sql<{ organization_id: string }[]>`
    select organization_id from order_counts where organization_id > ${afterId} order by organization_id limit 1`;
  return row?.organization_id;
}

export type CountRow = StatusCombination & { destination_id: string; slot: number; total: number };

/**
 * Locks the rows of combinations whose total is 0, in the order in which writers lock them, and skips rows that a writer holds. The
 * caller checks the totals again: they cannot change from here on.
 */
export function lockEmptyCounts(tx: Tx, organizationId: string, maxCombinations: number): Promise<CountRow[]> {
  return tx<CountRow[]>`
    select c.destination_id, c.order_status, c.payment_status, c.fulfillment_status, c.source, c.currency, c.slot, c.total
    from order_counts c
    join (
      select destination_id, order_status, payment_status, fulfillment_status, source, currency from order_counts
      where organization_id = ${organizationId}
      group by 1, 2, 3, 4, 5, 6 having sum(total) = 0
      order by 1, 2, 3, 4, 5, 6 limit ${maxCombinations}
    ) empty using (destination_id, order_status, payment_status, fulfillment_status, source, currency)
    where c.organization_id = ${organizationId}
    order by c.destination_id, c.order_status, c.payment_status, c.fulfillment_status, c.source, c.currency, c.slot
    for update of c skip locked`;
}

export async function deleteCounts(tx: Tx, organizationId: string, rows: CountRow[]): Promise<void> {
  await tx`
    delete from order_counts c
    using json_to_recordset(${JSON.stringify(rows)}::text::json) as gone
      (destination_id uuid, order_status text, payment_status text, fulfillment_status text, source text, currency text,
       slot smallint)
    where c.organization_id = ${organizationId} and c.destination_id = gone.destination_id
      and c.order_status = gone.order_status and c.payment_status = gone.payment_status
      and c.fulfillment_status = gone.fulfillment_status and c.source = gone.source and c.currency = gone.currency
      and c.slot = gone.slot`;
}
