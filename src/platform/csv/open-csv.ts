import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { checkedUtf8 } from './checked-utf8.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** The cells of a row, by the lines of the file that it begins and ends on. */
export type CsvLine = { cells: string[]; line: number; lastLine: number };

export type OpenCsv = { delimiter: ',' | ';'; lines: AsyncGenerator<CsvLine> };

/** No row is this long: a quote was opened and never closed, and the rest of the file would be read as one cell. */
const MAX_ROW_CHARACTERS = 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;
const LINE_BREAKS = ['\r\n', '\n', '\r'];

/**
 * Reads CSV as spreadsheets write it: UTF-8 with or without a byte order mark, commas or semicolons. It reads on only as
 * the lines are taken, so a file of any size passes through the same little memory. What ends the reading is an
 * UnreadableFile.
 */
export async function openCsv(source: AsyncIterable<Buffer>): Promise<OpenCsv> {
  const pieces = checkedUtf8(source);
  const head = await readHead(pieces);
  const delimiter = findDelimiter(head);
  return { delimiter, lines: readLines(head, pieces, delimiter) };
}

type Parsed = { record: string[]; info: { empty_lines: number } };

/**
 * Counts lines itself: the parser's count takes a CRLF inside quotes for two. All line breaks of a row are in its cells
 * but the one that ends it, and blank lines between rows are counted by the parser.
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
    // 24" and the like are written without care for quotes.
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
  });
  // Whatever goes wrong on either side comes out of the parser, where it is waited for.
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

function explain(error: CsvError): string {
  const unclosed = error.code === 'CSV_MAX_RECORD_SIZE' || error.code === 'CSV_QUOTE_NOT_CLOSED';
  return unclosed ? 'after that line a quote is opened and not closed' : error.message;
}
