import { groupTable, isTransaction, type Queryable, runOnGroup, type Tx } from '../../../platform/database/index.ts';
import type { OutboxEntry } from '../../events/index.ts';
import type { ReadyOrder } from '../order.ts';
import { addDeltas, addOverflow } from './count-deltas.ts';
import { countedStatuses } from './counts.ts';
import { insertChanges, takeChangeNumbers, writeChanges } from './insert-changes.ts';

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
  const placed = await sql<{ id: string }[]>`${insertion(sql, rows, entries, lockTimeoutMs)} select id from placed`;
  return new Set(placed.map((row) => row.id));
}

/** The CTEs. On the node of a group its shards, and the numbers of the changes. */
function insertion(
  sql: Queryable,
  rows: ReadyOrder[],
  entries: OutboxEntry[],
  lockTimeoutMs: number | undefined,
  on?: { group: string; ids: number[] },
) {
  const overflowIds = rows.filter((row) => row.isOverflow).map((row) => row.order.id);
  const table = (name: string) => (on === undefined ? sql(name) : groupTable(sql, on.group, name));
  const ofOrders = sql`join placed p on p.organization_id = e.organization_id and p.id = e.order_id`;
  return sql`
    with placed as (
      insert into ${table('orders')}
      select r.* from ${lockTimeoutMs === undefined ? sql`` : sql`(${limitLockWaits(sql, lockTimeoutMs)}) limits cross join`}
        json_populate_recordset(null::${table('orders')}, ${sql.text(jsonOf(rows))}::text::json) r
      on conflict (organization_id, source, source_transaction_id) where source_transaction_id is not null do nothing
      returning organization_id, id, destination_id, order_status, payment_status, fulfillment_status, source, currency,
                id = any(${overflowIds}::uuid[]) as is_folded
    ), ${insertChanges(sql, entries, ofOrders, on)}
    , overflow as (
      insert into ${table('rare_orders')}
        (organization_id, order_id, destination_id, order_status, payment_status, fulfillment_status, source, currency)
      select organization_id, id, destination_id, order_status, payment_status, fulfillment_status, source, currency
      from placed where is_folded
    ), counts as (
      select organization_id, destination_id, ${countedStatuses(sql)}, count(*) as by
      from placed group by 1, 2, 3, 4, 5, 6, 7
    ), counted as (
      insert into ${table('order_count_deltas')}
        (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, by ${on ? sql`, id` : sql``})
      select counts.* ${on ? sql`, nextval('order_count_deltas_id_seq')` : sql``} from counts
    )`;
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
 * Batches are made by group (`batchOrders`) and run on its node. Callers that hold a transaction have orders of one tenant, and statements of
 * which the cluster knows that they write, so that it commits in two phases.
 */
async function insertOnCluster(
  sql: Queryable,
  rows: ReadyOrder[],
  entries: OutboxEntry[],
  lockTimeoutMs: number | undefined,
): Promise<Set<string>> {
  const [first] = rows;
  if (first === undefined) return new Set();
  if (isTransaction(sql)) {
    if (lockTimeoutMs !== undefined) await sql.unsafe(`set local lock_timeout = ${lockTimeoutMs}`);
    return insertByStatement(sql, rows, entries);
  }
  const group = sql.layout.groupOf(first.order.organization_id);
  const ids = await takeChangeNumbers(sql, entries.length);
  const insert = sql`
    ${insertion(sql, rows, entries, lockTimeoutMs, { group, ids })} select coalesce(json_agg(id), '[]')::text from placed`;
  return new Set(JSON.parse((await runOnGroup(sql, group, insert)) ?? '[]') as string[]);
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
