import type { ReactNode } from 'react';
import { Page } from '../parts.tsx';
import { ListCard, type ListCardProps } from './list-card.tsx';
import { ListFilters } from './list-filters.tsx';
import { type ListSearch, searchFilter } from './use-list-search.ts';

type Parameters = { search?: string; page?: number };

type Props<Search extends Parameters, Data> = Omit<
  ListCardProps<Data>,
  'title' | 'pager' | 'isFiltered' | 'onClear'
> & {
  title: string;
  note?: string;
  /** The note, from the number of rows on all pages. */
  count?: (total: number) => string;
  tools?: ReactNode;
  /** Above the filters: links to sibling lists. */
  tabs?: ReactNode;
  list: ListSearch<Search>;
  perPage: number;
  hideSinglePage?: boolean;
  /** Absent for a list without a text search. */
  searchField?: { label: string; placeholder?: string };
  filters?: ReactNode;
  /** Below the list: dialogs. */
  after?: ReactNode;
};

/**
 * A page that shows one list: title, search, filters, rows, pager. Search, filters and page are in the address
 * (`useListSearch`). Layouts of another shape, such as tabs or a map beside the list, compose `ListFilters` and `ListCard`.
 */
export function ListPage<Search extends Parameters, Data>(props: Props<Search, Data>): ReactNode {
  const {
    title,
    note,
    count,
    tools,
    tabs,
    list,
    perPage,
    hideSinglePage = false,
    searchField,
    filters,
    after,
    ...card
  } = props;
  const data = card.answer.data;
  // A space keeps the height of the line while the count is loading.
  const counted = count === undefined ? note : data === undefined ? ' ' : count(card.extentOf(data).total);
  return (
    <Page title={title} {...(counted !== undefined && { note: counted })} {...(tools !== undefined && { tools })}>
      {tabs}
      {(searchField !== undefined || filters !== undefined) && (
        <ListFilters
          {...(searchField !== undefined && searchFilter(list, searchField))}
          // A search field alone has its own button to clear it.
          onClear={filters !== undefined && list.isFiltered ? list.clear : undefined}
        >
          {filters}
        </ListFilters>
      )}
      <ListCard
        {...card}
        pager={{ page: list.page, perPage, onPage: list.turnTo, hideSinglePage }}
        isFiltered={list.isFiltered}
        onClear={list.clear}
      />
      {after}
    </Page>
  );
}
