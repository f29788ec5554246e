import type { Queryable, Sql } from '../connect.ts';
import { applyBackfill } from './apply-backfill.ts';
import { applyInTransaction } from './apply-in-transaction.ts';
import { applyOnline } from './apply-online.ts';
import type { DedicatedSql } from './dedicated-sql.ts';
import { MigrationError, MigrationInterrupted } from './migration-error.ts';
import { withMigrationLock } from './migration-lock.ts';
import { createReporter, type OnProgress } from './progress.ts';
import { type Migration, readMigrations } from './read-migrations.ts';
import { createSchemaTables, readApplied } from './schema-tables.ts';

export type MigrateOptions = {
  /** Runs under the migration lock before each migration, with those that are left; an error stops the run. */
  beforeApplying?(sql: Queryable, pending: readonly Migration[]): Promise<void>;
  onProgress?: OnProgress;
  /** Stops the run: a statement is cancelled, a backfill ends its batch. The next run goes on from there. */
  signal?: AbortSignal;
};

const APPLY = { transaction: applyInTransaction, online: applyOnline, backfill: applyBackfill };

/**
 * Applies pending migrations in order of file name and returns their names. Processes that start at the same time wait for the one that
 * holds the lock and find the work done. An applied file whose text has changed since is refused: the database would no longer match the
 * files.
 */
export async function migrate(sql: Sql, folder: string, options: MigrateOptions = {}): Promise<string[]> {
  const migrations = await readMigrations(folder);
  if (findPending(migrations, await readApplied(sql)).length === 0) return [];
  const { signal = new AbortController().signal, onProgress = () => undefined } = options;
  const onWaiting = (elapsedMs: number) => onProgress({ state: 'waiting', name: '', number: 0, count: 0, elapsedMs });
  try {
    return await withMigrationLock(sql, { signal, onWaiting }, (locked) =>
      applyPending({ pool: sql, locked, signal, onProgress }, migrations, options),
    );
  } catch (error) {
    if (error instanceof MigrationError || !signal.aborted) throw error;
    throw new MigrationInterrupted('Interrupted while another process was migrating');
  }
}

function findPending(migrations: Migration[], applied: ReadonlyMap<string, string>): Migration[] {
  refuseRewrittenHistory(migrations, applied);
  return migrations.filter(({ name }) => !applied.has(name));
}

function refuseRewrittenHistory(migrations: Migration[], applied: ReadonlyMap<string, string>): void {
  for (const [name, checksum] of applied) {
    const file = migrations.find((migration) => migration.name === name);
    if (file === undefined) {
      throw new MigrationError(`The database has migration ${name}, which this version does not know: it is newer`);
    }
    if (file.checksum !== checksum) throw new MigrationError(`Migration ${name} was changed after it was applied`);
  }
}

type Session = { pool: Sql; locked: DedicatedSql; signal: AbortSignal; onProgress: OnProgress };

async function applyPending(session: Session, migrations: Migration[], options: MigrateOptions): Promise<string[]> {
  const { locked, signal } = session;
  await createSchemaTables(locked);
  const pending = findPending(migrations, await readApplied(locked));
  const [backend] = await locked<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const applied: string[] = [];
  for (const [at, migration] of pending.entries()) {
    await options.beforeApplying?.(locked, pending.slice(at));
    const reporter = createReporter(migration, { ...session, number: at + 1, count: pending.length });
    try {
      signal.throwIfAborted();
      await APPLY[migration.kind](migration, { ...session, backendPid: backend?.pid ?? 0, reporter });
      reporter.end('applied');
      applied.push(migration.name);
    } catch (error) {
      reporter.end();
      throw explain(error, migration, { signal, applied });
    }
  }
  return applied;
}

function explain(
  error: unknown,
  { name }: Migration,
  { signal, applied }: { signal: AbortSignal; applied: readonly string[] },
): Error {
  if (signal.aborted) {
    return new MigrationInterrupted(
      `Interrupted in ${name}; ${applied.length} migrations were applied before it. Run dukkan migrate again to continue`,
    );
  }
  return new MigrationError(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, {
    cause: error,
  });
}
