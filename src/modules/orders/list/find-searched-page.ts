import type { Sql } from '../../../platform/database/index.ts';
import type { Order } from '../order.ts';
import { type Pagination, pagination } from '../payload.ts';
import { batchSearches } from '../search/batch-searches.ts';
import type { OrderSearch } from '../search/read-search.ts';
import { isLookedUp } from '../sql/find-searched.ts';
import { type OrderFilter, type OrderSort, readOrderPiece } from '../sql/list-orders.ts';
import { MAX_QUICK_ROWS } from './expensive-reads.ts';
import { MAX_LIMIT, pieceOf } from './list-orders.ts';

/** So few matches are read by the statement that finds them. */
const MAX_READ_AT_ONCE = 4;

export type SearchedPage = { orders: Order[]; unread: string[]; pages: Pagination };

/**
 * The first page of a look-up by number: order, telephone, transaction, e-mail address. Concurrent requests of a tenant share its
 * statement (ADR 0087). Undefined for other lists, and where thousands match: the usual read counts them.
 */
export function createFindSearchedPage(sql: Sql) {
  const find = batchSearches(sql, { ids: MAX_LIMIT, matches: MAX_QUICK_ROWS, orders: MAX_READ_AT_ONCE });

  return async (
    filter: OrderFilter,
    sort: OrderSort,
    { page, limit }: { page: number; limit: number },
  ): Promise<SearchedPage | undefined> => {
    const { organizationId, branchId, search, ...others } = filter;
    if (search === undefined || page > 1 || sort.column !== 'created' || !sort.descending) return undefined;
    if (Object.values(others).some((value) => value !== undefined) || !isByNumber(search)) return undefined;
    const { ids, total, orders } = await find(organizationId, { branchId, search });
    if (total > MAX_QUICK_ROWS) return undefined;
    const pages = pagination(page, limit, total);
    if (total <= MAX_READ_AT_ONCE) return { orders: orders.slice(0, limit), unread: [], pages };
    return { ...(await readOrderPiece(sql, filter, ids.slice(0, limit), pieceOf('order'))), pages };
  };
}

/** A name alone may match most orders of a tenant, and would delay the searches that share its statement. */
function isByNumber(search: OrderSearch): boolean {
  return isLookedUp(search) && (search.words === undefined || search.words.isNumbered);
}
