import type { Queryable, Tx } from './connect.ts';
import type { Piece } from './statement.ts';

/**
 * Where a cached answer is checked for changes of its sources. Triggers add the number of a transaction that changes a source to `changes`; a
 * reader caches its answer with the snapshot of the read. Writers never wait for each other: each adds its own row.
 */
export type ChangeHistory = {
  /** Table with a column `transaction_id`. */
  changes: string;
  /** Table with one row: changes below `forgotten` are no longer in `changes`, those below `forget_next` will go next. */
  history: string;
};

/** Whether no transaction that the snapshot could not see has added a change. Null for a null snapshot. `only` selects changes. */
export const isUnchangedSince = (
  sql: Queryable,
  of: ChangeHistory,
  snapshot: Piece,
  only: Piece = sql`true`,
): Piece => sql`
  (pg_snapshot_xmin(${snapshot}) >= (select forgotten from ${sql(of.history)}) and not exists (
    select from ${sql(of.changes)}
    where ${only} and transaction_id >= pg_snapshot_xmin(${snapshot})
      and not pg_visible_in_snapshot(transaction_id, ${snapshot})))`;

/**
 * Deletes changes in two rounds, by snapshots and not by the clock: a cached answer on any node either finds all changes since its snapshot,
 * or finds that its snapshot is older than the history and is read again.
 */
export async function deleteOldChanges(tx: Tx, { changes, history }: ChangeHistory): Promise<void> {
  await tx`
    with round as (
      update ${tx(history)} set forgotten = forget_next, forget_next = pg_snapshot_xmin(pg_current_snapshot())
      returning forgotten
    )
    delete from ${tx(changes)} where transaction_id < (select forgotten from round)`;
}
