import { type ChangeHistory, isUnchangedSince, type Piece, type Queryable } from '../../../platform/database/index.ts';

export const DASHBOARD_CHANGES: ChangeHistory = { changes: 'dashboard_changes', history: 'dashboard_change_history' };

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
  const ofTenant = sql`organization_id in (${organizationId}, ${ALL_TENANTS})`;
  const [row] = await sql<[DashboardState]>`
    select pg_current_snapshot()::text as snapshot, ${versions.sales} as sales,
           coalesce(${versions.position}, 0) as position,
           ${isUnchangedSince(sql, DASHBOARD_CHANGES, sql`known.snapshot`, ofTenant)} as is_unchanged
    from (select ${knownSnapshot}::text::pg_snapshot as snapshot) known`;
  return row;
}
