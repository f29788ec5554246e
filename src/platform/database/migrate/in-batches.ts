import type { Tx } from '../connect.ts';
import { type Piece, Statement } from '../statement.ts';
import { inTransaction } from '../transaction.ts';
import type { DedicatedSql } from './dedicated-sql.ts';
import { MigrationError } from './migration-error.ts';
import type { Migration } from './read-migrations.ts';
import { retryBusy } from './retry-busy.ts';
import { type MigrationRun, retryOptions } from './run.ts';
import { readProgress, type StepState, storeProgress } from './schema-tables.ts';

export type Batch = {
  /** Condition on the rows of this batch, for `where`. With an alias, its columns are those of that table of the statement. */
  where(alias?: string): Piece;
  rows: number;
};

export type Batches = {
  table: string;
  /** Columns of the primary key, or of another unique index on columns that are never null, in the index's order. */
  key: readonly string[];
  /** Rows in a batch. A batch holds the locks of its rows until it ends: choose it to take a fraction of a second. */
  size?: number;
  /** Distinguishes several passes over one table. */
  step?: string;
  /** May run more than once for the same rows: after a lock timeout or a deadlock, never after its transaction was committed. */
  run(tx: Tx, batch: Batch): Promise<unknown>;
};

const DEFAULT_SIZE = 1_000;

/**
 * Passes over a table in the order of its key. Each batch is one transaction, which also stores how far the pass has come. Rows that are
 * inserted meanwhile with a smaller key are not passed over: write them complete by then, by a default or a trigger.
 */
export async function runInBatches(migration: Migration, batches: Batches, run: MigrationRun): Promise<void> {
  const { table, key, size = DEFAULT_SIZE, step = table } = batches;
  const { locked, signal, reporter } = run;
  const stored = (await readProgress(locked, migration.name))[step];
  let state: StepState = stored ?? { after: [], done: 0, isComplete: false };
  const total = await estimateRows(locked, table);
  while (!state.isComplete) {
    signal.throwIfAborted();
    reporter.update({ step, done: state.done, total });
    const current = state;
    let last: string[] | undefined;
    const runBatch = () =>
      inTransaction(locked, async (tx) => {
        const found = await findBatch(tx, { table, key, size, after: current.after });
        last = found?.last;
        const next = found
          ? { after: found.last, done: current.done + found.rows, isComplete: false }
          : { ...current, isComplete: true };
        if (found) await batches.run(tx, { rows: found.rows, where: rangeOf(key, current.after, found.last) });
        await storeProgress(tx, migration.name, step, next);
        return next;
      });
    try {
      state = await retryBusy(runBatch, retryOptions(run));
    } catch (error) {
      if (signal.aborted) throw error;
      throw new MigrationError(`${describeRange(batches, current.after, last)}: ${messageOf(error)}`, { cause: error });
    }
  }
  reporter.update({ step, done: state.done, total });
}

type Search = { table: string; key: readonly string[]; size: number; after: readonly string[] };

/** The last key of the next rows, and how many they are. */
async function findBatch(
  tx: Tx,
  { table, key, size, after }: Search,
): Promise<{ last: string[]; rows: number } | undefined> {
  const columns = key.map(quote).join(', ');
  const values = key.map((_, at) => `$${at + 2}`).join(', ');
  const condition = after.length === 0 ? '' : `where (${columns}) > (${values})`;
  const [found] = await tx.unsafe<{ last: string[]; rows: string }[]>(
    `select array[${key.map((name) => `${quote(name)}::text`).join(', ')}] as last, (count(*) over ())::text as rows
     from (select ${columns} from ${quote(table)} ${condition} order by ${columns} limit $1) batch
     order by ${key.map((name) => `${quote(name)} desc`).join(', ')} limit 1`,
    [size, ...after],
  );
  return found && { last: found.last, rows: Number(found.rows) };
}

function rangeOf(key: readonly string[], after: readonly string[], last: readonly string[]): Batch['where'] {
  return (alias) => {
    const columns = key
      .map((name) => (alias === undefined ? quote(name) : `${quote(alias)}.${quote(name)}`))
      .join(', ');
    const separators = Array.from({ length: key.length - 1 }, () => ', ');
    const upper = [`(${columns}) <= (`, ...separators, ')'];
    if (after.length === 0) return fragment(upper, last);
    return fragment([`(${columns}) > (`, ...separators, `) and ${upper[0]}`, ...upper.slice(1)], [...after, ...last]);
  };
}

function fragment(strings: readonly string[], values: readonly unknown[]): Piece {
  return new Statement<readonly unknown[]>(
    () => Promise.reject(new Error('where() is a part of a statement')),
    strings,
    values,
  );
}

/** The planner's estimate: by the table's size, also where it was never analyzed, and over all partitions. */
async function estimateRows(sql: DedicatedSql, table: string): Promise<number> {
  const [row] = await sql.unsafe<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }[]>(
    `explain (format json) select from ${quote(table)}`,
  );
  return row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

function describeRange({ table, key }: Batches, after: readonly string[], last: readonly string[] | undefined): string {
  const from = after.length === 0 ? 'from the first row' : `after (${after.join(', ')})`;
  const to = last === undefined ? '' : ` to (${last.join(', ')})`;
  return `${table} by (${key.join(', ')}), rows ${from}${to}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
