import type { Sql } from '../../../platform/database/index.ts';
import type { OrderFilter, OrderSort } from '../sql/list-orders.ts';

/**
 * For statements whose cost grows with the history of a tenant. They share a limited part of the connections, so that any number of
 * them leaves connections for the other reads.
 */
export const slow = (sql: Sql): Sql => sql.expensive;

/** Rows that a statement may skip, count or sort as a usual read: some milliseconds. */
export const MAX_QUICK_ROWS = 5_000;

/** Up to this number all matches are read and sorted. With more, a scan of the sort index finds matches soon enough. */
const MAX_SORTED_ROWS = 10_000;

/** Whether an index contains exactly the orders of this filter in the order of this sort. */
export function walksIndex(filter: OrderFilter, column: OrderSort['column']): boolean {
  const { paymentStatus, fulfillmentStatus, currency, search, openStatuses, promisedBefore, appSlug, payment, tagKey } =
    filter;
  const unindexed = [
    paymentStatus,
    fulfillmentStatus,
    currency,
    search,
    openStatuses,
    promisedBefore,
    appSlug,
    payment,
    tagKey,
  ];
  if (unindexed.some(isPresent)) return false;
  const exact = [filter.branchId, filter.orderStatus, filter.source, filter.customerEmail].filter(isPresent).length;
  const byTime = [filter.from, filter.to].some(isPresent);
  const byAmount = [filter.minAmount, filter.maxAmount].some(isPresent);
  switch (column) {
    case 'created':
      return exact <= 1 && !byAmount;
    case 'total_amount':
      return exact === 0 && !byTime;
    case 'customer_name':
      return exact === 0 && !byTime && !byAmount;
  }
}

/** Whether the orders of this filter are one range of an index, so that counting them reads no others. */
export function isIndexRange(filter: OrderFilter): boolean {
  return walksIndex(filter, 'created') || walksIndex(filter, 'total_amount');
}

/** Whether order_counts has the total. For a branch it has totals by order status only. */
export function hasMaintainedCount(filter: OrderFilter): boolean {
  const {
    customerEmail,
    minAmount,
    maxAmount,
    search,
    openStatuses,
    promisedBefore,
    appSlug,
    payment,
    tagKey,
    from,
    to,
  } = filter;
  const times = [promisedBefore, from, to];
  const uncounted = [customerEmail, minAmount, maxAmount, search, openStatuses, appSlug, payment, tagKey, ...times];
  if (uncounted.some(isPresent)) return false;
  const { branchId, paymentStatus, fulfillmentStatus, source, currency } = filter;
  return branchId === null || ![paymentStatus, fulfillmentStatus, source, currency].some(isPresent);
}

/** How a page is read: as a usual or an expensive read, and by scanning the sort index or by sorting all matches. */
export function planPage(
  sql: Sql,
  filter: OrderFilter,
  sort: OrderSort,
  { skipped, total }: { skipped: number; total: number },
): { reader: Sql; sortMatches: boolean } {
  if (walksIndex(filter, sort.column))
    return { reader: skipped <= MAX_QUICK_ROWS ? sql : slow(sql), sortMatches: false };
  const isQuick = isIndexRange(filter) && total <= MAX_QUICK_ROWS;
  return { reader: isQuick ? sql : slow(sql), sortMatches: total <= MAX_SORTED_ROWS };
}

/** An export has no total to decide by, and reads so many rows that only an index scan is fast. */
export function exportReader(sql: Sql, filter: OrderFilter, sort: OrderSort): Sql {
  return walksIndex(filter, sort.column) ? sql : slow(sql);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
