import type { Queryable, Tx } from '../../../../platform/database/index.ts';

/** Whether no transaction that this snapshot could not see has changed the fleet. */
export async function isUnchangedSince(sql: Queryable, snapshot: string): Promise<boolean> {
  const [row] = await sql<[{ is_unchanged: boolean }]>`
    select pg_snapshot_xmin(${snapshot}::pg_snapshot) >= (select forgotten from fleet_change_history)
      and not exists (
        select from fleet_changes
        where transaction_id >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
          and not pg_visible_in_snapshot(transaction_id, ${snapshot}::pg_snapshot)) as is_unchanged`;
  return row.is_unchanged;
}

/**
 * Deletes changes in two rounds, by snapshots and not by the clock: a cached answer on any node either finds all changes since
 * its snapshot here, or finds that its snapshot is older than the history and is read again.
 */
export async function deleteOldFleetChanges(tx: Tx): Promise<void> {
  await tx`
    with round as (
      update fleet_change_history
      set forgotten = forget_next, forget_next = pg_snapshot_xmin(pg_current_snapshot())
      returning forgotten
    )
    delete from fleet_changes where transaction_id < (select forgotten from round)`;
}
