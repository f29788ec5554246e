import { type TSchema, Type } from 'typebox';
import type { Paging } from './paging.ts';

const DEFAULT_ROWS = 25;
const MAX_ROWS = 100;

/** The pager of the operator's lists: `{page, perPage, totalItems, items}` around rows in snake_case. */
export const PagerQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'The first page is 1' })),
  perPage: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: DEFAULT_ROWS,
      description: `How many a page has; more than ${MAX_ROWS} is taken as ${MAX_ROWS}`,
    }),
  ),
};

export function readPager({ page = 1, perPage = DEFAULT_ROWS }: { page?: number; perPage?: number }): Paging {
  return { page, limit: Math.min(perPage, MAX_ROWS) };
}

export function pager<Row>(items: Row[], totalItems: number, { page, limit }: Paging) {
  return { page, perPage: limit, totalItems, items };
}

export function pagerOf<Item extends TSchema>(item: Item, title: string) {
  const rows = 'examples' in item && Array.isArray(item.examples) ? item.examples : [];
  return Type.Object(
    { page: Type.Integer(), perPage: Type.Integer(), totalItems: Type.Integer(), items: Type.Array(item) },
    { title, examples: [pager(rows, rows.length, { page: 1, limit: DEFAULT_ROWS })] },
  );
}

/** Lists of the operator without pages: all there is, up to a cap that their descriptions name. */
export function cappedListOf<Item extends TSchema>(item: Item, title: string) {
  const items = 'examples' in item && Array.isArray(item.examples) ? item.examples : [];
  return Type.Object(
    {
      items: Type.Array(item),
      total_items: Type.Integer({ description: 'How many there are, also where a cap shows fewer' }),
    },
    { title, examples: [{ items, total_items: items.length }] },
  );
}
