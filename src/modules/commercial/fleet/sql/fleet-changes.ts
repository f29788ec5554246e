import { type ChangeHistory, isUnchangedSince, type Queryable } from '../../../../platform/database/index.ts';

export const FLEET_CHANGES: ChangeHistory = { changes: 'fleet_changes', history: 'fleet_change_history' };

/** Whether no transaction that this snapshot could not see has changed the fleet. */
export async function isFleetUnchangedSince(sql: Queryable, snapshot: string): Promise<boolean> {
  const [row] = await sql<[{ is_unchanged: boolean }]>`
    select ${isUnchangedSince(sql, FLEET_CHANGES, sql`known.snapshot`)} as is_unchanged
    from (select ${snapshot}::text::pg_snapshot as snapshot) known`;
  return row.is_unchanged;
}
