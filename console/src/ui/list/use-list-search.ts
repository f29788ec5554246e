import { type SearchChange, withoutAbsent } from '../../platform/index.ts';

type Navigate<Search> = (to: { search: (before: Search) => Search; replace?: boolean; resetScroll?: boolean }) => void;

export type ListSearch<Search> = {
  search: Search;
  page: number;
  /** True when any parameter narrows the list. */
  isFiltered: boolean;
  /** Changes filters and returns to the first page. Replaces the history entry: Back leaves the list, not one keystroke. */
  filter(change: SearchChange<Search>): void;
  /** Opens a page as a new history entry, so that Back returns to the previous one. */
  turnTo(page: number): void;
  /** Opens or closes the panel of one row (`options.panel`) on the same page of the list. */
  showPanel(id: string | undefined): void;
  /** Removes every filter; Back restores them. */
  clear(): void;
};

/** The state of a list, held in the address: it can be sent to a colleague, saved and returned to. */
export function useListSearch<Search extends { page?: number }>(
  search: Search,
  navigate: Navigate<Search>,
  options: {
    /** Parameters that are no filters, besides `sort`: a tab, a view. */
    keep?: readonly (keyof Search & string)[];
    /** The parameter with the id of the row whose panel is open. */
    panel?: keyof Search & string;
    resetScroll?: boolean;
  } = {},
): ListSearch<Search> {
  const { keep = [], panel, resetScroll = true } = options;
  const stays = (name: string) => name === 'sort' || keep.some((one) => one === name);
  const fromFirst = { page: undefined, ...(panel !== undefined && { [panel]: undefined }) };
  return {
    search,
    page: search.page ?? 1,
    isFiltered: Object.keys(search).some((name) => !stays(name) && !(name in fromFirst)),
    filter: (change) => navigate({ search: (before) => merged(before, { ...fromFirst, ...change }), replace: true }),
    turnTo: (page) =>
      navigate({
        search: (before) => merged(before, { ...fromFirst, page: page > 1 ? page : undefined }),
        resetScroll,
      }),
    showPanel: (id) => {
      if (panel === undefined) return;
      // The list stays where it is below the panel.
      navigate({ search: (before) => merged(before, { [panel]: id }), replace: true, resetScroll: false });
    },
    clear: () =>
      navigate({
        search: (before) => Object.fromEntries(Object.entries(before).filter(([name]) => stays(name))) as Search,
      }),
  };
}

/** The search field and the clear button of `ListFilters`, for a list whose text search is the parameter `search`. */
export function searchFilter<Search extends { search?: string }>(
  list: ListSearch<Search>,
  field: { label: string; placeholder?: string },
) {
  return {
    search: {
      ...field,
      text: list.search.search,
      onText: (text: string) => list.filter({ search: text } as SearchChange<Search>),
    },
    onClear: list.isFiltered ? list.clear : undefined,
  };
}

function merged<Search>(before: Search, change: object): Search {
  return withoutAbsent<Search>({ ...before, ...change });
}
