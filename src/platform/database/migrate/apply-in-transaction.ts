import { inTransaction } from '../transaction.ts';
import type { Migration } from './read-migrations.ts';
import { retryBusy } from './retry-busy.ts';
import { cancelOnSignal, type MigrationRun, retryOptions } from './run.ts';
import { recordApplied } from './schema-tables.ts';

export async function applyInTransaction(migration: Migration, run: MigrationRun): Promise<void> {
  const apply = () =>
    inTransaction(run.locked, async (tx) => {
      await tx.unsafe(migration.text);
      await recordApplied(tx, migration);
    });
  await cancelOnSignal(run, () => retryBusy(apply, retryOptions(run)));
}
