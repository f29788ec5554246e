import type { Sql } from '../../../platform/database/index.ts';
import { parseInstant } from '../../../platform/http/instant.ts';
import { MAX_PAGE, readSort } from '../../../platform/http/paging.ts';
import { badRequest } from '../../../platform/http/problem.ts';
import { isOpenStatus, paymentSpellings } from '../order-status.ts';
import type { OrderOwner } from '../ordering.ts';
import { type Pagination, pagination } from '../payload.ts';
import type { OrderListQuery } from '../schema.ts';
import { readSearch } from '../search/read-search.ts';
import { countByStatus, readCount } from '../sql/counts.ts';
import {
  countOrders,
  countOrdersUpTo,
  type ListedOrder,
  ORDER_SORTS,
  type OrderFilter,
  type OrderPage,
  type OrderSort,
  type PieceOf,
  readFewMatches,
  readOrderPage,
} from '../sql/list-orders.ts';
import { tagKeyOf } from '../tags/read-tag.ts';
import { hasMaintainedCount, isIndexRange, MAX_QUICK_ROWS, planPage, slow, walksIndex } from './expensive-reads.ts';

const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 100;

export function readFilter(owner: OrderOwner & { timeZone: string }, query: OrderListQuery): OrderFilter {
  const presentOf = (text: string | undefined) => (text === undefined || text === '' ? undefined : text);
  return {
    organizationId: owner.organizationId,
    branchId: readBranch(owner, query.branch_id),
    orderStatus: presentOf(query.status),
    paymentStatus: presentOf(query.payment_status),
    fulfillmentStatus: presentOf(query.fulfillment_status),
    source: presentOf(query.source),
    customerEmail: presentOf(query.customer_email),
    currency: presentOf(query.currency)?.toUpperCase(),
    minAmount: query.min_amount,
    maxAmount: query.max_amount,
    appSlug: presentOf(query.channel),
    payment: query.payment && paymentSpellings(query.payment),
    tagKey: presentOf(tagKeyOf(query.tag ?? '')),
    search: query.search === undefined ? undefined : readSearch(query.search, owner),
    from: query.from === undefined ? undefined : parseInstant(query.from),
    to: query.to === undefined ? undefined : parseInstant(query.to),
  };
}

function readBranch({ branchId }: OrderOwner, asked: string | undefined): string | null {
  if (branchId !== null && asked !== undefined && asked.toLowerCase() !== branchId) {
    throw badRequest({ branch_id: 'is not the branch of this account' });
  }
  return asked ?? branchId;
}

/** `state=open` needs the spellings in use: orders keep the status of their source. */
export async function resolveState(
  sql: Sql,
  filter: OrderFilter,
  state: OrderListQuery['state'],
  now: Date,
): Promise<OrderFilter> {
  if (state === undefined) return filter;
  if (state === 'late') return { ...filter, promisedBefore: now };
  const inUse = await countByStatus(sql, filter.organizationId, filter.branchId);
  return { ...filter, openStatuses: inUse.map((row) => row.order_status).filter(isOpenStatus) };
}

export function readOrderSort(query: OrderListQuery): OrderSort {
  return readSort(query.sort, ORDER_SORTS, { column: 'created', descending: true });
}

/** Before validation: a repeated parameter counts as invalid, and an invalid page or limit falls back to its default. */
export function dropRepeatedWindow(query: unknown): void {
  const parameters = query as Record<string, unknown>;
  for (const name of ['page', 'limit']) if (Array.isArray(parameters[name])) delete parameters[name];
}

/** Unlike on other routes, an invalid page or limit is not rejected but replaced by its default. */
export function readWindow(query: OrderListQuery): { page: number; limit: number } {
  return {
    page: integerWithin(query.page, 1, MAX_PAGE) ?? 1,
    limit: integerWithin(query.limit, 1, MAX_LIMIT) ?? DEFAULT_LIMIT,
  };
}

function integerWithin(text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

/** The maximum size of one read. A hundred ordinary orders take a quarter of it. */
const PIECE_BYTES = 512 * 1024;

export function pieceOf(columns: PieceOf['columns']): PieceOf {
  return { columns, maxBytes: PIECE_BYTES };
}

/** A page, or the part of it that fits into one read, with the ids of the rest. */
export type FoundPage = { orders: ListedOrder[]; unread: string[]; pages: Pagination };

export async function findOrderPage(
  sql: Sql,
  filter: OrderFilter,
  sort: OrderSort,
  { page, limit }: { page: number; limit: number },
  of: PieceOf,
): Promise<FoundPage> {
  const offset = (page - 1) * limit;
  if (offset === 0 && walksIndex(filter, sort.column)) {
    const first: OrderPage = { sort, fromEnd: false, window: { limit, offset }, sortMatches: false };
    const [total, piece] = await Promise.all([totalOf(sql, filter), readOrderPage(sql, filter, first, of)]);
    return { ...piece, pages: pagination(page, limit, total) };
  }
  const { search, openStatuses, promisedBefore, tagKey } = filter;
  if ([search, openStatuses, promisedBefore, tagKey].some((selective) => selective !== undefined)) {
    const few = await readFewMatches(sql, filter, sort, { limit, offset }, of);
    if (few !== undefined) return { orders: few.orders, unread: few.unread, pages: pagination(page, limit, few.total) };
  }
  const total = await totalOf(sql, filter);
  const pages = pagination(page, limit, total);
  const count = Math.min(limit, total - offset);
  if (count <= 0) return { orders: [], unread: [], pages };
  // With the total known, the last pages cost as little as the first: they are counted from the end.
  const left = total - offset - count;
  const skipped = Math.min(offset, left);
  const { reader, sortMatches } = planPage(sql, filter, sort, { skipped, total });
  const window = { limit: count, offset: skipped };
  return { ...(await readOrderPage(reader, filter, { sort, fromEnd: left < offset, window, sortMatches }, of)), pages };
}

/** Exact. Read from order_counts where possible, so that page 1 takes the same time after a million orders. */
async function totalOf(sql: Sql, filter: OrderFilter): Promise<number> {
  if (hasMaintainedCount(filter)) return readCount(sql, filter);
  if (isIndexRange(filter)) {
    const found = await countOrdersUpTo(sql, filter, MAX_QUICK_ROWS + 1);
    if (found <= MAX_QUICK_ROWS) return found;
  }
  return countOrders(slow(sql), filter);
}
