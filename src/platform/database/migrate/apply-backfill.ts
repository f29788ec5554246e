import { pathToFileURL } from 'node:url';
import type { Tx } from '../connect.ts';
import { inTransaction } from '../transaction.ts';
import { runOnline } from './apply-online.ts';
import type { DedicatedSql } from './dedicated-sql.ts';
import { type Batches, runInBatches } from './in-batches.ts';
import { MigrationError } from './migration-error.ts';
import type { Reporter } from './progress.ts';
import type { Migration } from './read-migrations.ts';
import { retryBusy } from './retry-busy.ts';
import { type MigrationRun, retryOptions } from './run.ts';
import { recordApplied } from './schema-tables.ts';

/**
 * What a migration in TypeScript receives. It imports types only: functions of `src/` change with later releases, a migration must not.
 * It runs from the beginning after an interruption; `inBatches` then goes on where it stopped.
 */
export type MigrationContext = {
  sql: DedicatedSql;
  /** A statement outside a transaction, with the same care as in an online file: `create index concurrently if not exists`. */
  online(statement: string): Promise<void>;
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  inBatches(batches: Batches): Promise<void>;
  /** For work outside `inBatches`. */
  progress: Reporter['update'];
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
};

export async function applyBackfill(migration: Migration, run: MigrationRun): Promise<void> {
  const { locked, signal, reporter } = run;
  const module: { migrate?: unknown } = await import(/* @vite-ignore */ pathToFileURL(migration.file).href);
  if (typeof module.migrate !== 'function') throw new MigrationError('it does not export a function migrate');
  const context: MigrationContext = {
    sql: locked,
    online: (statement) => runOnline(migration, statement, { ...run, step: firstWords(statement) }),
    inTransaction: (work) => retryBusy(() => inTransaction(locked, work), retryOptions(run)),
    inBatches: (batches) => runInBatches(migration, batches, run),
    progress: reporter.update,
    signal,
  };
  await module.migrate(context);
  await recordApplied(locked, migration);
}

function firstWords(statement: string): string {
  return statement.trim().split(/\s+/).slice(0, 6).join(' ');
}
