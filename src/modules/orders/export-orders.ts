import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inSnapshot, type Sql } from '../../platform/database/index.ts';
import { createCsvWriter, csvRow } from './csv.ts';
import { countOrdersUpTo, type OrderFilter, type OrderSort, orderCursor } from './sql/find-orders.ts';

export const MAX_EXPORT_ROWS = 5_000;
/** A client that takes in nothing for so long does not get to keep a database connection. */
const READ_WITHIN_MS = 120_000;

export type OrderExport = { truncated: boolean; csv: Readable };

/**
 * Orders as CSV, written out while they are read. Whether there are more than fit is known before the first of them
 * goes out; count and rows are of one instant, so the two agree.
 */
export function exportOrders(sql: Sql, filter: OrderFilter, sort: OrderSort): Promise<OrderExport> {
  const csv = createCsvWriter();
  const started = Promise.withResolvers<OrderExport>();
  const written = inSnapshot(sql, async (tx) => {
    const found = await countOrdersUpTo(tx, filter, MAX_EXPORT_ROWS + 1);
    started.resolve({ truncated: found > MAX_EXPORT_ROWS, csv });
    const rows = async function* () {
      for await (const batch of orderCursor(tx, filter, sort, MAX_EXPORT_ROWS)) yield* batch.map(csvRow);
    };
    await pipeline(Readable.from(rows()), csv, { signal: AbortSignal.timeout(READ_WITHIN_MS) });
  });
  written.catch((error: Error) => {
    started.reject(error);
    // Whoever reads the text hears of it; a client that has gone away has destroyed it already.
    csv.destroy(error);
  });
  return started.promise;
}
