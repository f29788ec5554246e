import type { Queryable } from '../../../platform/database/index.ts';
import type { OutboxEntry } from '../../events/index.ts';
import type { Order } from '../order.ts';
import { TENANT_FAMILY } from './counts.ts';
import { outboxInput } from './outbox-input.ts';

/**
 * Orders, their events and the counts in one statement, so in one round trip and one transaction, for any number of
 * orders of any number of tenants. An order whose source transaction is known already is left out; what was placed is
 * what comes back.
 */
export async function insertOrders(
  sql: Queryable,
  orders: Order[],
  entries: OutboxEntry[],
  slot: number,
): Promise<Set<string>> {
  const placed = await sql<{ id: string }[]>`
    with placed as (
      insert into orders
      select * from json_populate_recordset(null::orders, ${JSON.stringify(orders)}::text::json)
      on conflict (organization_id, source, source_transaction_id) where source_transaction_id is not null do nothing
      returning organization_id, id, destination_id, order_status, payment_status, fulfillment_status, source, currency
    ), told as (
      insert into order_outbox (organization_id, order_id, branch_id, type, occurred_at, occurred_us, head, tail)
      select e.organization_id, e.order_id, e.branch_id, e.type, e.occurred_at::timestamptz, e.occurred_us::bigint,
             e.head, e.tail
      from ${outboxInput(sql, entries)}
      join placed p on p.organization_id = e.organization_id and p.id = e.order_id
      order by e.n
    ), counted as (
      insert into order_counts as c
        (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, slot, total)
      select organization_id, ${TENANT_FAMILY}::uuid, order_status, payment_status, fulfillment_status, source, currency,
             ${slot}::smallint, count(*)
      from placed group by 1, 3, 4, 5, 6, 7
      union all
      select organization_id, destination_id, order_status, '', '', '', '', ${slot}::smallint, count(*)
      from placed where destination_id is not null group by 1, 2, 3
      order by 1, 2, 3, 4, 5, 6, 7
      on conflict (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, slot)
      do update set total = c.total + excluded.total
    )
    select id from placed`;
  return new Set(placed.map((row) => row.id));
}
