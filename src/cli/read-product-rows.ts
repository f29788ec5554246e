import { createReadStream } from 'node:fs';
import { type CsvLine, openCsv, UnreadableFile } from '../platform/csv/index.ts';
import { isStorableText } from '../platform/http/json-body.ts';
import { findClosestWord } from '../platform/text/closest-word.ts';
import { PRODUCT_COLUMNS, type ProductColumn } from './product-columns.ts';

/**
 * A row of the file, by the lines it begins and ends on: a product as a bulk call would take it, or why it cannot be one
 * and the column at fault.
 */
export type ProductRow = { line: number; lastLine: number; ivId: string } & (
  | { product: Record<string, unknown> }
  | { message: string; column: string | undefined }
);

export type ProductRows = { rows: AsyncIterable<ProductRow>; bytesRead(): number };

/** Unknown columns are reported to this callback once and skipped; without a callback they are refused. */
export type OnIgnoredColumns = ((names: string[]) => void) | undefined;

const COLUMNS = new Map(PRODUCT_COLUMNS.map((column) => [column.name, column]));
const REQUIRED = PRODUCT_COLUMNS.filter((column) => column.required).map((column) => column.name);

/** Reads on only as the rows are taken, so a file of any size passes through the same little memory. */
export function readProductRows(file: string, onIgnoredColumns: OnIgnoredColumns): ProductRows {
  const source = createReadStream(file);

  async function* readRows(): AsyncGenerator<ProductRow> {
    let header: string[] | undefined;
    try {
      const { lines } = await openCsv(source);
      for await (const { cells, line, lastLine } of lines) {
        if (header === undefined) header = readHeader(cells, onIgnoredColumns);
        // What a spreadsheet leaves below the last row: nothing but delimiters.
        else if (cells.some((cell) => cell.trim() !== '')) yield toRow(header, cells, { line, lastLine });
      }
    } finally {
      source.destroy();
    }
    if (header === undefined) throw new UnreadableFile('the file is empty');
  }

  return { rows: readRows(), bytesRead: () => source.bytesRead };
}

type Lines = Pick<CsvLine, 'line' | 'lastLine'>;

function readHeader(cells: string[], onIgnoredColumns: OnIgnoredColumns): string[] {
  const header = cells.map((cell) => cell.trim().toLowerCase());
  const twice = header.find((name, index) => COLUMNS.has(name) && header.indexOf(name) !== index);
  if (twice !== undefined) throw new UnreadableFile(`the column ${twice} comes twice`);
  const missing = REQUIRED.filter((name) => !header.includes(name));
  if (missing.length > 0) {
    const shown = cells.join(', ').slice(0, 200);
    throw new UnreadableFile(
      `the first line must name the columns, ${missing.join(' and ')} among them; it has: ${shown}`,
    );
  }
  const ignored = header.flatMap((name, index) =>
    COLUMNS.has(name) ? [] : [name || `(column ${index + 1}, no name)`],
  );
  if (ignored.length > 0 && onIgnoredColumns === undefined) throw new UnreadableFile(refuseColumns(ignored));
  if (ignored.length > 0) onIgnoredColumns?.(ignored);
  return header;
}

/** A misspelt column would otherwise be a field that silently keeps its old value in every row. */
function refuseColumns(names: readonly string[]): string {
  const listed = names.map((name) => {
    const closest = findClosestWord(name, COLUMNS.keys());
    return closest === undefined ? name : `${name} (did you mean ${closest}?)`;
  });
  return `these columns are not of products: ${listed.join(', ')}. Remove them, or skip them with --ignore-unknown-columns`;
}

/** An empty cell is an absent field: what is there already keeps its value. */
function toRow(header: string[], cells: string[], lines: Lines): ProductRow {
  const ivId = cells[header.indexOf('iv_id')]?.trim() ?? '';
  const wrong = (message: string, column?: string): ProductRow => ({ ...lines, ivId, message, column });
  if (cells.length !== header.length) return wrong(`${cells.length} cells, where the header names ${header.length}`);
  const product: Record<string, unknown> = {};
  for (const [index, name] of header.entries()) {
    const column: ProductColumn | undefined = COLUMNS.get(name);
    const cell = cells[index]?.trim() ?? '';
    if (column === undefined || cell === '') continue;
    if (!isStorableText(cell)) return wrong(`${name} holds characters that cannot be stored`, name);
    const value = column.read(cell);
    if (value === undefined)
      return wrong(`${name} cannot be read: ${cell.slice(0, 50)} (it takes ${column.form})`, name);
    product[name] = value;
  }
  return { ...lines, ivId, product };
}
