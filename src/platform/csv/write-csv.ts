import { stringify } from 'csv-stringify/sync';
import { guardFormula } from './formula-guard.ts';

/** Text is guarded against formulas. A decimal stored as text for its precision is written as a number. */
export type CsvCell = string | number | null | { decimal: string | null };

// csv-stringify quotes only its own line end, and some readers start a row after any of these.
const LINE_ENDS = /[\r\n\v\f\u0085\u2028\u2029]/;

/** Writes CSV. Spreadsheets expect CRLF; files for scripts may use LF. */
export function writeCsv(rows: readonly (readonly CsvCell[])[], { lineEnd = '\r\n' } = {}): string {
  const cells = rows.map((row) => row.map(toText));
  return stringify(cells, { record_delimiter: lineEnd, quoted_match: LINE_ENDS });
}

function toText(cell: CsvCell): string | number | null {
  if (typeof cell === 'string') return guardFormula(cell);
  return typeof cell === 'object' ? (cell?.decimal ?? null) : cell;
}
