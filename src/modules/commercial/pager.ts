import { type TSchema, Type } from 'typebox';
import type { Paging } from '../../platform/http/paging.ts';

const DEFAULT_PER_PAGE = 25;
const MAX_PER_PAGE = 100;
/** Deeper pages are empty anyway: an offset past this would scan for minutes. */
const MAX_PAGE = 1_000_000;

/** Read by hand: what makes no sense falls back instead of being refused. */
export const PagerQuery = Type.Object({
  page: Type.Optional(Type.String({ description: 'From 1; anything else is taken as 1' })),
  perPage: Type.Optional(
    Type.String({
      description: 'How many a page has: 1 to 100, 25 unless given; more is taken as 100, anything else as 25',
    }),
  ),
});

export function readPager(query: { page?: string; perPage?: string }): Paging {
  return {
    page: clamped(query.page, MAX_PAGE) ?? 1,
    limit: clamped(query.perPage, MAX_PER_PAGE) ?? DEFAULT_PER_PAGE,
  };
}

function clamped(text: string | undefined, max: number): number | undefined {
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  const value = Number(text);
  return value < 1 ? undefined : Math.min(value, max);
}

export function pager<Row>({ page, limit }: Paging, totalItems: number, items: Row[]) {
  return { page, perPage: limit, totalItems, items };
}

export function pagerOf<Item extends TSchema>(title: string, item: Item, example: unknown) {
  return Type.Object(
    {
      page: Type.Integer(),
      perPage: Type.Integer(),
      totalItems: Type.Integer(),
      items: Type.Array(item),
    },
    { title, examples: [pager({ page: 1, limit: DEFAULT_PER_PAGE }, 1, [example])] },
  );
}
