import { Type } from 'typebox';
import { badRequest } from './problem.ts';

const MAX_LIMIT = 100;
/**
 * The last page whose offset is an exact number. A page past the end is an empty page: its cost is bounded by the rows that the tenant
 * has, however far past the end it is.
 */
export const MAX_PAGE = Math.floor(Number.MAX_SAFE_INTEGER / MAX_LIMIT);

/** `page` and `limit` of the list envelope; wrong values are refused. */
export const PageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1, description: 'The first page is 1' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: 20, description: 'How many a page has' }),
  ),
};

export type Paging = { page: number; limit: number };

export function readPaging(query: { page?: number; limit?: number }): Paging {
  return { page: query.page ?? 1, limit: query.limit ?? 20 };
}

export function offsetOf(paging: Paging): number {
  return (paging.page - 1) * paging.limit;
}

export type Sort<Column extends string> = { column: Column; descending: boolean };

/** `sort=-created`: only the named columns, a leading minus for descending. */
export function readSort<Column extends string>(
  raw: string | undefined,
  columns: readonly Column[],
  fallback: Sort<Column>,
): Sort<Column> {
  if (raw === undefined || raw === '') return fallback;
  const descending = raw.startsWith('-');
  const name = descending ? raw.slice(1) : raw;
  const column = columns.find((candidate) => candidate === name);
  if (column === undefined)
    throw badRequest({ sort: `must be one of ${columns.join(', ')}, optionally after a minus` });
  return { column, descending };
}
