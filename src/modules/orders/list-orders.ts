import type { Sql } from '../../platform/database/index.ts';
import { parseInstant } from '../../platform/http/instant.ts';
import { readSort } from '../../platform/http/paging.ts';
import type { Order } from './order.ts';
import { type Pagination, pagination } from './payload.ts';
import type { OrderOwner } from './place-order.ts';
import type { OrderListQuery } from './schema.ts';
import { readCount } from './sql/counts.ts';
import { countOrders, listOrders, ORDER_SORTS, type OrderFilter, type OrderSort } from './sql/find-orders.ts';

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

export async function findOrderPage(
  sql: Sql,
  filter: OrderFilter,
  sort: OrderSort,
  { page, limit }: { page: number; limit: number },
): Promise<{ orders: Order[]; pages: Pagination }> {
  const offset = (page - 1) * limit;
  if (offset === 0) {
    const [total, orders] = await Promise.all([totalOf(sql, filter), listOrders(sql, filter, sort, { limit, offset })]);
    return { orders, pages: pagination(page, limit, total) };
  }
  const total = await totalOf(sql, filter);
  const orders = await listFromNearerEnd(sql, filter, sort, { limit, offset, total });
  return { orders, pages: pagination(page, limit, total) };
}

/** The total is known, so the last pages are as near as the first: they are read backwards and turned round. */
async function listFromNearerEnd(
  sql: Sql,
  filter: OrderFilter,
  sort: OrderSort,
  { limit, offset, total }: { limit: number; offset: number; total: number },
): Promise<Order[]> {
  const count = Math.min(limit, total - offset);
  if (count <= 0) return [];
  const fromEnd = total - offset - count;
  if (offset <= fromEnd) return listOrders(sql, filter, sort, { limit: count, offset });
  const backwards = { ...sort, descending: !sort.descending };
  return (await listOrders(sql, filter, backwards, { limit: count, offset: fromEnd })).reverse();
}

/** From the maintained counts wherever they know the answer, so that page 1 costs the same after a million orders. */
function totalOf(sql: Sql, filter: OrderFilter): Promise<number> {
  const { organizationId, branchId, orderStatus, paymentStatus, fulfillmentStatus, source, currency, ...others } =
    filter;
  const countable = Object.values(others).every((value) => value === undefined);
  const branchCountable = [paymentStatus, fulfillmentStatus, source, currency].every((value) => value === undefined);
  if (!countable || (branchId !== null && !branchCountable)) return countOrders(sql, filter);
  return readCount(sql, organizationId, branchId, {
    order_status: orderStatus,
    payment_status: paymentStatus,
    fulfillment_status: fulfillmentStatus,
    source,
    currency,
  });
}
