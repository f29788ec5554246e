import type { Queryable, Tx } from '../../../platform/database/index.ts';

/** `month` is its first day. */
export async function findGoal(sql: Queryable, organizationId: string, month: string): Promise<number | null> {
  const [row] = await sql<{ revenue: number }[]>`
    select revenue from revenue_goals where organization_id = ${organizationId} and month = ${month}::date`;
  return row?.revenue ?? null;
}

export async function saveGoal(
  tx: Tx,
  organizationId: string,
  { month, revenue }: { month: string; revenue: number },
  now: Date,
): Promise<void> {
  await tx`
    insert into revenue_goals (organization_id, month, revenue, updated)
    values (${organizationId}, ${month}::date, ${revenue}, ${now})
    on conflict (organization_id, month) do update set revenue = excluded.revenue, updated = excluded.updated`;
}

export async function deleteGoal(tx: Tx, organizationId: string, month: string): Promise<void> {
  await tx`delete from revenue_goals where organization_id = ${organizationId} and month = ${month}::date`;
}
