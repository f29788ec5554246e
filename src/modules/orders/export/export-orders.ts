import type { Sql } from '../../../platform/database/index.ts';
import { exportLane } from '../list/expensive-reads.ts';
import { readInPieces } from '../list/read-in-pieces.ts';
import type { ExportedOrder } from '../sql/columns.ts';
import { listOrderIds, type OrderFilter, type OrderSort } from '../sql/list-orders.ts';
import { csvHead, csvText } from './csv.ts';

export const MAX_EXPORT_ROWS = 5_000;
/** A row is some 50 us of text: with 250 at a time, four exports held everybody else up by a fifth of a second now and then. */
const ROWS_A_READ = 50;
const BYTES_A_READ = 512 * 1024;

export type OrderExport = { truncated: boolean; csv: AsyncIterable<string> };

/**
 * Which orders, and in which order, is settled by one statement; so each appears once, and whether there are more than fit
 * is known before the first goes out. Their rows are read while the client reads, a few hundred at a time and without a
 * transaction: an order that changes meanwhile is told as it then is. Paging by the sort's key instead would run a search
 * anew for every page.
 */
export async function exportOrders(sql: Sql, filter: OrderFilter, sort: OrderSort): Promise<OrderExport> {
  const ids = await listOrderIds(exportLane(sql, filter, sort), filter, sort, MAX_EXPORT_ROWS + 1);
  const truncated = ids.length > MAX_EXPORT_ROWS;
  return { truncated, csv: writeCsv(sql, filter, ids.slice(0, MAX_EXPORT_ROWS)) };
}

async function* writeCsv(sql: Sql, filter: OrderFilter, ids: string[]): AsyncGenerator<string> {
  let head = csvHead();
  const of = { columns: 'export', maxBytes: BYTES_A_READ } as const;
  for await (const orders of readInPieces<ExportedOrder>(sql, filter, ids, of, ROWS_A_READ)) {
    yield head + csvText(orders);
    head = '';
  }
  if (head !== '') yield head;
}
