import type { Queryable } from '../../../platform/database/index.ts';
import { currencyDigits } from '../../../platform/money.ts';
import { countRows, OVERFLOW } from './counts.ts';

/**
 * The number of rows that the longest statement of the dashboard reads, counted up to a limit: today's orders, late orders and
 * status combinations. Sources choose their own statuses, so there may be any number of combinations.
 */
export async function measureDashboard(
  sql: Queryable,
  { organizationId, branchId, since, now }: { organizationId: string; branchId: string | null; since: Date; now: Date },
  limit: number,
): Promise<number> {
  const ofBranch = branchId === null ? sql`` : sql`and destination_id = ${branchId}`;
  const [row] = await sql<{ rows: number }[]>`
    select greatest(
      (select count(*) from (
        select from orders where organization_id = ${organizationId} and created_at >= ${since} ${ofBranch}
        limit ${limit}) today),
      (select count(*) from (
        select from orders where organization_id = ${organizationId} and is_open and promised_for < ${now}
        limit ${limit}) late),
      (select count(*) from (
        select from ${countRows(sql, organizationId, null)} limit ${limit}) combinations)) as rows`;
  return row?.rows ?? 0;
}

/** The statuses and currencies of a tenant's orders, with their numbers of orders. */
export type StatusTotals = { order_status: string; payment_status: string; currency: string; total: number }[];

export function readStatusTotals(sql: Queryable, organizationId: string): Promise<StatusTotals> {
  return sql<StatusTotals>`
    select order_status, payment_status, currency, sum(total) as total from (
      select order_status, payment_status, currency, total from ${countRows(sql, organizationId, null)}
      where order_status <> ${OVERFLOW}
      union all
      select order_status, payment_status, currency, 1 from rare_orders where organization_id = ${organizationId}
    ) counted
    group by 1, 2, 3 having sum(total) <> 0`;
}

/** Orders count as revenue when they have none of these statuses and this currency. */
export type RevenueRule = { cancelledStatuses: string[]; refundedStatuses: string[]; currency: string };

export type RevenueRow = {
  /** Set on the row of a channel. */
  app_slug: string | null;
  branch_id: string | null;
  store_name: string | null;
  kind: 'all' | 'channel' | 'branch';
  orders: number;
  revenue: number;
};

/** Orders and revenue since an instant: in total, by channel and by branch, in one index range scan. */
export function sumRevenue(
  sql: Queryable,
  { organizationId, branchId, since }: { organizationId: string; branchId: string | null; since: Date },
  rule: RevenueRule,
): Promise<RevenueRow[]> {
  return sql<RevenueRow[]>`
    select case when grouping(app_slug) = 0 then 'channel' when grouping(destination_id) = 0 then 'branch' else 'all' end
             as kind,
           app_slug, destination_id as branch_id, count(*) as orders,
           (array_agg(store_name order by created_at desc, id desc))[1] as store_name,
           round(coalesce(sum(total_amount) filter (
             where currency = ${rule.currency} and order_status <> all(${rule.cancelledStatuses}::text[])
               and payment_status <> all(${rule.refundedStatuses}::text[])), 0),
             ${currencyDigits(rule.currency)}::int) as revenue
    from orders
    where organization_id = ${organizationId} and created_at >= ${since}
      ${branchId === null ? sql`` : sql`and destination_id = ${branchId}`}
    group by grouping sets ((), (app_slug), (destination_id))
    order by orders desc, app_slug, store_name, destination_id`;
}

export async function countLate(
  sql: Queryable,
  { organizationId, branchId, now }: { organizationId: string; branchId: string | null; now: Date },
): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from orders
    where organization_id = ${organizationId} and is_open and promised_for < ${now}
      ${branchId === null ? sql`` : sql`and destination_id = ${branchId}`}`;
  return row?.total ?? 0;
}
