import type { Queryable } from '../../../platform/database/index.ts';
import { FOLDED, TENANT_FAMILY } from './counts.ts';

/**
 * How many rows the longest of the dashboard's statements has to go through, counted up to a limit: today's orders, those
 * that are late, and the words that its counts are kept by, which are the sources' own and may be any number.
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
        select from order_counts where organization_id = ${organizationId} and destination_id = ${TENANT_FAMILY}
        limit ${limit}) words)) as rows`;
  return row?.rows ?? 0;
}

/** The words and currencies that a tenant's orders carry, with how many carry them. */
export type Vocabulary = { order_status: string; payment_status: string; currency: string; total: number }[];

export function readVocabulary(sql: Queryable, organizationId: string): Promise<Vocabulary> {
  return sql<Vocabulary>`
    select order_status, payment_status, currency, sum(total) as total from (
      select order_status, payment_status, currency, total from order_counts
      where organization_id = ${organizationId} and destination_id = ${TENANT_FAMILY} and order_status <> ${FOLDED}
      union all
      select order_status, payment_status, currency, 1 from rare_orders where organization_id = ${organizationId}
    ) carried
    group by 1, 2, 3 having sum(total) <> 0`;
}

/** What counts as money earned: not these statuses, in this currency. */
export type Earning = { cancelledWords: string[]; refundedWords: string[]; currency: string };

export type TakingsRow = {
  /** Set on the row of a channel. */
  app_slug: string | null;
  branch_id: string | null;
  store_name: string | null;
  kind: 'all' | 'channel' | 'branch';
  orders: number;
  revenue: number;
};

/** Orders since an instant, in all, by channel and by branch: one pass over that stretch of an index. */
export function sumTakings(
  sql: Queryable,
  { organizationId, branchId, since }: { organizationId: string; branchId: string | null; since: Date },
  earning: Earning,
): Promise<TakingsRow[]> {
  return sql<TakingsRow[]>`
    select case when grouping(app_slug) = 0 then 'channel' when grouping(destination_id) = 0 then 'branch' else 'all' end
             as kind,
           app_slug, destination_id as branch_id, count(*) as orders,
           (array_agg(store_name order by created_at desc, id desc))[1] as store_name,
           coalesce(sum(total_amount) filter (
             where currency = ${earning.currency} and order_status <> all(${earning.cancelledWords}::text[])
               and payment_status <> all(${earning.refundedWords}::text[])), 0) as revenue
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
