import type { Sql } from '../connect.ts';
import type { DedicatedSql } from './dedicated-sql.ts';
import type { Reporter } from './progress.ts';
import type { RetryOptions } from './retry-busy.ts';

/** What applying one migration can use. */
export type MigrationRun = {
  /** The connection that holds the migration lock. */
  locked: DedicatedSql;
  /** The pool, for looking at what the locked connection is doing and for cancelling it. */
  pool: Sql;
  backendPid: number;
  signal: AbortSignal;
  reporter: Reporter;
};

export function retryOptions({ signal, reporter }: MigrationRun): RetryOptions {
  return { signal, onRetry: (tried) => reporter.update({ step: `waiting for a lock, try ${tried + 1}` }) };
}

/** Cancels the statement that runs when the signal comes: it may take hours. */
export async function cancelOnSignal<T>(
  { pool, backendPid, signal }: MigrationRun,
  work: () => Promise<T>,
): Promise<T> {
  const cancel = () => void pool`select pg_cancel_backend(${backendPid})`.catch(() => undefined);
  signal.addEventListener('abort', cancel);
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
