import type { Piece, Queryable, Tx } from '../../../platform/database/index.ts';

/** In place of a tenant: a change of all dashboards. */
const ALL_TENANTS = '00000000-0000-0000-0000-000000000000';

/** The versions that a dashboard depends on. Equal states mean equal dashboards, apart from what the time changes. */
export type DashboardState = {
  snapshot: string;
  sales: number;
  position: number;
  /** Whether no transaction that the known snapshot could not see has changed anything else. Null without a known snapshot. */
  is_unchanged: boolean | null;
};

/** `versions` are expressions that read the versions of other modules. */
export async function readDashboardState(
  sql: Queryable,
  organizationId: string,
  knownSnapshot: string | null,
  versions: { sales: Piece; position: Piece },
): Promise<DashboardState> {
  const [row] = await sql<[DashboardState]>`
    select pg_current_snapshot()::text as snapshot, ${versions.sales} as sales,
           coalesce(${versions.position}, 0) as position,
           pg_snapshot_xmin(known.snapshot) >= (select forgotten from dashboard_change_history) and not exists (
             select from dashboard_changes
             where organization_id in (${organizationId}, ${ALL_TENANTS})
               and transaction_id >= pg_snapshot_xmin(known.snapshot)
               and not pg_visible_in_snapshot(transaction_id, known.snapshot)) as is_unchanged
    from (select ${knownSnapshot}::text::pg_snapshot as snapshot) known`;
  return row;
}

/**
 * Deletes changes in two rounds, by snapshots and not by the clock: a cached dashboard on any node either finds all changes since
 * its snapshot, or finds that its snapshot is older than the history and is read again.
 */
export async function deleteOldDashboardChanges(tx: Tx): Promise<void> {
  await tx`
    with round as (
      update dashboard_change_history
      set forgotten = forget_next, forget_next = pg_snapshot_xmin(pg_current_snapshot())
      returning forgotten
    )
    delete from dashboard_changes where transaction_id < (select forgotten from round)`;
}
