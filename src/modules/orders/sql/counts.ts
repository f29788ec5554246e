import type { Queryable, Tx } from '../../../platform/database/index.ts';
import type { Order } from '../order.ts';

/** In place of a branch: the counts of the whole tenant. */
export const TENANT_FAMILY = '00000000-0000-0000-0000-000000000000';
export const COUNT_SLOTS = 16;

/** Counts that move with an order: its tenant's row, and its branch's. */
type CountMove = { order: Order; by: 1 | -1 };

export async function moveCounts(tx: Tx, moves: CountMove[], slot: number): Promise<void> {
  const rows = moves.flatMap(({ order, by }) => {
    const { organization_id, order_status, payment_status, fulfillment_status, source, currency, destination_id } =
      order;
    const words = { order_status, payment_status, fulfillment_status, source, currency };
    const ofTenant = { organization_id, destination_id: TENANT_FAMILY, ...words, by };
    if (destination_id === null) return [ofTenant];
    const none = { payment_status: '', fulfillment_status: '', source: '', currency: '' };
    return [ofTenant, { organization_id, destination_id, order_status, ...none, by }];
  });
  if (rows.length === 0) return;
  // Ordered, so that two writers that meet on several rows meet on them in the same order.
  await tx`
    insert into order_counts as c
      (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, slot, total)
    select organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency,
           ${slot}::smallint, sum(by)
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as m
      (organization_id uuid, destination_id uuid, order_status text, payment_status text, fulfillment_status text,
       source text, currency text, by int)
    group by 1, 2, 3, 4, 5, 6, 7
    having sum(by) <> 0
    order by 1, 2, 3, 4, 5, 6, 7
    on conflict (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, slot)
    do update set total = c.total + excluded.total`;
}

export type CountFilter = {
  order_status?: string;
  payment_status?: string;
  fulfillment_status?: string;
  source?: string;
  currency?: string;
};

export async function readCount(
  sql: Queryable,
  organizationId: string,
  branchId: string | null,
  filter: CountFilter,
): Promise<number> {
  const only = (column: keyof CountFilter) =>
    filter[column] === undefined ? sql`` : sql`and ${sql(column)} = ${filter[column]}`;
  const [row] = await sql<{ total: number }[]>`
    select coalesce(sum(total), 0) as total from order_counts
    where organization_id = ${organizationId} and destination_id = ${branchId ?? TENANT_FAMILY}
      ${only('order_status')} ${only('payment_status')} ${only('fulfillment_status')} ${only('source')} ${only('currency')}`;
  return row?.total ?? 0;
}

export function countByStatus(
  sql: Queryable,
  organizationId: string,
  branchId: string | null,
): Promise<{ order_status: string; total: number }[]> {
  return sql<{ order_status: string; total: number }[]>`
    select order_status, sum(total) as total from order_counts
    where organization_id = ${organizationId} and destination_id = ${branchId ?? TENANT_FAMILY}
    group by order_status having sum(total) <> 0`;
}
