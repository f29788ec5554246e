/** A row as the file has it: cells are not trimmed, in quotes or not. */
export type CsvRow = { line: number; cells: string[] };
export type CsvFault = { kind: 'empty' } | { kind: 'encoding' } | { kind: 'quotes'; line: number };

/** A longer row has a quote that is opened and not closed: the rest of the file would be read as one cell. */
const MAX_ROW_CHARACTERS = 1024 * 1024;
const LINE_BREAKS = ['\r\n', '\n', '\r'];

type Parsed = { record: string[]; info: { empty_lines: number } };

/** UTF-8 with or without a byte order mark. Other encodings are rejected: they would be read as wrong letters. */
export function readText(bytes: ArrayBuffer): string | CsvFault {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { kind: 'encoding' };
  }
}

/**
 * Reads CSV with the parser and the options of the service (`src/platform/csv/open-csv.ts`), so that a file is read the same
 * way by the console, the CLI and the API. The parser is loaded when a file is read; 100,000 rows take about a second.
 */
export async function readCsv(text: string): Promise<CsvRow[] | CsvFault> {
  const { CsvError, parse } = await import('csv-parse/browser/esm/sync');
  const rows: CsvRow[] = [];
  // The parser counts a CRLF inside quotes as two lines, so lines are counted here: the breaks inside a row's cells, the
  // one that ends it, and the blank lines before it.
  let lastLine = 0;
  let blankBefore = 0;
  function add({ record, info }: Parsed): null {
    const line = lastLine + 1 + info.empty_lines - blankBefore;
    blankBefore = info.empty_lines;
    lastLine = line + countBreaks(record);
    if (record.some((cell) => cell.trim() !== '')) rows.push({ line, cells: record.map(withoutFormulaGuard) });
    return null;
  }
  try {
    parse(text, {
      bom: true,
      info: true,
      delimiter: delimiterOf(text),
      record_delimiter: LINE_BREAKS,
      // Inches, as in 24", are written without quotes around the cell.
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW_CHARACTERS,
      on_record: add as never,
    });
  } catch (error) {
    if (error instanceof CsvError) return { kind: 'quotes', line: lastLine + 1 };
    throw error;
  }
  return rows.length === 0 ? { kind: 'empty' } : rows;
}

/** Column names contain neither, so the header decides. Spreadsheets write semicolons where the comma is the decimal sign. */
function delimiterOf(text: string): ',' | ';' {
  const [header = ''] = text.trimStart().split(/[\r\n]/, 1);
  return header.split(';').length > header.split(',').length ? ';' : ',';
}

function countBreaks(cells: readonly string[]): number {
  return cells.reduce((breaks, cell) => breaks + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}

export function writeCsv(rows: readonly (readonly string[])[]): string {
  const quoted = (text: string) => (/[",;\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const line = (row: readonly string[]) => row.map((cell) => quoted(guardFormula(cell))).join(',');
  // Spreadsheets recognize UTF-8 by the byte order mark.
  return `\uFEFF${rows.map(line).join('\r\n')}\r\n`;
}

/** The rule of the service's exports (`src/platform/csv`), which the console cannot import: cells that a spreadsheet would calculate. */
const FORMULA = /^'*(?:[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫−]|[\t\r\n])/u;
const NUMBER = /^-?\d+(?:[.,]\d+)?$/;

/** Numbers are not guarded: a negative price stays a number in the file that is corrected and uploaded again. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** Removes the guard that a file of rejected rows was written with. */
function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
