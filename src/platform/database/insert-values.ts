import type { Tx } from './connect.ts';

/** A statement has at most 65,535 parameters. */
const ROWS_OF_A_STATEMENT = 500;

/**
 * Inserts rows with the same columns as lists of values. For clusters: they copy the rows of a select to the node over a connection of their own,
 * which takes half as long again. Not prepared: every number of rows would be another statement that a connection keeps.
 */
export async function insertValues(tx: Tx, table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  for (let from = 0; from < rows.length; from += ROWS_OF_A_STATEMENT) {
    const values: unknown[] = [];
    const lists = rows.slice(from, from + ROWS_OF_A_STATEMENT).map((row) => {
      const places = columns.map((column) => `$${values.push(row[column])}`);
      return `(${places.join(',')})`;
    });
    await tx.unsafe(`insert into ${table} (${columns.join(',')}) values ${lists.join(',')}`, values);
  }
}
