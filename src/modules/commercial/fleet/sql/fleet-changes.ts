import type { Queryable, Tx } from '../../../../platform/database/index.ts';

/** Whether nothing has happened to the fleet that this snapshot could not see. */
export async function isFleetAsIn(sql: Queryable, snapshot: string): Promise<boolean> {
  const [row] = await sql<[{ is_same: boolean }]>`
    select pg_snapshot_xmin(${snapshot}::pg_snapshot) >= (select forgotten from fleet_changes_kept)
      and not exists (
        select from fleet_changes
        where transaction_id >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
          and not pg_visible_in_snapshot(transaction_id, ${snapshot}::pg_snapshot)) as is_same`;
  return row.is_same;
}

/** By snapshots and not by the clock: what is kept elsewhere is either vouched for here or read again. */
export async function forgetFleetChanges(tx: Tx): Promise<void> {
  await tx`
    with round as (
      update fleet_changes_kept
      set forgotten = forget_next, forget_next = pg_snapshot_xmin(pg_current_snapshot())
      returning forgotten
    )
    delete from fleet_changes where transaction_id < (select forgotten from round)`;
}
