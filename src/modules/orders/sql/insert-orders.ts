import {
  inGroupTransaction,
  isTransaction,
  type Queryable,
  type Sql,
  type Tx,
} from '../../../platform/database/index.ts';
import type { OutboxEntry } from '../../events/index.ts';
import type { ReadyOrder } from '../order.ts';
import { addDeltas, addOverflow } from './count-deltas.ts';
import { countedStatuses } from './counts.ts';
import { insertChanges, writeChanges } from './insert-changes.ts';

/**
 * Inserts orders, their events and their counts in one statement: one round trip and one transaction for any number of orders of
 * any number of tenants. An order whose source transaction exists is skipped. Returns the ids of the inserted orders.
 *
 * Orders are inserted sorted by source transaction and events by entry, so that two writers of the same transactions wait for each
 * other once and do not deadlock. Sorted here and not by the statement, which would carry whole orders through its sort;
 * PostgreSQL inserts the rows of a set-returning function in the order in which it returns them.
 */
export async function insertOrders(
  sql: Queryable,
  rows: ReadyOrder[],
  entries: OutboxEntry[],
  { lockTimeoutMs }: { lockTimeoutMs?: number } = {},
): Promise<Set<string>> {
  if (sql.layout.isDistributed) return insertOnCluster(sql, rows, entries, lockTimeoutMs);
  const json = jsonOf(rows);
  const overflowIds = rows.filter((row) => row.isOverflow).map((row) => row.order.id);
  const placed = await sql<{ id: string }[]>`
    with placed as (
      insert into orders
      select r.* from ${lockTimeoutMs === undefined ? sql`` : sql`(${limitLockWaits(sql, lockTimeoutMs)}) limits cross join`}
        json_populate_recordset(null::orders, ${sql.text(json)}::text::json) r
      on conflict (organization_id, source, source_transaction_id) where source_transaction_id is not null do nothing
      returning organization_id, id, destination_id, order_status, payment_status, fulfillment_status, source, currency,
                id = any(${overflowIds}::uuid[]) as is_folded
    ), ${insertChanges(sql, entries, sql`join placed p on p.organization_id = e.organization_id and p.id = e.order_id`)}
    , overflow as (
      insert into rare_orders
        (organization_id, order_id, destination_id, order_status, payment_status, fulfillment_status, source, currency)
      select organization_id, id, destination_id, order_status, payment_status, fulfillment_status, source, currency
      from placed where is_folded
    ), counted as (
      insert into order_count_deltas
        (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, by)
      select organization_id, destination_id, ${countedStatuses(sql)}, count(*)
      from placed group by 1, 2, 3, 4, 5, 6, 7
    )
    select id from placed`;
  return new Set(placed.map((row) => row.id));
}

/** Set before the first row is written. Limited to this statement when it is its own transaction. */
function limitLockWaits(sql: Queryable, lockTimeoutMs: number) {
  return sql`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true) offset 0`;
}

const jsonOf = (rows: ReadyOrder[]) =>
  `[${rows
    .toSorted(bySourceTransaction)
    .map((row) => row.json)
    .join(',')}]`;

/** The sort is stable: of two orders with one source transaction in a batch, the first is placed. */
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

/**
 * A transaction for each group of tenants, since a cluster routes only statements about one shard. Callers that hold a transaction have
 * orders of one tenant, and batches are made by group (`batchOrders`).
 */
async function insertOnCluster(
  sql: Queryable,
  rows: ReadyOrder[],
  entries: OutboxEntry[],
  lockTimeoutMs: number | undefined,
): Promise<Set<string>> {
  const insert = async (tx: Tx) => {
    if (lockTimeoutMs !== undefined) await tx.unsafe(`set local lock_timeout = ${lockTimeoutMs}`);
    return insertByStatement(tx, rows, entries);
  };
  return isTransaction(sql) ? insert(sql) : inGroupTransaction(sql as Sql, insert);
}

async function insertByStatement(tx: Tx, rows: ReadyOrder[], entries: OutboxEntry[]): Promise<Set<string>> {
  const inserted = await tx<{ id: string }[]>`
    insert into orders
    select r.* from json_populate_recordset(null::orders, ${tx.text(jsonOf(rows))}::text::json) r
    on conflict (organization_id, source, source_transaction_id) where source_transaction_id is not null do nothing
    returning id`;
  const ids = new Set(inserted.map((row) => row.id));
  const placed = rows.filter(({ order }) => ids.has(order.id));
  await writeChanges(
    tx,
    entries.filter((entry) => ids.has(entry.order_id)),
  );
  await addOverflow(
    tx,
    placed.filter((row) => row.isOverflow).map((row) => row.order),
  );
  await addDeltas(
    tx,
    placed.map(({ order, isOverflow }) => ({ order, by: 1, isOverflow })),
  );
  return ids;
}
