import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { checkedUtf8 } from './checked-utf8.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** The cells of a row with its first and last line in the file. */
export type CsvLine = { cells: string[]; line: number; lastLine: number };

export type OpenCsv = { delimiter: ',' | ';'; lines: AsyncGenerator<CsvLine> };

/** Longer rows come from an unclosed quote: the rest of the file would be one cell. */
const MAX_ROW_CHARACTERS = 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;
const LINE_BREAKS = ['\r\n', '\n', '\r'];

/**
 * Reads CSV as spreadsheets write it: UTF-8 with or without a byte order mark, commas or semicolons. Reads only as lines are
 * consumed, so memory does not grow with the file. Throws UnreadableFile when the rest cannot be parsed.
 */
export async function openCsv(source: AsyncIterable<Buffer>): Promise<OpenCsv> {
  const pieces = checkedUtf8(source);
  const head = await readHead(pieces);
  const delimiter = findDelimiter(head);
  return { delimiter, lines: readLines(head, pieces, delimiter) };
}

type Parsed = { record: string[]; info: { empty_lines: number } };

/**
 * Counts lines itself: csv-parse counts a CRLF inside quotes twice. The line breaks of a row are those in its cells plus the
 * one that ends it; the parser counts the blank lines between rows.
 */
async function* readLines(
  head: Buffer,
  rest: AsyncIterable<Buffer>,
  delimiter: OpenCsv['delimiter'],
): AsyncGenerator<CsvLine> {
  const parser = parse({
    bom: true,
    info: true,
    delimiter,
    record_delimiter: LINE_BREAKS,
    // Cells such as 24" contain unescaped quotes.
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
  });
  // Errors of both streams are thrown by the iteration over the parser.
  pipeline(Readable.from(startingWith(head, rest), { objectMode: false }), parser, () => undefined);
  let lastLine = 0;
  let blankBefore = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const line = lastLine + 1 + info.empty_lines - blankBefore;
      blankBefore = info.empty_lines;
      lastLine = line + countBreaks(record);
      yield { cells: record, line, lastLine };
    }
  } catch (error) {
    throw error instanceof CsvError ? new UnreadableFile(explain(error)) : error;
  }
}

async function* startingWith(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}

/** Reads until the header line is complete. */
async function readHead(pieces: AsyncGenerator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < MAX_HEADER_BYTES && !/\S[\r\n]/.test(head.toString('latin1'))) {
    const { value, done } = await pieces.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

/** No column name contains either delimiter, so the header decides. Spreadsheets write semicolons in locales with a decimal comma. */
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

function explain(error: CsvError): string {
  const unclosed = error.code === 'CSV_MAX_RECORD_SIZE' || error.code === 'CSV_QUOTE_NOT_CLOSED';
  return unclosed ? 'after that line a quote is opened and not closed' : error.message;
}
