/**
 * Text that a spreadsheet would evaluate as a formula: an operator after any number of spaces and invisible characters, which
 * readers drop, also in the full-width and small forms that some editions accept. A leading tab or line break is enough
 * by itself. Leading quotes count too, so that `'=1` and a guarded `=1` stay distinct.
 */
const FORMULA = /^'*(?:[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫−]|[\t\r\n])/u;

/** A leading apostrophe makes the cell text: a customer name may be `=HYPERLINK(...)`. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** For exported files that are imported again. */
export function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
