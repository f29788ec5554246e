import type { Queryable } from '../../../platform/database/index.ts';
import { currencyDigits } from '../../../platform/money.ts';
import type { SalesScope } from './read-sales.ts';
import type { DaySpan } from './split-span.ts';

export type BranchSales = {
  /** `NO_BRANCH` for orders without one. */
  branch_id: string;
  orders: number;
  revenue: number;
  cancelled: number;
};

const ofBranch = (sql: Queryable, { branchId }: SalesScope) =>
  branchId === null ? sql`` : sql`and s.branch_id = ${branchId}`;

/** By branch, the highest revenue first. Orders include every currency; revenue is in one. */
export function sumBranches(
  sql: Queryable,
  scope: SalesScope,
  { from, to }: DaySpan,
  currency: string,
): Promise<BranchSales[]> {
  return sql<BranchSales[]>`
    select s.branch_id, sum(s.orders) as orders, sum(s.cancelled) as cancelled,
           round(coalesce(sum(s.revenue) filter (where s.currency = ${currency}), 0), ${currencyDigits(currency)}::int)
             as revenue
    from daily_sales s
    where s.organization_id = ${scope.organizationId} and s.local_day between ${from}::date and ${to}::date
      ${ofBranch(sql, scope)}
    group by s.branch_id order by revenue desc, orders desc, s.branch_id`;
}

export type SalesOfDay = { date: string; orders: number; revenue: number };

/** Days with orders, the oldest first. */
export function listSalesDays(
  sql: Queryable,
  scope: SalesScope,
  { from, to }: DaySpan,
  currency: string,
): Promise<SalesOfDay[]> {
  return sql<SalesOfDay[]>`
    select s.local_day::text as date, sum(s.orders) as orders,
           coalesce(sum(s.revenue) filter (where s.currency = ${currency}), 0) as revenue
    from daily_sales s
    where s.organization_id = ${scope.organizationId} and s.local_day between ${from}::date and ${to}::date
      ${ofBranch(sql, scope)}
    group by s.local_day order by s.local_day`;
}

/** The first day with orders. */
export async function findFirstSalesDay(sql: Queryable, { organizationId }: SalesScope): Promise<string | undefined> {
  const [row] = await sql<{ day: string }[]>`
    select local_day::text as day from daily_sales where organization_id = ${organizationId}
    order by local_day limit 1`;
  return row?.day;
}
