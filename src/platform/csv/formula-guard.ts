/**
 * What a spreadsheet would calculate: a sign of calculation after any number of spaces and invisible characters, which readers
 * drop, also in the full-width and small forms that some editions read as the plain ones. A tab or a line end in front is
 * enough by itself. Quotes before it count too, so that `'=1` can be told from a guarded `=1`.
 */
const FORMULA = /^'*(?:[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫−]|[\t\r\n])/u;

/** A leading apostrophe keeps the cell text: a buyer may call himself `=HYPERLINK(...)`. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** For files that were exported and come back. */
export function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
