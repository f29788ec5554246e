import type { Tx } from './connect.ts';

/** A statement has at most 65,535 parameters. */
const ROWS_OF_A_STATEMENT = 500;

/**
 * Inserts rows with the same columns as lists of values. `onConflict` may end in `returning`. For clusters: they copy the rows of a select to the node over a connection of their own, which
 * takes half as long again. Not prepared: every number of rows would be another statement that a connection keeps.
 */
export async function insertValues<T = never>(
  tx: Tx,
  table: string,
  rows: readonly Record<string, unknown>[],
  onConflict = '',
): Promise<T[]> {
  const returned: T[] = [];
  const columns = Object.keys(rows[0] ?? {});
  for (let from = 0; from < rows.length; from += ROWS_OF_A_STATEMENT) {
    const values: unknown[] = [];
    const lists = rows.slice(from, from + ROWS_OF_A_STATEMENT).map((row) => {
      const places = columns.map((column) => `$${values.push(row[column])}`);
      return `(${places.join(',')})`;
    });
    returned.push(
      ...(await tx.unsafe<T[]>(
        `insert into ${table} (${columns.join(',')}) values ${lists.join(',')} ${onConflict}`,
        values,
      )),
    );
  }
  return returned;
}

/** For `insertValues`: a row with the same key is replaced. */
export function replacingBy(key: readonly string[], [row = {}]: readonly Record<string, unknown>[]): string {
  const columns = Object.keys(row).filter((column) => !key.includes(column));
  return `on conflict (${key}) do update set ${columns.map((column) => `${column} = excluded.${column}`)}`;
}
