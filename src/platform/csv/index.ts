export { checkedUtf8 } from './checked-utf8.ts';
export { type ExportedColumn, exportRows, MAX_EXPORT_ROWS } from './export-rows.ts';
export { guardFormula, withoutFormulaGuard } from './formula-guard.ts';
export { type CsvLine, openCsv } from './open-csv.ts';
export { UnreadableFile } from './unreadable-file.ts';
export { type CsvCell, writeCsv } from './write-csv.ts';
