import type { Queryable } from '../../../platform/database/index.ts';
import { TENANT_FAMILY } from './spending.ts';

/** How many have ordered since the beginning of a day: each is known by the last order, so nothing is counted twice. */
export async function countCustomersSince(
  sql: Queryable,
  { organizationId, branchId }: { organizationId: string; branchId: string | null },
  day: string,
  timeZone: string,
): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from customers
    where organization_id = ${organizationId} and branch_id = ${branchId ?? TENANT_FAMILY}
      and last_order_at >= ${day}::date::timestamp at time zone ${timeZone}::text`;
  return row?.total ?? 0;
}
