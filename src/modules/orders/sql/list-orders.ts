import type { Queryable } from '../../../platform/database/index.ts';
import { foldForSearch, hasTrigram, likePattern } from '../../../platform/text/folding.ts';
import type { Order } from '../order.ts';
import { exportColumns, orderColumns } from './columns.ts';

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
  search?: string;
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
    ${equal('customer_email', filter.customerEmail)}
    ${equal('currency', filter.currency)}
    ${filter.minAmount === undefined ? sql`` : sql`and o.total_amount >= ${filter.minAmount}`}
    ${filter.maxAmount === undefined ? sql`` : sql`and o.total_amount <= ${filter.maxAmount}`}
    ${filter.search === undefined ? sql`` : sql`and ${searchMatches(sql, foldForSearch(filter.search))}`}
    ${filter.from === undefined ? sql`` : sql`and o.created_at >= ${filter.from}`}
    ${filter.to === undefined ? sql`` : sql`and o.created_at <= ${filter.to}`}`;
}

/**
 * Without three letters in a row there is no trigram to look up, yet the planner would take the index: it hands over every
 * order of the tenant, and 170,000 took 1.3 s instead of 0.2. The empty text keeps the index out.
 */
export function searchMatches(sql: Queryable, folded: string) {
  return hasTrigram(folded)
    ? sql`o.search_text like ${likePattern(folded)}`
    : sql`o.search_text || '' like ${likePattern(folded)}`;
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

/** Stops at the limit, for those who only want to know whether there are more. */
export async function countOrdersUpTo(sql: Queryable, filter: OrderFilter, limit: number): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from (select from orders o where ${whereOrders(sql, filter)} limit ${limit}) found`;
  return row?.total ?? 0;
}

const cut = (sql: Queryable, sort: OrderSort, { limit, offset }: PageWindow) =>
  sql`order by ${orderBy(sql, sort)} limit ${limit} offset ${offset}`;

/**
 * Ids alone, so that an offset is skipped over inside an index. `gather` takes all that match and sorts them: where few of
 * many orders match, the planner would rather walk the order of the sort past all the others.
 */
function listIds(sql: Queryable, filter: OrderFilter, sort: OrderSort, window: PageWindow, gather: boolean) {
  if (!gather) return sql`select o.id from orders o where ${whereOrders(sql, filter)} ${cut(sql, sort, window)}`;
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
  const rows = await sql<{ id: string }[]>`${listIds(sql, filter, sort, { limit, offset: 0 }, false)}`;
  return rows.map((row) => row.id);
}

/** As much of some orders as one read may hold, in their order, and the ids of the others. */
export type OrderPiece<Row = Order> = { orders: Row[]; unread: string[] };

/** Which columns a piece has, and how many bytes of them a piece may hold. One order is always in it. */
export type PieceOf = { columns: 'order' | 'order-and-raw' | 'export'; maxBytes: number };

/** Fields that can be long; the rest of an order is taken for a kilobyte. */
function bytesOf(sql: Queryable, columns: PieceOf['columns']) {
  const text = (column: string) => sql`coalesce(octet_length(o.${sql(column)}::text), 0)`;
  const told = sql`1000 + ${text('skus')} + ${text('comment')}`;
  if (columns === 'export') return told;
  const full = sql`${told} + ${text('products')} + ${text('shipping_address')} + ${text('dispatch_routing')}
                   + ${text('shipping_fulfillment')}`;
  return columns === 'order' ? full : sql`${full} + ${text('raw')}`;
}

type Fragment = ReturnType<typeof orderColumns>;
type Whose = { organizationId: string; branchId: string | null };

/** Rows by their ids: one look-up each (`offset 0` says so), whatever the planner thinks the length of a page may be. */
function rowsOf(sql: Queryable, { organizationId, branchId }: Whose, ids: Fragment, bytes: Fragment) {
  return sql`
    select o.* from (${ids}) page cross join lateral (
      select page.*, o.*, ${bytes} as bytes from orders o
      where o.organization_id = ${organizationId} and o.id = page.page_id
        ${branchId === null ? sql`` : sql`and o.destination_id = ${branchId}`}
      offset 0) o`;
}

async function readPiece<Row>(
  sql: Queryable,
  rows: Fragment,
  order: Fragment,
  { columns, maxBytes }: PieceOf,
): Promise<OrderPiece<Row>> {
  const shown = {
    order: orderColumns(sql),
    'order-and-raw': sql`${orderColumns(sql)}, o.raw::text as raw`,
    export: exportColumns(sql),
  }[columns];
  const found = await sql<(Row & { page_id: string; is_read: boolean | null })[]>`
    select o.id as page_id, read.*
    from (select o.*, sum(o.bytes) over (order by ${order}) - o.bytes as bytes_before from (${rows}) o) o
    left join lateral (select true as is_read, ${shown} where o.bytes_before < ${maxBytes}) read on true
    order by ${order}`;
  return {
    orders: found.filter((row) => row.is_read),
    unread: found.filter((row) => !row.is_read).map((row) => row.page_id),
  };
}

export type OrderPage = {
  /** How the answer shows them. */
  sort: OrderSort;
  /** Counted from the end of the list instead of its beginning. */
  fromEnd: boolean;
  window: PageWindow;
  gather: boolean;
};

/** Up to here the rows that are skipped cost less than looking up those of the page one by one. */
const MAX_ROWS_SKIPPED = 200;

export function readOrderPage(
  sql: Queryable,
  filter: OrderFilter,
  { sort, fromEnd, window, gather }: OrderPage,
  of: PieceOf,
): Promise<OrderPiece> {
  const walked = fromEnd ? { ...sort, descending: !sort.descending } : sort;
  const bytes = bytesOf(sql, of.columns);
  const rows =
    gather || window.offset > MAX_ROWS_SKIPPED
      ? rowsOf(sql, filter, sql`select o.id as page_id from (${listIds(sql, filter, walked, window, gather)}) o`, bytes)
      : sql`select o.*, ${bytes} as bytes from orders o where ${whereOrders(sql, filter)} ${cut(sql, walked, window)}`;
  return readPiece<Order>(sql, rows, orderBy(sql, sort), of);
}

/**
 * Orders that a list or an export has found before, as they are now: those deleted since are missing, and so are those
 * that have left the branch of an account confined to one.
 */
export function readOrderPiece<Row = Order>(
  sql: Queryable,
  whose: Whose,
  ids: string[],
  of: PieceOf,
): Promise<OrderPiece<Row>> {
  const found = sql`select k.id as page_id, k.place from unnest(${ids}::uuid[]) with ordinality as k (id, place)`;
  return readPiece<Row>(sql, rowsOf(sql, whose, found, bytesOf(sql, of.columns)), sql`o.place`, of);
}
