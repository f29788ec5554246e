import { stringify } from 'csv-stringify/sync';
import { guardFormula } from './formula-guard.ts';

/** Text is guarded against formulas. A decimal that is kept as text for its digits is written as the number it is. */
export type CsvCell = string | number | null | { decimal: string | null };

// By itself the writer quotes its own line end only, and some readers begin a row after any of these.
const LINE_ENDS = /[\r\n\v\f\u0085\u2028\u2029]/;

/** The one writer of CSV. Spreadsheets expect Windows line ends; files for scripts may have the plain one. */
export function writeCsv(rows: readonly (readonly CsvCell[])[], { lineEnd = '\r\n' } = {}): string {
  const cells = rows.map((row) => row.map(toText));
  return stringify(cells, { record_delimiter: lineEnd, quoted_match: LINE_ENDS });
}

function toText(cell: CsvCell): string | number | null {
  if (typeof cell === 'string') return guardFormula(cell);
  return typeof cell === 'object' ? (cell?.decimal ?? null) : cell;
}
