import { type TSchema, Type } from 'typebox';
import { MAX_PAGE, type Paging } from './paging.ts';

const DEFAULT_ROWS = 25;
const MAX_ROWS = 100;

/**
 * The pager of the operator's lists: `{page, perPage, totalItems, items}` around rows in snake_case. Parsed by
 * hand: invalid values fall back to the defaults instead of being refused.
 */
export const PagerQuery = {
  page: Type.Optional(
    Type.String({
      describedAs: { type: 'integer', minimum: 1, default: 1 },
      description: 'From 1; anything else is taken as 1',
    }),
  ),
  perPage: Type.Optional(
    Type.String({
      describedAs: { type: 'integer', minimum: 1, maximum: MAX_ROWS, default: DEFAULT_ROWS },
      description: `How many a page has: 1 to ${MAX_ROWS}, ${DEFAULT_ROWS} unless given; more is taken as ${MAX_ROWS}, anything else as ${DEFAULT_ROWS}`,
    }),
  ),
};

export function readPager({ page, perPage }: { page?: string; perPage?: string }): Paging {
  return { page: clamped(page, MAX_PAGE) ?? 1, limit: clamped(perPage, MAX_ROWS) ?? DEFAULT_ROWS };
}

function clamped(text: string | undefined, max: number): number | undefined {
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  const value = Number(text);
  return value < 1 ? undefined : Math.min(value, max);
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

/** Operator lists without pages: all rows, up to a limit that their descriptions name. */
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
