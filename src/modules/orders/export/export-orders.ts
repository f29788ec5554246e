import type { Sql } from '../../../platform/database/index.ts';
import { exportReader } from '../list/expensive-reads.ts';
import { readInPieces } from '../list/read-in-pieces.ts';
import type { ExportedOrder } from '../sql/columns.ts';
import { listOrderIds, type OrderFilter, type OrderSort } from '../sql/list-orders.ts';
import { csvHead, csvText } from './csv.ts';

export const MAX_EXPORT_ROWS = 5_000;
/** A row takes about 50 us: with 250 rows per read, four exports delayed other requests by up to 0.2 s. */
const MAX_ROWS_PER_READ = 50;
const MAX_BYTES_PER_READ = 512 * 1024;

export type OrderExport = { truncated: boolean; csv: AsyncIterable<string> };

/**
 * One statement selects and sorts the orders, so each appears once, and whether there are more is known before the first row is
 * sent. Rows are read while the client reads, at most 50 at a time and outside a transaction: an order that changes meanwhile is
 * exported in its new state. Rejected: paging by the sort key, which would repeat a search for every page.
 */
export async function exportOrders(sql: Sql, filter: OrderFilter, sort: OrderSort): Promise<OrderExport> {
  const ids = await listOrderIds(exportReader(sql, filter, sort), filter, sort, MAX_EXPORT_ROWS + 1);
  const truncated = ids.length > MAX_EXPORT_ROWS;
  return { truncated, csv: writeCsv(sql, filter, ids.slice(0, MAX_EXPORT_ROWS)) };
}

async function* writeCsv(sql: Sql, filter: OrderFilter, ids: string[]): AsyncGenerator<string> {
  let head = csvHead();
  const of = { columns: 'export', maxBytes: MAX_BYTES_PER_READ } as const;
  for await (const orders of readInPieces<ExportedOrder>(sql, filter, ids, of, MAX_ROWS_PER_READ)) {
    yield head + csvText(orders);
    head = '';
  }
  if (head !== '') yield head;
}
