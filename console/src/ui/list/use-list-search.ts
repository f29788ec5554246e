import { type SearchChange, withoutAbsent } from '../../platform/index.ts';

type ListParameters = { page?: number };

type Navigate<Search> = (to: { search: (before: Search) => Search; replace?: boolean; resetScroll?: boolean }) => void;

export type ListSearch<Search> = {
  search: Search;
  page: number;
  /** True when any parameter narrows the list; sorting and the page do not. */
  isFiltered: boolean;
  /** Changes filters and returns to the first page. Replaces the history entry: Back leaves the list, not one keystroke. */
  filter(change: SearchChange<Search>): void;
  /** Opens a page as a new history entry, so that Back returns to the previous one. */
  turnTo(page: number): void;
  /** Removes every filter. Sorting and the parameters in `keep` stay; Back restores the filters. */
  clear(): void;
};

/** The state of a list, held in the address: it can be sent to a colleague, saved and returned to. */
export function useListSearch<Search extends ListParameters>(
  search: Search,
  navigate: Navigate<Search>,
  options: { keep?: readonly (keyof Search & string)[]; resetScroll?: boolean } = {},
): ListSearch<Search> {
  const { keep = [], resetScroll = true } = options;
  const isFilter = (name: string) => name !== 'page' && name !== 'sort' && !keep.some((one) => one === name);
  return {
    search,
    page: search.page ?? 1,
    isFiltered: Object.keys(search).some(isFilter),
    filter: (change) => navigate({ search: (before) => merged(before, { page: undefined, ...change }), replace: true }),
    turnTo: (page) =>
      navigate({ search: (before) => merged(before, { page: page > 1 ? page : undefined }), resetScroll }),
    clear: () =>
      navigate({
        search: ({ page: _, ...before }) =>
          Object.fromEntries(Object.entries(before).filter(([name]) => !isFilter(name))) as Search,
      }),
  };
}

function merged<Search>(before: Search, change: SearchChange<Search> | { page: number | undefined }): Search {
  return withoutAbsent<Search>({ ...before, ...change });
}
