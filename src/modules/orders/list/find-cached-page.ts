import type { Sql } from '../../../platform/database/index.ts';
import { canonicalOrder } from '../canonical/canonical-order.ts';
import type { Order } from '../order.ts';
import { type Pagination, pagination, snapshotRest } from '../payload.ts';
import {
  type ListedOrder,
  type OrderFilter,
  type OrderSort,
  type RowVersion,
  readOrderPiece,
  readPageVersions,
} from '../sql/list-orders.ts';
import { hasMaintainedCount, walksIndex } from './expensive-reads.ts';
import type { ListedJson } from './list-answer.ts';
import { pieceOf } from './list-orders.ts';
import type { ListFormat, SerializedOrders } from './serialized-orders.ts';

/**
 * The first page of a list from the cache, with at most half of its orders read again. Undefined where the usual read is cheaper, and
 * where an order has changed between the two statements: the page would not match its filter.
 */
export async function findCachedPage(
  sql: Sql,
  cache: SerializedOrders,
  filter: OrderFilter,
  sort: OrderSort,
  { page, limit }: { page: number; limit: number },
  format: ListFormat,
): Promise<{ orders: ListedJson[]; pages: Pagination } | undefined> {
  const { organizationId } = filter;
  if (page > 1 || !walksIndex(filter, sort.column) || !hasMaintainedCount(filter)) return undefined;
  if (!cache.hasAny(organizationId)) return undefined;
  const { rows, total } = await readPageVersions(sql, filter, sort, limit);
  const orders = rows.map((row) => {
    return { id: row.id, json: cache.find(organizationId, format, row.id, row.row_version) };
  });
  const missing = rows.filter((_row, index) => orders[index]?.json === undefined);
  if (missing.length > rows.length / 2) return undefined;
  const read = await readMissing(sql, filter, missing);
  if (read === undefined) return undefined;
  const added = new Map(addToCache(cache, organizationId, format, read).map(({ id, json }) => [id, json]));
  const complete = orders.map(({ id, json }) => ({ id, json: json ?? (added.get(id) as Buffer) }));
  return { orders: complete, pages: pagination(page, limit, total) };
}

export function addToCache(
  cache: SerializedOrders,
  organizationId: string,
  format: ListFormat,
  orders: readonly ListedOrder[],
): ListedJson[] {
  return orders.map((order) => {
    const { id, row_version: version } = order;
    const json = writeRest(format, order);
    cache.add(organizationId, format, { id, version, json });
    return { id, json };
  });
}

/** A buffer of its own: a slice of Node's pool would keep 8 kB in memory. Without the brace that the head of an order opens. */
function writeRest(format: ListFormat, order: Order): Buffer {
  const rest = format === 'canonical' ? canonicalOrder(order) : snapshotRest(order);
  const text = JSON.stringify(rest).slice(1);
  const json = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  json.write(text);
  return json;
}

/** These versions of the orders, or undefined when one of them is gone or they do not fit into one read. */
async function readMissing(sql: Sql, filter: OrderFilter, missing: RowVersion[]): Promise<ListedOrder[] | undefined> {
  if (missing.length === 0) return [];
  const ids = missing.map(({ id }) => id);
  const { orders, unread } = await readOrderPiece(sql, filter, ids, pieceOf('order'));
  const versions = new Map(orders.map((order) => [order.id, order.row_version]));
  const isComplete = unread.length === 0 && missing.every((row) => versions.get(row.id) === row.row_version);
  return isComplete ? orders : undefined;
}
