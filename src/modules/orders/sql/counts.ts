import type { Queryable, Tx } from '../../../platform/database/index.ts';
import type { Order } from '../order.ts';
import { moveCountsByStatement } from './count-deltas.ts';
import { type CountMove, OVERFLOW } from './count-move.ts';

export { type CountMove, OVERFLOW } from './count-move.ts';

/** In place of a branch id: the counts of the whole tenant. */
export const WHOLE_TENANT = '00000000-0000-0000-0000-000000000000';

/** The statuses that orders are counted by. */
export type StatusCombination = Pick<
  Order,
  'order_status' | 'payment_status' | 'fulfillment_status' | 'source' | 'currency'
>;

export async function moveCounts(tx: Tx, moves: CountMove[]): Promise<void> {
  if (moves.length === 0) return;
  if (tx.layout.isDistributed) return moveCountsByStatement(tx, moves);
  const rows = moves.map((move) => {
    const { organization_id, id, destination_id } = move.order;
    const { order_status, payment_status, fulfillment_status, source, currency } = move.order;
    const statuses = { order_status, payment_status, fulfillment_status, source, currency };
    const is_overflow = move.by === 1 && move.isOverflow;
    return { organization_id, id, destination_id, ...statuses, by: move.by, is_overflow };
  });
  // The overflow list is read by this statement and not by the one that locked the orders: the snapshot of that one is older than the
  // locks it waited for.
  await tx`
    with moves as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as m
        (organization_id uuid, id uuid, destination_id uuid, order_status text, payment_status text,
         fulfillment_status text, source text, currency text, by int, is_overflow boolean)
    ), was_overflow as materialized (
      select r.organization_id, r.order_id from rare_orders r
      join moves m on m.by < 0 and r.organization_id = m.organization_id and r.order_id = m.id
    ), unlisted as (
      delete from rare_orders r using was_overflow w
      where r.organization_id = w.organization_id and r.order_id = w.order_id
        and not exists (select from moves m where m.is_overflow and m.organization_id = w.organization_id and m.id = w.order_id)
    ), listed as (
      insert into rare_orders as r
        (organization_id, order_id, destination_id, order_status, payment_status, fulfillment_status, source, currency)
      select organization_id, id, destination_id, order_status, payment_status, fulfillment_status, source, currency
      from moves where is_overflow
      on conflict (organization_id, order_id) do update set
        destination_id = excluded.destination_id, order_status = excluded.order_status,
        payment_status = excluded.payment_status, fulfillment_status = excluded.fulfillment_status,
        source = excluded.source, currency = excluded.currency
    ), moved as (
      select m.*, m.is_overflow or (m.by < 0 and exists (
        select from was_overflow w where w.organization_id = m.organization_id and w.order_id = m.id)) as is_folded
      from moves m
    )
    insert into order_count_deltas
      (organization_id, destination_id, order_status, payment_status, fulfillment_status, source, currency, by)
    select organization_id, destination_id, ${countedStatuses(tx)}, sum(by)
    from moved group by 1, 2, 3, 4, 5, 6, 7 having sum(by) <> 0`;
}

/** The five statuses under which a row with a column `is_folded` is counted: all empty in the overflow row. */
export const countedStatuses = (sql: Queryable) => sql`
  case when is_folded then ${OVERFLOW} else order_status end as order_status,
  case when is_folded then ${OVERFLOW} else payment_status end as payment_status,
  case when is_folded then ${OVERFLOW} else fulfillment_status end as fulfillment_status,
  case when is_folded then ${OVERFLOW} else source end as source,
  case when is_folded then ${OVERFLOW} else currency end as currency`;

/**
 * The counts of a tenant or a branch as rows: those added up, and the deltas that are not yet. In one statement, so that a delta is never
 * seen in both or in none. A branch has totals by order status only.
 */
export const countRows = (sql: Queryable, organizationId: string, branchId: string | null) => sql`(
  select order_status, payment_status, fulfillment_status, source, currency, total from order_counts
  where organization_id = ${organizationId} and destination_id = ${branchId ?? WHOLE_TENANT}
  union all
  select order_status, payment_status, fulfillment_status, source, currency, by from order_count_deltas
  where ${ofBranch(sql, organizationId, branchId)}) counts`;

/** The filters that the counts answer. Of a branch they answer the order status only. */
export type CountedFilter = {
  organizationId: string;
  branchId: string | null;
  orderStatus?: string;
  paymentStatus?: string;
  fulfillmentStatus?: string;
  source?: string;
  currency?: string;
};

/** The number of orders as an expression, for a statement that reads more. */
export function countOf(sql: Queryable, filter: CountedFilter) {
  const { organizationId, branchId, orderStatus, paymentStatus, fulfillmentStatus, source, currency } = filter;
  const only = (column: keyof StatusCombination, value: string | undefined) =>
    value === undefined ? sql`` : sql`and ${sql(column)} = ${value}`;
  const filters = sql`
    ${only('order_status', orderStatus)} ${only('payment_status', paymentStatus)}
    ${only('fulfillment_status', fulfillmentStatus)} ${only('source', source)} ${only('currency', currency)}`;
  const isFiltered = [orderStatus, paymentStatus, fulfillmentStatus, source, currency].some(
    (value) => value !== undefined,
  );
  // Without a filter the sum includes the overflow row. A filter never matches it, so its orders are counted one by one.
  const overflow = isFiltered
    ? sql`(select count(*) from rare_orders where ${ofBranch(sql, organizationId, branchId)} ${filters})`
    : sql`0`;
  return sql`(
    select coalesce(sum(total), 0) + ${overflow} from ${countRows(sql, organizationId, branchId)} where true ${filters})`;
}

export async function readCount(sql: Queryable, filter: CountedFilter): Promise<number> {
  const [row] = await sql<{ total: number }[]>`select ${countOf(sql, filter)} as total`;
  return row?.total ?? 0;
}

export function countByStatus(
  sql: Queryable,
  organizationId: string,
  branchId: string | null,
): Promise<{ order_status: string; total: number }[]> {
  return sql<{ order_status: string; total: number }[]>`
    select order_status, sum(total) as total from (
      select order_status, total from ${countRows(sql, organizationId, branchId)} where order_status <> ${OVERFLOW}
      union all
      select order_status, 1 from rare_orders where ${ofBranch(sql, organizationId, branchId)}
    ) counted
    group by order_status having sum(total) <> 0`;
}

function ofBranch(sql: Queryable, organizationId: string, branchId: string | null) {
  return sql`organization_id = ${organizationId} ${branchId === null ? sql`` : sql`and destination_id = ${branchId}`}`;
}

/** The combinations that a tenant has rows for, up to a limit. */
export function listCombinations(sql: Queryable, organizationId: string, limit: number): Promise<StatusCombination[]> {
  return sql<StatusCombination[]>`
    select distinct order_status, payment_status, fulfillment_status, source, currency
    from ${countRows(sql, organizationId, null)} where order_status <> ${OVERFLOW}
    limit ${limit}`;
}
