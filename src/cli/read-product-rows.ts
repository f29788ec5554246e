import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { isStorableText } from '../platform/http/json-body.ts';
import { findClosestWord } from '../platform/text/closest-word.ts';
import { checkedUtf8 } from './check-utf8.ts';
import { PRODUCT_COLUMNS, type ProductColumn } from './product-columns.ts';
import { UnreadableFile } from './unreadable-file.ts';

/**
 * A row of the file, by the lines it begins and ends on: a product as a bulk call would take it, or why it cannot be one
 * and the column at fault.
 */
export type ProductRow = { line: number; lastLine: number; ivId: string } & (
  | { product: Record<string, unknown> }
  | { message: string; column: string | undefined }
);

export type ProductRows = { rows: AsyncIterable<ProductRow>; bytesRead(): number };

/** How columns that are not of products are taken: named once and passed over, or refused when nobody listens. */
export type OnIgnoredColumns = ((names: string[]) => void) | undefined;

const COLUMNS = new Map(PRODUCT_COLUMNS.map((column) => [column.name, column]));
const REQUIRED = PRODUCT_COLUMNS.filter((column) => column.required).map((column) => column.name);

/** No product is this long: a quote was opened and never closed, and the rest of the file would be read as one cell. */
const MAX_ROW_CHARACTERS = 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;
const LINE_BREAKS = ['\r\n', '\n', '\r'];

/** Reads on only as the rows are taken, so a file of any size passes through the same little memory. */
export function readProductRows(file: string, onIgnoredColumns: OnIgnoredColumns): ProductRows {
  const source = createReadStream(file);

  async function* readRows(): AsyncGenerator<ProductRow> {
    let header: string[] | undefined;
    try {
      for await (const { cells, line, lastLine } of readLines(source)) {
        if (header === undefined) header = readHeader(cells, onIgnoredColumns);
        // What a spreadsheet leaves below the last row: nothing but delimiters.
        else if (cells.some((cell) => cell.trim() !== '')) yield toRow(header, cells, { line, lastLine });
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

type Parsed = { record: string[]; info: { empty_lines: number } };
type Lines = { line: number; lastLine: number };

/**
 * Counts lines itself: the parser's count takes a CRLF inside quotes for two. All line breaks of a row are in its cells
 * but the one that ends it, and blank lines between rows are counted by the parser.
 */
async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<{ cells: string[] } & Lines> {
  const pieces = checkedUtf8(source);
  const head = await readHead(pieces);
  const parser = parse({
    bom: true,
    info: true,
    delimiter: findDelimiter(head),
    record_delimiter: LINE_BREAKS,
    // 24" and the like are written without care for quotes.
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
  });
  // Whatever goes wrong on either side comes out of the parser, where it is waited for.
  pipeline(Readable.from(startingWith(head, pieces), { objectMode: false }), parser, () => undefined);
  let lastLine = 0;
  let blankBefore = 0;
  for await (const { record, info } of parser as AsyncIterable<Parsed>) {
    const line = lastLine + 1 + info.empty_lines - blankBefore;
    blankBefore = info.empty_lines;
    lastLine = line + countBreaks(record);
    yield { cells: record, line, lastLine };
  }
}

async function* startingWith(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}

/** As much of the file as it takes to see the line of the header. */
async function readHead(pieces: AsyncGenerator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < MAX_HEADER_BYTES && !/\S[\r\n]/.test(head.toString('latin1'))) {
    const { value, done } = await pieces.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

/** No name of a column holds either, so the header tells which one is meant. Spreadsheets write semicolons where the comma is for decimals. */
function findDelimiter(head: Buffer): ',' | ';' {
  const [line = ''] = head
    .subarray(0, MAX_HEADER_BYTES)
    .toString()
    .trimStart()
    .split(/[\r\n]/, 1);
  return line.split(';').length > line.split(',').length ? ';' : ',';
}

function countBreaks(cells: readonly string[]): number {
  let breaks = 0;
  for (const cell of cells) breaks += cell.match(/\r\n|\n|\r/g)?.length ?? 0;
  return breaks;
}

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
  const told = names.map((name) => {
    const closest = findClosestWord(name, COLUMNS.keys());
    return closest === undefined ? name : `${name} (did you mean ${closest}?)`;
  });
  return `these columns are not of products: ${told.join(', ')}. Take them out, or pass over them with --ignore-unknown-columns`;
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

function explain(error: CsvError): string {
  const unclosed = error.code === 'CSV_MAX_RECORD_SIZE' || error.code === 'CSV_QUOTE_NOT_CLOSED';
  return unclosed ? 'after that line a quote is opened and not closed' : error.message;
}
