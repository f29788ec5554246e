import { type CsvCell, writeCsv } from './write-csv.ts';

export const MAX_EXPORT_ROWS = 5_000;
/** Few enough that an export delays no other request, and that a client that does not read holds little memory. */
const MAX_ROWS_PER_READ = 100;
// Without the byte order mark Excel misreads Arabic.
const BYTE_ORDER_MARK = '\uFEFF';

export type ExportedColumn<Row> = readonly [name: string, cell: (row: Row) => CsvCell];

export type RowExport<Row> = {
  columns: readonly ExportedColumn<Row>[];
  /** In the order of the file, one more than an export holds where there are more. */
  ids: readonly string[];
  readRows(ids: string[]): Promise<Row[]>;
};

/**
 * A file with a byte order mark, a line of names and a row for each id. Rows are read while the client reads, outside a transaction: a row
 * that changes meanwhile is exported in its new state, one that is deleted is left out.
 */
export function exportRows<Row extends { id: string }>(
  of: RowExport<Row>,
): { truncated: boolean; csv: AsyncIterable<string> } {
  return { truncated: of.ids.length > MAX_EXPORT_ROWS, csv: writeRows(of) };
}

async function* writeRows<Row extends { id: string }>({
  columns,
  ids,
  readRows,
}: RowExport<Row>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + writeCsv([columns.map(([name]) => name)]);
  for (let from = 0; from < Math.min(ids.length, MAX_EXPORT_ROWS); from += MAX_ROWS_PER_READ) {
    const wanted = ids.slice(from, Math.min(from + MAX_ROWS_PER_READ, MAX_EXPORT_ROWS));
    const rows = new Map((await readRows(wanted)).map((row) => [row.id, row]));
    const found = wanted.flatMap((id) => rows.get(id) ?? []);
    if (found.length > 0) yield writeCsv(found.map((row) => columns.map(([, cell]) => cell(row))));
  }
}
