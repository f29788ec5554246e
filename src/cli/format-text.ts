import { printable } from '../platform/text/printable.ts';

export type Cell = string | number | boolean | Date | null | undefined | readonly string[];

/** The longest cell of a column makes its width, up to here: one long text must not push the others off the screen. */
const MAX_PADDED_CHARACTERS = 48;

/** Columns side by side, the last one as long as it likes. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.min(MAX_PADDED_CHARACTERS, Math.max(0, ...rows.map((row) => [...(row[column] ?? '')].length))),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - [...cell].length)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One `name  value` a line. */
export function formatPairs(value: object): string {
  return alignColumns(Object.entries(value).map(([name, cell]) => [name, formatCell(cell)]));
}

/** With the names of the columns above them. */
export function formatTable<Name extends string>(names: readonly Name[], rows: readonly Record<Name, Cell>[]): string {
  return alignColumns([[...names], ...rows.map((row) => names.map((name) => formatCell(row[name])))]);
}

function formatCell(cell: unknown): string {
  if (cell === null || cell === undefined || cell === '') return '-';
  if (cell instanceof Date) return cell.toISOString();
  if (Array.isArray(cell)) return cell.length === 0 ? '-' : printable(cell.join(', '));
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return printable(typeof cell === 'object' ? JSON.stringify(cell) : String(cell));
}
