import type { Queryable } from '../../../platform/database/index.ts';
import { WHOLE_TENANT } from './spending.ts';

/** The number of customers who ordered since the beginning of a day, counted by their last order. */
export async function countCustomersSince(
  sql: Queryable,
  { organizationId, branchId }: { organizationId: string; branchId: string | null },
  day: string,
  timeZone: string,
): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from customers
    where organization_id = ${organizationId} and branch_id = ${branchId ?? WHOLE_TENANT}
      and last_order_at >= ${day}::date::timestamp at time zone ${timeZone}::text`;
  return row?.total ?? 0;
}
