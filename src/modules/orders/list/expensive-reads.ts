import type { Sql } from '../../../platform/database/index.ts';
import type { OrderFilter, OrderSort } from '../sql/list-orders.ts';

/**
 * Where statements go whose cost grows with a tenant's history: a lane of their own, so that however many of them there are,
 * everybody else's reads find a connection.
 */
export const slow = (sql: Sql): Sql => sql.expensive;

/** Rows that a statement outside the slow lane may step over, count or sort: some milliseconds. */
export const MAX_QUICK_ROWS = 5_000;

/** Up to here all that match are sorted; beyond, enough of them match for a walk along the sort to meet them soon. */
const MAX_GATHERED_ROWS = 10_000;

/** Whether an index has exactly the orders of this filter, in the order of this sort. */
export function walksIndex(filter: OrderFilter, column: OrderSort['column']): boolean {
  const { paymentStatus, fulfillmentStatus, currency, search } = filter;
  if ([paymentStatus, fulfillmentStatus, currency, search].some(isGiven)) return false;
  const exact = [filter.branchId, filter.orderStatus, filter.source, filter.customerEmail].filter(isGiven).length;
  const byTime = [filter.from, filter.to].some(isGiven);
  const byAmount = [filter.minAmount, filter.maxAmount].some(isGiven);
  switch (column) {
    case 'created':
      return exact <= 1 && !byAmount;
    case 'total_amount':
      return exact === 0 && !byTime;
    case 'customer_name':
      return exact === 0 && !byTime && !byAmount;
  }
}

/** Whether the orders of this filter lie side by side in some index, so that a count of them touches no others. */
export function isOneStretch(filter: OrderFilter): boolean {
  return walksIndex(filter, 'created') || walksIndex(filter, 'total_amount');
}

/** Whether the maintained counts know how many orders there are. They know a branch's by status alone. */
export function isCountKept(filter: OrderFilter): boolean {
  const { customerEmail, minAmount, maxAmount, search, from, to } = filter;
  if ([customerEmail, minAmount, maxAmount, search, from, to].some(isGiven)) return false;
  const { branchId, paymentStatus, fulfillmentStatus, source, currency } = filter;
  return branchId === null || ![paymentStatus, fulfillmentStatus, source, currency].some(isGiven);
}

/** How a page of a list is read: in which lane, and whether by walking the sort or by sorting all that match. */
export function planPage(
  sql: Sql,
  filter: OrderFilter,
  sort: OrderSort,
  { skipped, total }: { skipped: number; total: number },
): { lane: Sql; gather: boolean } {
  if (walksIndex(filter, sort.column)) return { lane: skipped <= MAX_QUICK_ROWS ? sql : slow(sql), gather: false };
  const isQuick = isOneStretch(filter) && total <= MAX_QUICK_ROWS;
  return { lane: isQuick ? sql : slow(sql), gather: total <= MAX_GATHERED_ROWS };
}

/** An export has no total to go by, and reads far enough for anything but a walk to be slow. */
export function exportLane(sql: Sql, filter: OrderFilter, sort: OrderSort): Sql {
  return walksIndex(filter, sort.column) ? sql : slow(sql);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
