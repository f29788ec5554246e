import type { Sql } from '../../../platform/database/index.ts';
import { parseInstant } from '../../../platform/http/instant.ts';
import { readSort } from '../../../platform/http/paging.ts';
import type { Order } from '../order.ts';
import type { OrderOwner } from '../ordering.ts';
import { type Pagination, pagination } from '../payload.ts';
import type { OrderListQuery } from '../schema.ts';
import { readCount } from '../sql/counts.ts';
import {
  countOrders,
  countOrdersUpTo,
  ORDER_SORTS,
  type OrderFilter,
  type OrderPage,
  type OrderSort,
  type PieceOf,
  readOrderPage,
} from '../sql/list-orders.ts';
import { isCountKept, isOneStretch, MAX_QUICK_ROWS, planPage, slow, walksIndex } from './expensive-reads.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
const MAX_PAGE = 10_000_000;

export function readFilter(owner: OrderOwner, query: OrderListQuery): OrderFilter {
  const given = (text: string | undefined) => (text === undefined || text === '' ? undefined : text);
  return {
    organizationId: owner.organizationId,
    branchId: owner.branchId,
    orderStatus: given(query.status),
    paymentStatus: given(query.payment_status),
    fulfillmentStatus: given(query.fulfillment_status),
    source: given(query.source),
    customerEmail: given(query.customer_email),
    currency: given(query.currency)?.toUpperCase(),
    minAmount: query.min_amount,
    maxAmount: query.max_amount,
    search: given(query.search?.trim()),
    from: query.from === undefined ? undefined : parseInstant(query.from),
    to: query.to === undefined ? undefined : parseInstant(query.to),
  };
}

export function readOrderSort(query: OrderListQuery): OrderSort {
  return readSort(query.sort, ORDER_SORTS, { column: 'created', descending: true });
}

/** Before they are checked to be texts: one that is there twice makes as little sense as one that is no number. */
export function dropRepeatedWindow(query: unknown): void {
  const given = query as Record<string, unknown>;
  for (const name of ['page', 'limit']) if (Array.isArray(given[name])) delete given[name];
}

/** Unlike elsewhere, a page or limit that makes no sense is not refused but taken as the default. */
export function readWindow(query: OrderListQuery): { page: number; limit: number } {
  return {
    page: integerWithin(query.page, 1, MAX_PAGE) ?? 1,
    limit: integerWithin(query.limit, 1, MAX_LIMIT) ?? DEFAULT_LIMIT,
  };
}

function integerWithin(text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined || !/^\d{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

/** What one read of a list holds at most. A hundred usual orders are a quarter of it. */
const PIECE_BYTES = 512 * 1024;

export function pieceOf(columns: PieceOf['columns']): PieceOf {
  return { columns, maxBytes: PIECE_BYTES };
}

/** A page, or as much of it as one read may hold; the ids of the rest come with it. */
export type FoundPage = { orders: Order[]; unread: string[]; pages: Pagination };

export async function findOrderPage(
  sql: Sql,
  filter: OrderFilter,
  sort: OrderSort,
  { page, limit }: { page: number; limit: number },
  columns: 'order' | 'order-and-raw',
): Promise<FoundPage> {
  const of = pieceOf(columns);
  const offset = (page - 1) * limit;
  if (offset === 0 && walksIndex(filter, sort.column)) {
    const first: OrderPage = { sort, fromEnd: false, window: { limit, offset }, gather: false };
    const [total, piece] = await Promise.all([totalOf(sql, filter), readOrderPage(sql, filter, first, of)]);
    return { ...piece, pages: pagination(page, limit, total) };
  }
  const total = await totalOf(sql, filter);
  const pages = pagination(page, limit, total);
  const count = Math.min(limit, total - offset);
  if (count <= 0) return { orders: [], unread: [], pages };
  // The total is known, so the last pages are as near as the first: they are counted from the end.
  const left = total - offset - count;
  const skipped = Math.min(offset, left);
  const { lane, gather } = planPage(sql, filter, sort, { skipped, total });
  const window = { limit: count, offset: skipped };
  return { ...(await readOrderPage(lane, filter, { sort, fromEnd: left < offset, window, gather }, of)), pages };
}

/** Exact, and from the maintained counts wherever they know it, so that page 1 costs the same after a million orders. */
async function totalOf(sql: Sql, filter: OrderFilter): Promise<number> {
  if (isCountKept(filter)) {
    return readCount(sql, filter.organizationId, filter.branchId, {
      order_status: filter.orderStatus,
      payment_status: filter.paymentStatus,
      fulfillment_status: filter.fulfillmentStatus,
      source: filter.source,
      currency: filter.currency,
    });
  }
  if (isOneStretch(filter)) {
    const found = await countOrdersUpTo(sql, filter, MAX_QUICK_ROWS + 1);
    if (found <= MAX_QUICK_ROWS) return found;
  }
  return countOrders(slow(sql), filter);
}
