import { readSort } from '../../platform/http/paging.ts';
import { isId } from '../../platform/ids.ts';
import { foldForSearch } from '../../platform/text/folding.ts';
import { type ProductFilter, type ProductSort, SORT_COLUMNS } from './sql/list.ts';

export function readProductSort({ sort }: { sort?: string }): ProductSort {
  return readSort(sort, SORT_COLUMNS, { column: 'created', descending: true });
}

type GivenFilter = { search?: string; brand_id?: string; category_id?: string; is_enabled?: boolean };

/** Names only what was asked for: an empty filter is the whole list. */
export function readFilter(query: GivenFilter): ProductFilter {
  const filter: ProductFilter = {};
  const search = foldForSearch(query.search ?? '');
  if (search !== '') filter.search = search;
  if (query.brand_id) filter.brandId = readGroupId(query.brand_id);
  if (query.category_id) filter.categoryId = readGroupId(query.category_id);
  if (query.is_enabled !== undefined) filter.isEnabled = query.is_enabled;
  return filter;
}

/** No brand or category has it. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** A filter is any text: one that cannot be an id matches nothing, as an id does that no row has. */
function readGroupId(text: string): string {
  return isId(text) ? text.toLowerCase() : NO_ID;
}
