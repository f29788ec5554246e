import type { Queryable } from '../../../platform/database/index.ts';
import { lowerAscii } from '../../../platform/text/text-range.ts';
import type { Order } from '../order.ts';
import type { OrderSearch } from '../search/read-search.ts';
import { exportColumns, type orderColumns, rowVersion, shownColumns } from './columns.ts';
import { countOf } from './counts.ts';
import { searchMatches } from './search-orders.ts';

/** Orders whose payment status is spelled in one of these ways, or in none of them. */
export type PaymentSpellings = { spellings: string[]; isOther: boolean };

export type OrderFilter = {
  organizationId: string;
  branchId: string | null;
  orderStatus?: string;
  paymentStatus?: string;
  fulfillmentStatus?: string;
  source?: string;
  customerEmail?: string;
  currency?: string;
  minAmount?: number;
  maxAmount?: number;
  search?: OrderSearch;
  /** Open orders: the stored statuses that mean open, so that the index by status finds them among many closed ones. */
  openStatuses?: string[];
  /** Open orders that were promised for an earlier time. */
  promisedBefore?: Date;
  appSlug?: string;
  payment?: PaymentSpellings;
  /** The folded text of a tag. */
  tagKey?: string;
  from?: Date;
  to?: Date;
};

export const ORDER_SORTS = ['created', 'total_amount', 'customer_name'] as const;
export type OrderSort = { column: (typeof ORDER_SORTS)[number]; descending: boolean };

export type PageWindow = { limit: number; offset: number };

function whereOrders(sql: Queryable, filter: OrderFilter) {
  const equal = (column: string, value: string | undefined) =>
    value === undefined ? sql`` : sql`and o.${sql(column)} = ${value}`;
  return sql`
    o.organization_id = ${filter.organizationId}
    ${filter.branchId === null ? sql`` : sql`and o.destination_id = ${filter.branchId}`}
    ${equal('order_status', filter.orderStatus)}
    ${equal('payment_status', filter.paymentStatus)}
    ${equal('fulfillment_status', filter.fulfillmentStatus)}
    ${equal('source', filter.source)}
    ${equal('app_slug', filter.appSlug)}
    ${filter.payment === undefined ? sql`` : paymentIs(sql, filter.payment)}
    ${filter.customerEmail === undefined ? sql`` : emailIs(sql, filter.customerEmail)}
    ${equal('currency', filter.currency)}
    ${filter.minAmount === undefined ? sql`` : sql`and o.total_amount >= ${filter.minAmount}`}
    ${filter.maxAmount === undefined ? sql`` : sql`and o.total_amount <= ${filter.maxAmount}`}
    ${filter.search === undefined ? sql`` : sql`and (${searchMatches(sql, filter.search)})`}
    ${filter.openStatuses === undefined ? sql`` : sql`and o.is_open and o.order_status = any(${filter.openStatuses}::text[])`}
    ${filter.promisedBefore === undefined ? sql`` : sql`and o.is_open and o.promised_for < ${filter.promisedBefore}`}
    ${filter.tagKey === undefined ? sql`` : hasTag(sql, filter.organizationId, filter.tagKey)}
    ${filter.from === undefined ? sql`` : sql`and o.created_at >= ${filter.from}`}
    ${filter.to === undefined ? sql`` : sql`and o.created_at <= ${filter.to}`}`;
}

/** Spelled as `normaliseSpelling` does. */
function paymentIs(sql: Queryable, { spellings, isOther }: PaymentSpellings) {
  const spelling = sql`regexp_replace(regexp_replace(lower(o.payment_status), '^\\s+|\\s+$', '', 'g'), '[\\s-]+', '_', 'g')`;
  return isOther ? sql`and ${spelling} <> all(${spellings}::text[])` : sql`and ${spelling} = any(${spellings}::text[])`;
}

function hasTag(sql: Queryable, organizationId: string, tagKey: string) {
  return sql`and o.id in (
    select t.order_id from order_tags t where t.organization_id = ${organizationId} and t.tag_key = ${tagKey})`;
}

/** The index has small letters, for searches. */
function emailIs(sql: Queryable, address: string) {
  return sql`and lower(o.customer_email collate "C") = ${lowerAscii(address)} and o.customer_email = ${address}`;
}

const sortColumn = (sort: OrderSort) => (sort.column === 'created' ? 'created_at' : sort.column);

function orderBy(sql: Queryable, sort: OrderSort) {
  const column = sql(sortColumn(sort));
  return sort.descending ? sql`o.${column} desc, o.id desc` : sql`o.${column} asc, o.id asc`;
}

export async function countOrders(sql: Queryable, filter: OrderFilter): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from orders o where ${whereOrders(sql, filter)}`;
  return row?.total ?? 0;
}

/** Stops at the limit: enough to decide whether there are more. */
export async function countOrdersUpTo(sql: Queryable, filter: OrderFilter, limit: number): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from (select from orders o where ${whereOrders(sql, filter)} limit ${limit}) found`;
  return row?.total ?? 0;
}

const cut = (sql: Queryable, sort: OrderSort, { limit, offset }: PageWindow) =>
  sql`order by ${orderBy(sql, sort)} limit ${limit} offset ${offset}`;

/**
 * Ids only, so that the offset is skipped inside an index. `sortMatches` reads all matches and sorts them: when few of many orders
 * match, the planner would otherwise scan the sort index past all the others.
 */
function listIds(sql: Queryable, filter: OrderFilter, sort: OrderSort, window: PageWindow, sortMatches: boolean) {
  if (!sortMatches) return sql`select o.id from orders o where ${whereOrders(sql, filter)} ${cut(sql, sort, window)}`;
  return sql`
    select o.id from (
      select o.id, o.${sql(sortColumn(sort))} from orders o where ${whereOrders(sql, filter)} offset 0) o
    ${cut(sql, sort, window)}`;
}

export async function listOrderIds(
  sql: Queryable,
  filter: OrderFilter,
  sort: OrderSort,
  limit: number,
): Promise<string[]> {
  // An export has no total to decide by. Few orders match most searches; scanning the sort index past the others takes longer.
  const { search, openStatuses, promisedBefore, tagKey } = filter;
  const sortMatches = [search, openStatuses, promisedBefore, tagKey].some((one) => one !== undefined);
  const rows = await sql<{ id: string }[]>`${listIds(sql, filter, sort, { limit, offset: 0 }, sortMatches)}`;
  return rows.map((row) => row.id);
}

/** An order with the version of its row: see `rowVersion`. */
export type ListedOrder = Order & { row_version: string };

/** The orders that fit into one read, in their order, and the ids of the others. */
export type OrderPiece<Row = ListedOrder> = { orders: Row[]; unread: string[] };

/** The columns of a piece and its maximum size. A piece has at least one order. */
export type PieceOf = { columns: 'order' | 'order-and-raw' | 'export'; maxBytes: number };

/** The size of the fields that can be long, plus a kilobyte for the others. */
function bytesOf(sql: Queryable, columns: PieceOf['columns']) {
  const text = (column: string) => sql`coalesce(octet_length(o.${sql(column)}::text), 0)`;
  const exported = sql`1000 + ${text('skus')} + ${text('comment')}`;
  if (columns === 'export') return exported;
  const full = sql`${exported} + ${text('products')} + ${text('shipping_address')} + ${text('dispatch_routing')}
                   + ${text('shipping_fulfillment')}`;
  return columns === 'order' ? full : sql`${full} + ${text('raw')}`;
}

type Fragment = ReturnType<typeof orderColumns>;
type OrderScope = { organizationId: string; branchId: string | null };

/** Rows by id. `offset 0` forces one index lookup for each, whatever page length the planner assumes. */
function rowsOf(sql: Queryable, { organizationId, branchId }: OrderScope, ids: Fragment, bytes: Fragment) {
  return sql`
    select o.* from (${ids}) page cross join lateral (
      select page.*, o.*, ${rowVersion(sql)} as row_version, ${bytes} as bytes from orders o
      where o.organization_id = ${organizationId} and o.id = page.page_id
        ${branchId === null ? sql`` : sql`and o.destination_id = ${branchId}`}
      offset 0) o`;
}

async function readPiece<Row>(
  sql: Queryable,
  rows: Fragment,
  order: Fragment,
  { columns, maxBytes }: PieceOf,
  more: Fragment = sql``,
): Promise<OrderPiece<Row>> {
  const shown = {
    order: sql`${shownColumns(sql)}, o.row_version`,
    'order-and-raw': sql`${shownColumns(sql)}, o.row_version, o.raw::text as raw`,
    export: exportColumns(sql),
  }[columns];
  const found = await sql<(Row & { page_id: string; is_read: boolean | null })[]>`
    select o.id as page_id, read.*
    from (select o.*, sum(o.bytes) over (order by ${order}) - o.bytes as bytes_before from (${rows}) o) o
    left join lateral (select true as is_read, ${shown} ${more} where o.bytes_before < ${maxBytes}) read on true
    order by ${order}`;
  return {
    orders: found.filter((row) => row.is_read),
    unread: found.filter((row) => !row.is_read).map((row) => row.page_id),
  };
}

export type OrderPage = {
  /** The order of the answer. */
  sort: OrderSort;
  /** The window counts from the end of the list. */
  fromEnd: boolean;
  window: PageWindow;
  sortMatches: boolean;
};

/** Up to this offset, skipping rows is cheaper than looking up the rows of the page one by one. */
const MAX_ROWS_SKIPPED = 200;

export function readOrderPage(
  sql: Queryable,
  filter: OrderFilter,
  { sort, fromEnd, window, sortMatches }: OrderPage,
  of: PieceOf,
): Promise<OrderPiece> {
  const walked = fromEnd ? { ...sort, descending: !sort.descending } : sort;
  const bytes = bytesOf(sql, of.columns);
  const rows =
    sortMatches || window.offset > MAX_ROWS_SKIPPED
      ? rowsOf(
          sql,
          filter,
          sql`select o.id as page_id from (${listIds(sql, filter, walked, window, sortMatches)}) o`,
          bytes,
        )
      : sql`
          select o.*, ${rowVersion(sql)} as row_version, ${bytes} as bytes from orders o
          where ${whereOrders(sql, filter)} ${cut(sql, walked, window)}`;
  return readPiece<ListedOrder>(sql, rows, orderBy(sql, sort), of);
}

export type RowVersion = { id: string; row_version: string };

/** The first page as ids and versions, with the total of its filter. Both are from one snapshot. */
export async function readPageVersions(
  sql: Queryable,
  filter: OrderFilter,
  sort: OrderSort,
  limit: number,
): Promise<{ rows: RowVersion[]; total: number }> {
  const rows = await sql<(RowVersion & { total: number })[]>`
    select o.id, ${rowVersion(sql)} as row_version, ${countOf(sql, filter)} as total
    from orders o where ${whereOrders(sql, filter)} ${cut(sql, sort, { limit, offset: 0 })}`;
  return { rows, total: rows[0]?.total ?? 0 };
}

/** A page of a search with at most this many matches is read together with its total, by one statement. */
const MAX_FEW_MATCHES = 5_000;

/**
 * The page and the total of a filter that few orders match. Undefined when there are more, or when there is nothing on this page:
 * then the orders have to be counted.
 */
export async function readFewMatches(
  sql: Queryable,
  filter: OrderFilter,
  sort: OrderSort,
  window: PageWindow,
  of: PieceOf,
): Promise<(OrderPiece & { total: number }) | undefined> {
  const ids = sql`
    select o.id as page_id, o.total from (
      select o.*, count(*) over () as total from (
        select o.id, o.${sql(sortColumn(sort))} from orders o where ${whereOrders(sql, filter)}
        limit ${MAX_FEW_MATCHES + 1}) o
      ${cut(sql, sort, window)}) o`;
  const rows = rowsOf(sql, filter, ids, bytesOf(sql, of.columns));
  const piece = await readPiece<ListedOrder & { total: number }>(sql, rows, orderBy(sql, sort), of, sql`, o.total`);
  const total = piece.orders[0]?.total;
  return total === undefined || total > MAX_FEW_MATCHES ? undefined : { ...piece, total };
}

/**
 * The current state of orders that a list or an export has found before. Orders that were deleted since are missing, and so are
 * orders that left the branch of an account that is confined to one.
 */
export function readOrderPiece<Row = ListedOrder>(
  sql: Queryable,
  scope: OrderScope,
  ids: string[],
  of: PieceOf,
): Promise<OrderPiece<Row>> {
  const found = sql`select k.id as page_id, k.position from unnest(${ids}::uuid[]) with ordinality as k (id, position)`;
  return readPiece<Row>(sql, rowsOf(sql, scope, found, bytesOf(sql, of.columns)), sql`o.position`, of);
}
