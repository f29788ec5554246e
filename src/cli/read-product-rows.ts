import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { isStorableText } from '../platform/http/json-body.ts';

/** One line of the file: a product as a bulk call would take it, or why it cannot be one. */
export type ProductRow = { line: number; ivId: string } & ({ product: Record<string, unknown> } | { message: string });

export type ProductRows = { rows: AsyncIterable<ProductRow>; bytesRead(): number };

/** The file cannot be read any further, as opposed to one row being wrong. */
export class UnreadableFile extends Error {}

type Reader = (cell: string) => unknown;

const asText: Reader = (cell) => cell;

const COLUMNS = new Map<string, Reader>([
  ...['iv_id', 'name_en', 'name_ar', 'barcode', 'brand_id', 'category_id', 'generic_id'].map(
    (name): [string, Reader] => [name, asText],
  ),
  ['average_price', asNumber],
  ['vat_value', asNumber],
  ['is_enabled', asBoolean],
]);

/** No product is this long: a quote was opened and never closed, and the rest of the file would be read as one cell. */
const MAX_ROW_CHARACTERS = 1024 * 1024;
const NOT_UTF8 = '\uFFFD';

/**
 * Reads on only as the rows are taken, so a file of any size passes through the same little memory. Columns whose names
 * mean nothing here are named once.
 */
export function readProductRows(file: string, onIgnoredColumns: (names: string[]) => void): ProductRows {
  const source = createReadStream(file);
  const parser = parse({
    bom: true,
    info: true,
    // 24" and the like are written without care for quotes.
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
  });
  source.on('error', (error) => parser.destroy(error));

  async function* readRows(): AsyncGenerator<ProductRow> {
    let header: string[] | undefined;
    try {
      for await (const { record, info } of source.pipe(parser) as AsyncIterable<Parsed>) {
        if (header !== undefined) yield toRow(header, record, info.lines);
        else {
          header = readHeader(record);
          const ignored = header.filter((name) => !COLUMNS.has(name));
          if (ignored.length > 0) onIgnoredColumns(ignored);
        }
      }
    } catch (error) {
      throw error instanceof CsvError ? new UnreadableFile(explain(error)) : error;
    } finally {
      source.destroy();
    }
    if (header === undefined) throw new UnreadableFile('the file is empty');
  }

  return { rows: readRows(), bytesRead: () => source.bytesRead };
}

type Parsed = { record: string[]; info: { lines: number } };

function readHeader(cells: string[]): string[] {
  const header = cells.map((cell) => cell.trim().toLowerCase());
  const twice = header.find((name, index) => COLUMNS.has(name) && header.indexOf(name) !== index);
  if (twice !== undefined) throw new UnreadableFile(`the column ${twice} comes twice`);
  if (!header.includes('iv_id')) {
    throw new UnreadableFile(`the first line must name the columns, iv_id among them; it has: ${cells.join(', ')}`);
  }
  return header;
}

/** An empty cell is an absent field: what is there already keeps its value. */
function toRow(header: string[], cells: string[], line: number): ProductRow {
  const ivId = cells[header.indexOf('iv_id')]?.trim() ?? '';
  const wrong = (message: string): ProductRow => ({ line, ivId, message });
  if (cells.length !== header.length) return wrong(`${cells.length} cells, where the header names ${header.length}`);
  const product: Record<string, unknown> = {};
  for (const [index, name] of header.entries()) {
    const read = COLUMNS.get(name);
    const cell = cells[index]?.trim() ?? '';
    if (read === undefined || cell === '') continue;
    if (cell.includes(NOT_UTF8)) return wrong(`${name} is not in UTF-8`);
    if (!isStorableText(cell)) return wrong(`${name} holds characters that cannot be stored`);
    const value = read(cell);
    if (value === undefined) return wrong(`${name} cannot be read: ${cell.slice(0, 50)}`);
    product[name] = value;
  }
  return { line, ivId, product };
}

function asNumber(cell: string): number | undefined {
  return /^[+-]?\d+(\.\d+)?$/.test(cell) ? Number(cell) : undefined;
}

function asBoolean(cell: string): boolean | undefined {
  if (/^(true|yes|1)$/i.test(cell)) return true;
  return /^(false|no|0)$/i.test(cell) ? false : undefined;
}

function explain(error: CsvError): string {
  const unclosed = error.code === 'CSV_MAX_RECORD_SIZE' || error.code === 'CSV_QUOTE_NOT_CLOSED';
  return unclosed ? 'after that line a quote is opened and not closed' : error.message;
}
