import type { Queryable } from '../../../../platform/database/index.ts';

/** The last month whose fees were charged, by its first day, without a lock. */
export async function findChargedThrough(sql: Queryable, organizationId: string): Promise<string | undefined> {
  const [row] = await sql<{ charged_through: string }[]>`
    select charged_through::text from billing_accounts where organization_id = ${organizationId}`;
  return row?.charged_through;
}
