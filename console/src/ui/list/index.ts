export { BulkBar } from './bulk-bar.tsx';
export { FilterCheckbox } from './filter-checkbox.tsx';
export { type Extent, extentOfData, ListCard, ListRows } from './list-card.tsx';
export { ListFilters } from './list-filters.tsx';
export { ListPage } from './list-page.tsx';
export { selectColumn } from './select-column.tsx';
export { sortBy } from './sort-by.ts';
export { type ListSearch, searchFilter, useListSearch } from './use-list-search.ts';
export { type Selection, useSelection } from './use-selection.ts';
