import type { Queryable } from '../../../platform/database/index.ts';
import type { DaySpan } from './split-span.ts';

/** Reads one row per day, channel, branch and currency; days without orders are absent. */
export function countOrdersByDay(
  sql: Queryable,
  organizationId: string,
  { from, to }: DaySpan,
): Promise<{ day: string; count: number }[]> {
  return sql<{ day: string; count: number }[]>`
    select local_day::text as day, sum(orders)::bigint as count from daily_sales
    where organization_id = ${organizationId} and local_day between ${from}::date and ${to}::date
    group by local_day`;
}
