import type { Queryable } from '../../../platform/database/index.ts';
import type { OutboxEntry } from '../../events/index.ts';
import type { ReadyOrder } from '../order.ts';
import { FOLDED, foldedWords, TENANT_FAMILY } from './counts.ts';
import { outboxInput } from './outbox-input.ts';

/**
 * Orders, their events and the counts in one statement, so in one round trip and one transaction, for any number of
 * orders of any number of tenants. An order whose source transaction is known already is left out; what was placed is
 * what comes back.
 *
 * Rows go in by their source transactions, events by their entries: two writers of the same transactions in whatever
 * order wait for each other once instead of locking each other out. Sorted here and not by the statement, which would
 * carry whole orders through its sort; the rows of a function are inserted in the order it gives them.
 */
export async function insertOrders(
  sql: Queryable,
  rows: ReadyOrder[],
  entries: OutboxEntry[],
  { slot, lockTimeoutMs }: { slot: number; lockTimeoutMs?: number },
): Promise<Set<string>> {
  const json = `[${rows
    .toSorted(bySourceTransaction)
    .map((row) => row.json)
    .join(',')}]`;
  const rareIds = rows.filter((row) => row.isOverflow).map((row) => row.order.id);
  const placed = await sql<{ id: string }[]>`
    with placed as (
      insert into orders
      select r.* from ${lockTimeoutMs === undefined ? sql`` : sql`(${limitLockWaits(sql, lockTimeoutMs)}) limits cross join`}
        json_populate_recordset(null::orders, ${json}::text::json) r
      on conflict (organization_id, source, source_transaction_id) where source_transaction_id is not null do nothing
      returning organization_id, id, destination_id, order_status, payment_status, fulfillment_status, source, currency,
                id = any(${rareIds}::uuid[]) as folded
    ), told as (
      insert into order_outbox (organization_id, order_id, branch_id, type, occurred_at, occurred_us, head, tail)
      select e.organization_id, e.order_id, e.branch_id, e.type, e.occurred_at::timestamptz, e.occurred_us::bigint,
             e.head, e.tail
      from ${outboxInput(sql, entries)}
      join placed p on p.organization_id = e.organization_id and p.id = e.order_id
      order by e.n
    ), noted as (
      insert into rare_orders
        (organization_id, order_id, destination_id, order_status, payment_status, fulfillment_status, source, currency)
      select organization_id, id, destination_id, order_status, payment_status, fulfillment_status, source, currency
      from placed where folded
    ), words as (
      select organization_id, ${TENANT_FAMILY}::uuid as destination_id, ${foldedWords(sql)} from placed
      union all
      select organization_id, destination_id, case when folded then ${FOLDED} else order_status end, '', '', '', ''
      from placed where destination_id is not null
    ), counted as (
      insert into order_counts as c
        (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, slot, total)
      select organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency,
             ${slot}::smallint, count(*)
      from words group by 1, 2, 3, 4, 5, 6, 7
      order by 1, 2, 3, 4, 5, 6, 7
      on conflict (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, slot)
      do update set total = c.total + excluded.total
    )
    select id from placed`;
  return new Set(placed.map((row) => row.id));
}

/** In force before the first row is written, and for this statement alone when it is its own transaction. */
function limitLockWaits(sql: Queryable, lockTimeoutMs: number) {
  return sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true) offset 0`;
}

/** Equal ones stay as they came: of two with one source transaction in a batch the first is placed. */
function bySourceTransaction({ order: one }: ReadyOrder, { order: other }: ReadyOrder): number {
  return (
    compareText(one.organization_id, other.organization_id) ||
    compareText(one.source, other.source) ||
    compareText(one.source_transaction_id ?? '', other.source_transaction_id ?? '')
  );
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
